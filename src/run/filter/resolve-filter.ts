import { joinAlways } from "../../filter/join-always.ts";
import { readFilter } from "../../filter/read-filter.ts";
import { renderFilter } from "../../filter/render-filter.ts";
import type { Condition, FilterField } from "../../model/filter.ts";
import type { ToolFilter } from "../../model/tool.ts";
import { type ArgumentFault, refuseArguments } from "../arguments/argument-faults.ts";
import type { Arguments } from "../arguments/validate-arguments.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import type { ResolvedFilter } from "../list/list-read.ts";
import { convertFields } from "./convert-fields.ts";
import { evaluateAlways } from "./evaluate-always.ts";
import { explainAlways } from "./explain-filter.ts";
import { listFields } from "./list-fields.ts";
import { refuseFilter } from "./refuse-filter.ts";

/**
 * The filter of one call: the caller's, read against the fields that there are, and the conditions of `always` joined with it. Asks the upstream
 * for its fields only where the caller filters. Throws ToolError with everything that is wrong with the caller's (`invalid_arguments`,
 * `unknown_fields`, `pinned_argument`, `filter_not_expressible`), what reading the fields throws, and an Error where `always` is at fault.
 */
export async function resolveFilter(given: Arguments, asking: Asking): Promise<ResolvedFilter> {
  const { filter } = asking.tool;
  if (filter === undefined) return {};
  const declared = new Map(filter.fields.map((field) => [field.name, field]));
  const own = given.filter === undefined ? undefined : await readOwn(given.filter, filter, declared, asking);
  const condition = addAlways(own, filter, declared, asking);
  if (condition === undefined && filter.required) throw refuseArguments([NONE_GIVEN]);
  return {
    ...(condition !== undefined && { condition }),
    ...(own !== undefined && { applied: renderFilter(own) }),
  };
}

const NONE_GIVEN: ArgumentFault = {
  code: "invalid_arguments",
  path: "filter",
  message: "`filter` is required: the API takes no call without a condition.",
};

type Declared = ReadonlyMap<string, FilterField>;

async function readOwn(
  raw: unknown,
  filter: ToolFilter,
  declared: Declared,
  asking: Asking,
): Promise<Condition | undefined> {
  const list = await listFields(filter, declared, asking);
  const { depth } = filter;
  const reading = readFilter(raw, { fields: list.fields, depth, convert: convertFields(asking.wire) });
  if (reading.faults) throw refuseArguments(refuseFilter(reading.faults, list, asking));
  return reading.condition;
}

/** Of a field that callers discover, `always` knows nothing: its conditions are the same whether a caller filters or not. */
function addAlways(
  own: Condition | undefined,
  filter: ToolFilter,
  declared: Declared,
  { wire }: Asking,
): Condition | undefined {
  return explainAlways(filter.always, () =>
    joinAlways(evaluateAlways(filter.always, wire), own, { fields: declared, convert: convertFields(wire) }),
  );
}
