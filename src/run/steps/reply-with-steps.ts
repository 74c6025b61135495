import { type Json, type JsonObject, ownValue } from "../../model/json.ts";
import type { Field, Shape } from "../../model/shape.ts";
import type { Step } from "../../model/step.ts";
import type { Expression } from "../../model/value.ts";
import { openAsk } from "../exchange/ask-upstream.ts";
import type { Roots } from "../expressions/evaluate.ts";
import type { Path } from "../expressions/list-sums.ts";
import { type ListCall, replyWithList } from "../list/reply-with-list.ts";
import { lookAtRows } from "../pages/look-at-rows.ts";
import { hasFurtherRows } from "../shape/find-further.ts";
import { type Column, listColumns } from "../shape/list-columns.ts";
import type { Omission } from "../shape/omit.ts";
import { shapeReply } from "../shape/shape-reply.ts";
import type { Shaped } from "../shape/shaped.ts";
import { tellReplaced } from "../shape/tell-replaced.ts";
import { suggestNext } from "../suggest/suggest-next.ts";
import { withhold } from "../totals/total-read.ts";
import { feedingSteps } from "./feeding-steps.ts";
import { partialStep, stepOf } from "./partial-lists.ts";
import type { StepsRun } from "./run-steps.ts";
import { boundLeftOut, measureLeftOut, tellLeftOut } from "./tell-left-out.ts";
import { isMoved } from "./tell-moved.ts";

type Told = Pick<ListCall, "columns" | "given" | "filter" | "now" | "token" | "asking" | "cursorKeys">;

/**
 * The reply of a workflow. What its expressions read where those of another tool read the body are the roots; without any the reply holds what every step
 * gave, by its ID. What the steps left out is told with what the reply leaves out.
 */
export async function replyWithSteps(steps: readonly Step[], run: StepsRun, told: Told): Promise<Shaped> {
  const { shape } = told.asking.tool;
  const roots: Roots = { ...told.asking.roots, steps: run.results };
  const wire: Roots = { ...told.asking.wire, steps: run.wire };
  const asking = { ...told.asking, roots, wire };
  const columns = columnsOf(shape, told.columns, roots);
  const left = boundLeftOut(run.omitted, shape.budget);
  if (shape.kind === "list") {
    const made = makeRows(shape, steps, run.omitted, roots);
    return replyWithList({ ...told, shape, columns, asking, send: openAsk(asking), made: { ...made, omitted: left } });
  }
  const toldBytes = measureLeftOut(left);
  const isChosen = shape.kind === "value" || shape.fields !== undefined;
  const current = isChosen ? nodeOf(roots) : run.results;
  const body = { kind: "json", value: current } as const;
  const partial = (path: Path) => partialStep(path, { steps, ...run });
  const shapeWith = (fitted: typeof shape) => {
    const budget = Math.max(0, fitted.budget - toldBytes);
    return tellLeftOut(shapeReply(asking.tool, { ...fitted, budget }, columns, body, roots, partial), left);
  };
  const isReplaced = asking.replaced?.isSeen() ?? false;
  return suggestNext(shape, asking, (fitted) => tellReplaced(fitted, isReplaced, shapeWith));
}

/** Columns that steps name are known only now. */
function columnsOf(shape: Shape, known: readonly Column[] | undefined, roots: Roots): readonly Column[] | undefined {
  if (known !== undefined || shape.kind === "value" || shape.fields === undefined) return known;
  return listColumns(shape.fields, roots);
}

function nodeOf({ input, pins, steps = {} }: Roots): JsonObject {
  return { input, pins, steps };
}

/** Rows are all that there are where no step that they are made of left any out. */
function makeRows(
  { rows }: Extract<Shape, { kind: "list" }>,
  steps: readonly Step[],
  omitted: readonly Omission[],
  roots: Roots,
) {
  const body: Json = nodeOf(roots);
  const feeding = feedingSteps(rows, steps);
  const { rows: found, count } = lookAtRows(rows, body, roots);
  const missing = omitted.filter((one) => feeding.has(stepOf(one)));
  const moved = missing.some(isMoved);
  const beyond = missing.find((one) => isBeyondMax(one, steps));
  const isCut = missing.some(
    (one) => (one.what === "rows" || one.what === "items") && !isMoved(one) && !isBeyondMax(one, steps),
  );
  const stopped = beyond && `Only ${beyond.kept} items of \`${beyond.path}\` were gone through.`;
  const unreachable = isCut || isOnePageOf(rows, steps, roots, count ?? found.length);
  const failed = missing.some(({ what }) => what === "step");
  return {
    read: {
      kind: "whole",
      rows: found,
      body,
      unreachable,
      ...(moved && { moved }),
      ...(stopped && { stopped }),
    } as const,
    ...(stopped && { withheld: withhold("PARTIAL_PAGES", `${stopped} Narrow the arguments to get the total.`) }),
    ...(failed && { withheld: withhold("PART_FAILED", "A step that gives rows failed: see `omitted`.") }),
  };
}

/** What `forEach` told of the items that it left. */
function isBeyondMax({ what, path, kept }: Omission, steps: readonly Step[]): boolean {
  const step = what === "items" ? steps.find(({ id }) => id === path) : undefined;
  return step?.kind === "call" && step.forEach !== undefined && /^\d+ of \d+$/.test(kept);
}

const FROM_ONE_BODY = /^\s*steps\.([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*\s*(?:$|\[\s*(?:\]|\*|\?))/;

/** Whether rows are read from the one body of a step, and it says itself that it does not hold all of them. */
function isOnePageOf({ jmespath }: Expression, steps: readonly Step[], { steps: results = {} }: Roots, count: number) {
  const step = steps.find(({ id }) => id === FROM_ONE_BODY.exec(jmespath)?.[1]);
  if (step?.kind !== "call" || step.all !== undefined || step.forEach !== undefined) return false;
  return hasFurtherRows(ownValue(results, step.id) ?? null, count, new Map());
}

/** Whether columns depend on what steps give. */
export function spreadsSteps(fields: readonly Field[]): boolean {
  return fields.some((field) => field.kind === "columns" && /\bsteps\b/.test(JSON.stringify(field.names)));
}
