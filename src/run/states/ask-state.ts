import type { Identity } from "../../model/exchange.ts";
import type { State, Tool, Toolset } from "../../model/tool.ts";
import { type Asking, openAsk } from "../exchange/ask-upstream.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { isTrue } from "../is-true.ts";
import type { Access } from "../open-access.ts";

/** What a state is asked with. */
export interface AskingState extends Pick<Asking, "slots" | "outside"> {
  readonly toolset: Toolset;
  readonly who: Identity;
  readonly openAccess: () => Access;
}

/** Nobody waits longer than this to see the tools. */
const PATIENCE_MS = 5_000;

/**
 * Whether a state holds, by what the upstream says now. Where it does not say, it does not hold: the operator is told. It is asked for all who want
 * to know, so none of them can end it.
 */
export async function askState(
  { name, call, when }: State,
  { who, openAccess, ...asking }: AskingState,
): Promise<boolean> {
  let access: Access | undefined;
  try {
    access = openAccess();
    const roots: Roots = { input: {}, pins: access.pins };
    const answer = await openAsk({
      ...asking,
      access,
      roots,
      wire: roots,
      tool: { ...PROBE, name: `states.${name}` },
      caller: { ...who, signal: new AbortController().signal },
      deadlineAt: performance.now() + PATIENCE_MS,
      reach: () => {},
    })(call);
    const { body } = answer;
    const current = body.kind === "json" ? body.value : body.kind === "text" ? body.text : null;
    return isTrue(evaluateExpression(when, current, roots));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    asking.outside.report(
      new Error(`Whether the state \`${name}\` holds is not known, so its tools are not shown. ${why}`, {
        cause: error,
      }),
      access?.hider.text,
    );
    return false;
  }
}

/** What a request says of the tool that sends it. */
const PROBE: Omit<Tool, "name"> = {
  title: "",
  description: "",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  inputSchema: { type: "object" },
  inputs: [],
  plan: { kind: "access" },
  shape: { kind: "object", budget: 0 },
  errors: [],
  deadlineMs: PATIENCE_MS,
  tags: [],
};
