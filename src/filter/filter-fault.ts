import type { Json } from "../model/json.ts";

/** One thing that is wrong with a filter, as data of a tool error (contract section 7). */
export interface FilterFault {
  readonly code: "invalid_arguments" | "unknown_fields" | "filter_not_expressible";
  readonly path: string;
  /** A whole sentence. */
  readonly message: string;
  readonly got?: Json;
  readonly allowed?: readonly string[];
  readonly nearest?: readonly string[];
}

/** Notes an argument that is not what it must be. */
export function refuse(
  faults: FilterFault[],
  path: string,
  mustBe: string,
  detail: Pick<FilterFault, "got" | "allowed" | "nearest"> = {},
): undefined {
  faults.push({ code: "invalid_arguments", path, message: `\`${path}\` must be ${mustBe}.`, ...detail });
  return undefined;
}
