import type { Json } from "../../model/json.ts";
import type { Totals } from "../../model/shape.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { lookAtRows } from "../pages/look-at-rows.ts";
import { readAllPages } from "../pages/read-all.ts";
import { projectRow } from "../shape/project.ts";
import { addUp } from "./add-up.ts";
import { withholdFailure } from "./ask-aggregate.ts";
import { openMeasure } from "./open-measure.ts";
import type { TotalOptions } from "./read-total.ts";
import { unitReader } from "./read-unit.ts";
import { tellCaveats } from "./tell-caveats.ts";
import { type OfRows, type TotalRead, withhold, withholdMoved } from "./total-read.ts";

type Walk = Extract<Totals, { kind: "walk" }>;

const WAY = "Narrow the arguments to get the total.";

/** Reads every page of the list, within the bound, and adds up the measure of all rows. */
export async function walkRows(totals: Walk, options: TotalOptions): Promise<TotalRead> {
  const { shape, columns, call, send, asking, roots } = options;
  const { measure, maxPages } = totals;
  // Without pages the list's own request has brought all that there is to be had.
  if (call?.pages === undefined) return withhold("PARTIAL_PAGES", `The upstream did not send all rows. ${WAY}`);
  return withholdFailure(asking, async () => {
    const bodies: Json[] = [];
    const look = (body: Json) => {
      bodies.push(body);
      return lookAtRows(shape.rows, body, roots);
    };
    const source = { call, roots, look };
    const read = await readAllPages(source, asking.toolset.operations, send, { pages: maxPages });
    if (read === undefined) return withhold("PART_FAILED", "The request for the total was not answered with JSON.");
    if (read.left) return withhold("PARTIAL_PAGES", `There are more pages than the ${read.pages} read for it. ${WAY}`);
    if (read.moved) return withholdMoved();
    if (read.unreachable) return withhold("PARTIAL_PAGES", `The upstream did not send all rows. ${WAY}`);
    const termOf = openMeasure(measure, columns, roots);
    const own = columns?.filter(({ name }) => name === measure);
    const terms = read.rows.map((source) => termOf({ source, row: own ? projectRow(source, own, roots).row : source }));
    return { kind: "rows", sums: addUp(terms), ...factsOf(totals, bodies, roots) };
  });
}

/** What the curation says of a total over the rows behind these bodies. */
export function factsOf({ unit, caveats }: Walk, bodies: readonly Json[], roots: Roots): OfRows {
  const named = unit && bodies[0] !== undefined ? unitReader(unit, roots)(bodies[0]) : undefined;
  return { ...(named !== undefined && { unit: named }), caveats: tellCaveats(caveats, bodies, roots) };
}
