import { ToolError } from "../../model/errors.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import type { ValueSource } from "../../model/tool.ts";
import type { Expression } from "../../model/value.ts";
import { explainThrow } from "../errors/explain-throw.ts";
import { type Asking, openAsk } from "../exchange/ask-upstream.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { lookAtRows } from "../pages/look-at-rows.ts";
import { pagesOf } from "../pages/open-pages.ts";
import { readAllPages } from "../pages/read-all.ts";
import { rememberAnswer } from "./remember-answer.ts";

/** One of the values that there are, as text; `type` is the upstream's word for its type, where the source reads one. */
export interface ListedValue {
  readonly text: string;
  readonly type?: string;
}

export interface SourceList {
  readonly values: readonly ListedValue[];
  /** False: there are more than were read. */
  readonly complete: boolean;
  /** False: the upstream answered nothing at all, so that nothing is known of its values. */
  readonly answered: boolean;
}

type Source = ValueSource & { readonly type?: Expression };

/**
 * What the upstream lists: every page, from memory where it was read by the same credential and pins within five minutes. `what` names in words of
 * the tool what it is the list of. Throws ToolError where it cannot be read, which says so.
 */
export async function readSource(source: Source, what: string, asking: Asking): Promise<SourceList> {
  const { call, rows, field, type } = source;
  try {
    return await rememberAnswer(call, [rows, field, type], asking, {}, () => readWhole(source, asking));
  } catch (error) {
    throw explainReading(error, what);
  }
}

/** Beyond these nobody would read the list to choose from it. */
const BOUND = { rows: 10_000, pages: 100 };

async function readWhole({ call, rows, field, type }: Source, asking: Asking): Promise<SourceList> {
  const { tool, toolset, roots } = asking;
  // How a tool explains its own failures says nothing of another operation's.
  const ask = openAsk({ ...asking, tool: { ...tool, errors: [] }, reach: () => {} });
  const look = (body: Json) => lookAtRows(rows, body, roots);
  const { operations } = toolset;
  // What came in one answer is all there.
  const bound = pagesOf(call, operations) === undefined ? {} : BOUND;
  const read = await readAllPages({ call, look, roots }, operations, ask, bound);
  if (read === undefined) return { values: [], complete: false, answered: false };
  const values = read.rows.flatMap((row) => readRow(row, field, type, roots));
  return { values, complete: !read.left && !read.unreachable && read.cut === undefined, answered: true };
}

function readRow(row: Json, field: Expression, type: Expression | undefined, roots: Roots): ListedValue[] {
  const text = textOf(evaluateExpression(field, row, roots));
  const word = type === undefined ? undefined : textOf(evaluateExpression(type, row, roots));
  if (text === undefined || text === "") return [];
  return [{ text, ...(word !== undefined && { type: word }) }];
}

function textOf(value: Json): string | undefined {
  return value === null || isJsonObject(value) || Array.isArray(value) ? undefined : String(value);
}

/** The error of a list that was not read, told apart from one of the tool's own request. */
function explainReading(error: unknown, what: string): unknown {
  const explained = explainThrow(error, "reply");
  if (explained.code === "internal" || explained.code === "cancelled" || explained.code === "invalid_arguments")
    return error;
  const { detail, code } = explained;
  const message = `The upstream's list of what ${what} can hold was not read. ${detail.message}`;
  return new ToolError(code, { ...detail, message }, { cause: error });
}
