import { ExpressionFailed, ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import type { Alias } from "../../model/tool.ts";
import { explainThrow } from "../errors/explain-throw.ts";
import { type Asking, openAsk } from "../exchange/ask-upstream.ts";
import { evaluateExpression } from "../expressions/evaluate.ts";
import { rememberAnswer } from "../filter/remember-answer.ts";
import { lookAtRows, type PageRows } from "../pages/look-at-rows.ts";
import { readAllPages } from "../pages/read-all.ts";
import { type Candidate, readCandidates } from "./read-candidates.ts";

export type LookUpAlias = Extract<Alias, { kind: "look-up" }>;

/** A name may be given to another thing at any time. */
const KEEP_MS = 60_000;
/** Whoever finds more by one name is to be told so, not to be shown all. */
const BOUND = { rows: 1_000, pages: 20 };
/** Apart from the lists of one access, so that neither crowds out the other. */
const namesOf = new WeakMap<object, object>();

/**
 * Every thing that an upstream finds by what an alias captured; the one thing that was found is remembered for a minute. `asking` reads `captures`
 * and `pins`. A tool that writes asks anew. Throws ToolError where the upstream cannot be asked, which says so.
 */
export async function lookUp(alias: LookUpAlias, text: string, asking: Asking): Promise<readonly Candidate[]> {
  const { call, ids } = alias;
  const access = namesOf.get(asking.access) ?? {};
  namesOf.set(asking.access, access);
  const read = async () => {
    const found = await readFound(alias, asking);
    if (found.length !== 1) throw new NotOne(found);
    return found;
  };
  try {
    if (!asking.tool.annotations.readOnlyHint) return await readFound(alias, asking);
    return await rememberAnswer(call, [ids, asking.roots.captures ?? []], asking, { keepMs: KEEP_MS, access }, read);
  } catch (error) {
    if (error instanceof NotOne) return error.found;
    return explainLookUp(error, text);
  }
}

/** What need not be remembered: the caller will ask otherwise, or make the thing first. */
class NotOne extends Error {
  readonly code = "NOT_ONE";
  readonly found: readonly Candidate[];
  constructor(found: readonly Candidate[]) {
    super("Not one thing was found.");
    this.found = found;
  }
}

async function readFound({ call, ids }: LookUpAlias, asking: Asking): Promise<readonly Candidate[]> {
  const { toolset, roots } = asking;
  const look = (body: Json): PageRows => {
    const found = evaluateExpression(ids, body, roots);
    if (Array.isArray(found)) return lookAtRows(ids, body, roots);
    return { rows: found === null ? [] : [found], count: undefined, counted: false };
  };
  const read = await readAllPages({ call, look, roots }, toolset.operations, openAsk(asking), BOUND);
  const candidates = readCandidates(read?.rows ?? []);
  if (candidates !== undefined) return candidates;
  throw new ExpressionFailed(`\`${ids.jmespath}\` gives something that is no identifier`);
}

/** Where the upstream has nothing of that name it says 404; what cannot even be sent names nothing either. */
function explainLookUp(error: unknown, text: string): readonly Candidate[] {
  const explained = explainThrow(error, "reply");
  const { code, detail } = explained;
  if (detail.upstream?.status === 404 || code === "invalid_arguments") return [];
  if (code === "internal" || code === "cancelled") throw error;
  const message = `What \`${text.slice(0, 64)}\` stands for was not found out. ${detail.message}`;
  throw new ToolError(code, { ...detail, message }, { cause: error });
}
