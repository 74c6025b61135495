import type { InsideType } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import { convertValue } from "./convert-value.ts";
import { exactDigits } from "./exact-number.ts";
import { changeInside } from "./set-inside.ts";

/** The value with the texts and numbers inside it in the types that their places take; what cannot become one of the type stays what it is. */
export function convertInside(value: Json, inside: readonly InsideType[] = []): Json {
  return inside.reduce(
    (whole, { pointer, type }) =>
      changeInside(whole, pointer, (one) => (isScalar(one) ? (convertValue(one, type) ?? one) : one)),
    value,
  );
}

function isScalar(value: Json): boolean {
  return typeof value === "string" || typeof value === "number" || exactDigits(value) !== undefined;
}
