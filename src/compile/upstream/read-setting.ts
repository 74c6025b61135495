import { parseValue, ROOTS } from "../../curation/expression.ts";
import type { Json } from "../../model/json.ts";
import type { Value } from "../../model/value.ts";

/** A value under `api`, where only `env` and `key` are read. What cannot be parsed was refused when the file was read. */
export function readSetting(raw: Json): Value {
  return parseValue(raw, ROOTS.api).value ?? { kind: "literal", value: null };
}
