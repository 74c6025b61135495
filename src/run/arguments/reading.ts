import type { Json } from "../../model/json.ts";
import type { ValueType } from "../../model/value.ts";
import type { ArgumentFault } from "./argument-faults.ts";

/** A value in the caller's form and in the upstream's. */
export interface Argument {
  readonly caller: Json;
  readonly wire: Json;
}

/** What reading arguments needs and gathers. `read` leads to `read-argument` for what stands inside a value. */
export interface Reading {
  readonly faults: ArgumentFault[];
  /** As of `MatchPattern`, over the steps of this call. */
  readonly matches: (pattern: string, text: string) => boolean | undefined;
  /** A text for several kinds of value is read as the JSON that it may be, also where it could stay a text. */
  readonly textIsJson: boolean;
  /** Names, in lower case, that no caller may set at any depth. */
  readonly pinnedInside: ReadonlySet<string>;
  read(type: ValueType, raw: Json, path: string): Argument | undefined;
}

/** Notes that the value is not what it must be; gives undefined, which is what a reader then returns. */
export function refuse(
  reading: Reading,
  path: string,
  mustBe: string,
  got: Json,
  more: Pick<ArgumentFault, "allowed" | "nearest"> = {},
): undefined {
  reading.faults.push({ code: "invalid_arguments", path, message: `\`${path}\` must be ${mustBe}.`, got, ...more });
}

export function pinnedFault(path: string): ArgumentFault {
  return {
    code: "pinned_argument",
    path,
    message: `\`${path}\` is set by this server for every call and cannot be chosen.`,
  };
}
