import type { Call } from "../../model/call.ts";
import { ExpressionFailed, ToolError } from "../../model/errors.ts";
import type { Totals } from "../../model/shape.ts";
import { clipCharacters } from "../clip-characters.ts";
import { pagesOf } from "../pages/open-pages.ts";
import { hasFurtherRows } from "../shape/find-further.ts";
import { type PagesRead, readAggregate } from "./read-aggregate.ts";
import { readBodies } from "./read-bodies.ts";
import type { TotalOptions } from "./read-total.ts";
import { type TotalRead, withhold } from "./total-read.ts";

type Aggregate = Extract<Totals, { kind: "aggregate" }>;

const LONGEST_WORDS = 300;

/** Sends the aggregate, all its pages, and reads the total from it. */
export async function askAggregate(totals: Aggregate, options: TotalOptions): Promise<TotalRead> {
  return withholdFailure(options.asking, async () => {
    const plan = pagesOf(totals.call, options.asking.toolset.operations);
    const read =
      plan === undefined ? await askOnce(totals.call, options.send) : await readBodies(totals, plan, options);
    return read.bodies.length === 0
      ? withhold("PART_FAILED", "The request for the total was not answered with JSON.")
      : readAggregate(totals, read, options.roots);
  });
}

async function askOnce(call: Call, send: TotalOptions["send"]): Promise<PagesRead> {
  const { body, headers } = await send(call);
  if (body.kind !== "json") return { bodies: [], whole: false };
  // A count above what came says nothing here: it may be the total itself.
  const further = hasFurtherRows(body.value, Number.POSITIVE_INFINITY, headers);
  return { bodies: [body.value], whole: !further && body.cut === undefined };
}

/** Runs what a reply can do without. Throws only where the whole call is at its end: it was cancelled, or its deadline is over. */
export async function withholdFailure(
  { caller, deadlineAt }: Pick<TotalOptions["asking"], "caller" | "deadlineAt">,
  run: () => Promise<TotalRead>,
): Promise<TotalRead> {
  try {
    return await run();
  } catch (error) {
    const isOver = caller.signal.aborted || performance.now() >= deadlineAt;
    if (isOver || !isFailure(error) || error.code === "cancelled") throw error;
    const again = error instanceof ToolError && error.detail.retryable === true ? " Call again to get it." : "";
    const words = clipCharacters(error.message, LONGEST_WORDS);
    return withhold("PART_FAILED", `The request for the total failed (${error.code.toLowerCase()}): ${words}${again}`);
  }
}

function isFailure(error: unknown): error is ToolError | ExpressionFailed {
  return error instanceof ToolError || error instanceof ExpressionFailed;
}
