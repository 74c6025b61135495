import type { Roots } from "../../curation/expression.ts";
import type { ToolEntry } from "../../curation/format.ts";
import type { Binding, Call, FilledPlace } from "../../model/call.ts";
import { placeText } from "../../model/place.ts";
import type { Input } from "../../model/tool.ts";
import { pinsOfAlways } from "../filter/read-always.ts";
import { checkArguments } from "../inputs/check-arguments.ts";
import { fillRequired } from "../inputs/fill-required.ts";
import { bindSent, readArgs, reportTwice } from "../inputs/read-args.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { bindPins } from "../pins/bind-pins.ts";
import type { Target } from "../places/request-places.ts";
import { selectOperation } from "../places/select-operation.ts";
import type { ToolContext } from "../tool-context.ts";
import { fillServer } from "../upstream/fill-server.ts";
import type { CallList } from "./draft-call.ts";
import { openTarget } from "./open-target.ts";

/** What every further request of one tool is compiled with. */
export interface SideContext {
  readonly context: ToolContext;
  readonly tool: ToolEntry;
  /** Of the tool. */
  readonly at: EntryPath;
  readonly inputs: readonly Input[];
  readonly calls: CallList;
  readonly report: Report;
  /** What its arguments may read; those of the tool's own call where absent. */
  readonly roots?: Roots;
}

export interface SideEntry {
  readonly operation: string;
  readonly args?: ToolEntry["args"];
}

/** What running adds to a call: the places, and what the call says of them. */
export interface Running {
  readonly places: readonly FilledPlace[];
  readonly call: Pick<Call, "filter" | "pages">;
}

/**
 * A request of a tool beside its own: of another operation, which must only read, with `args` and the pins. `run` says what is filled while
 * running, once the operation is known. Undefined, and a finding, where there is no such operation.
 */
export function bindSideCall(
  entry: SideEntry,
  at: EntryPath,
  side: SideContext,
  run: (target: Target) => Running = () => ({ places: [], call: {} }),
): { readonly call: Call; readonly target: Target } | undefined {
  const { context, tool, report, inputs, calls } = side;
  const operation = selectOperation(entry.operation, [...at, "operation"], context.api, report);
  if (operation === undefined) return undefined;
  if (!SAFE.has(operation.method.toUpperCase()) && tool.effect !== "read")
    refuseUnsafe(operation.id ?? operation.key, operation.method, at, report);
  const target = openTarget(
    tool.unchecked === undefined ? {} : { unchecked: tool.unchecked },
    at,
    operation,
    context,
    report,
  );
  const { places, call } = run(target);
  const sent = readArgs(entry.args, [...at, "args"], target, context.pins, report, side.roots);
  reportTwice(sent, report);
  checkArguments(sent, inputs, context.pins, target, report);
  const pinned = bindPins(context.pins, tool, at, target, pinsOfAlways(call.filter && tool.filter), report);
  const filled = fillRequired({ sent, pinned, running: places }, tool, at, target, report);
  const bindings = [
    ...sent.map((one) => bindSent(one, target, one.site.required.every(Boolean))),
    ...filled,
    ...pinned,
  ];
  const server = fillServer(operation, context.curation.content.api.serverVariables);
  return { call: calls.add({ bindings, ...call }, target, { server, safe: true }), target };
}

/** RFC 9110 9.2.1; `effect: read` on a tool is a word about everything that it sends. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]);

function refuseUnsafe(operation: string, method: string, at: EntryPath, report: Report): void {
  const message = `\`${operation}\` sends ${method}, and what a tool asks beside its own request may only read.`;
  report.add(
    "error",
    "unsafe_source",
    [...at, "operation"],
    message,
    "Name an operation that reads (GET), or set `effect: read` on the tool where this one only reads.",
  );
}

/** The tool's own bindings with others laid over them: what goes to the same place, or into it, is replaced. */
export function layOver(own: readonly Binding[], over: readonly Binding[]): Binding[] {
  const replaced = over.map(({ place }) => placeText(place));
  const isReplaced = ({ place, pinned }: Binding) => {
    const text = placeText(place);
    return !pinned && replaced.some((one) => text === one || text.startsWith(`${one}/`));
  };
  const kept = own.filter((one) => !isReplaced(one));
  return [...kept.filter(({ pinned }) => !pinned), ...over, ...kept.filter(({ pinned }) => pinned)];
}
