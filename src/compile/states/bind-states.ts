import { ROOTS } from "../../curation/expression.ts";
import type { Curation } from "../../curation/format.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Problem } from "../../model/problem.ts";
import type { State, Tool } from "../../model/tool.ts";
import { bindSideCall } from "../calls/bind-side-call.ts";
import { type CallDraft, openCalls } from "../calls/draft-call.ts";
import { declaredTool, withFewerWaysOut } from "../entities/bind-alias.ts";
import { typeRoots } from "../expressions/type-roots.ts";
import { hintFor, openReport, type Report } from "../open-report.ts";
import { readSuccessBody } from "../reply/response-schema.ts";
import { openChecker } from "../reply/shape-checker.ts";
import type { ToolContext } from "../tool-context.ts";

export interface BoundStates {
  /** Those that some tool needs. */
  readonly states: readonly State[];
  /** The operations of their calls are positions here until all tools are known. */
  readonly calls: readonly CallDraft[];
  readonly problems: readonly Problem[];
}

type StateEntry = NonNullable<Curation["content"]["states"]>[string];

/** How each state is asked for. One that the spec breaks is left out, and with it whatever needs it: it never holds. */
export function bindStates(tools: readonly Pick<Tool, "states">[], context: ToolContext): BoundStates {
  const report = openReport(context.curation);
  const { states = {} } = context.curation.content;
  checkNames(context.curation, report);
  const needed = new Set(tools.flatMap((tool) => tool.states ?? []));
  const calls: CallDraft[] = [];
  const bound = Object.entries(states).flatMap(([name, entry]) => {
    const own = openCalls();
    const state = bindState(name, entry, own, context, report);
    if (state === undefined || !needed.has(name)) return [];
    return [{ ...state, call: { ...state.call, operation: calls.push(own.drafts[state.call.operation]!) - 1 } }];
  });
  return { states: bound, calls, problems: report.problems };
}

function bindState(
  name: string,
  entry: StateEntry,
  calls: ReturnType<typeof openCalls>,
  context: ToolContext,
  report: Report,
): State | undefined {
  const at = ["states", name];
  const tool = declaredTool(entry, context);
  const side = { context, tool, at, inputs: [], calls, report: withFewerWaysOut(report), roots: ROOTS.state };
  const bound = bindSideCall(entry, at, side);
  if (bound === undefined) return undefined;
  const { call, target } = bound;
  const when = { jmespath: entry.when };
  const roots = typeRoots(
    [],
    context.pins.map((pin) => pin.name),
  );
  const body = readSuccessBody(target.operation).schema;
  openChecker(context.api, report, roots, false).typeOf(when, [...at, "when"], body, "the body");
  const [fault] = target.reader.faults;
  if (fault === undefined) return { name, call, when };
  const message = `\`${entry.operation}\` is broken in the spec at ${fault.pointer}: ${fault.fault}`;
  const hint = "The state never holds; the spec has to be mended.";
  report.add("error", "spec_fault", [...at, "operation"], message, hint);
  return undefined;
}

/** Tools name states that there are, and each state is named by some tool. */
function checkNames({ content, leftOut }: Curation, report: Report): void {
  const known = Object.keys(content.states ?? {});
  const named = new Set<string>();
  for (const [tool, { states = [] }] of Object.entries(content.tools))
    for (const [position, state] of states.entries()) {
      named.add(state);
      if (known.includes(state)) continue;
      const nearest = nearestNames(state, known);
      // The one that was meant is needed.
      for (const meant of nearest) named.add(meant);
      const hint = hintFor(nearest, known) ?? "Say under `states` how it is asked for.";
      report.add("error", "unknown_state", ["tools", tool, "states", position], `There is no state "${state}".`, hint);
    }
  // What was left out of a tool may have named it.
  if (leftOut.some(({ path }) => path[0] === "tools")) return;
  for (const state of known.filter((one) => !named.has(one))) {
    const hint = `Say \`states: [${state}]\` on the tools that need it, or take it out.`;
    report.add("warning", "unused_state", ["states", state], `No tool needs the state "${state}".`, hint);
  }
}
