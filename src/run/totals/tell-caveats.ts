import type { Json } from "../../model/json.ts";
import type { Caveat } from "../../model/shape.ts";
import { holds } from "../errors/holds.ts";
import type { Roots } from "../expressions/evaluate.ts";
import type { CaveatShown } from "./total-read.ts";

/** The caveats that hold of a total made of these bodies: what is true of a part of it is true of it. */
export function tellCaveats(caveats: readonly Caveat[], bodies: readonly Json[], roots: Roots): CaveatShown[] {
  return caveats
    .filter(({ when }) => when === undefined || bodies.some((body) => holds(when, body, roots)))
    .map(({ code, note }) => ({ code, note }));
}
