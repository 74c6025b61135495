import { ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { PageCursor } from "../list/list-read.ts";

/** Looks at the pages of one walk in their order. Throws `upstream_bad_response` where they would never end. */
export type GuardRepeats = (
  cursor: PageCursor,
  body: { readonly value: Json; readonly print?: string },
  count: number | undefined,
  next: PageCursor | undefined,
) => void;

const MOST_EMPTY = 100;

/** Notices a next page that was asked for before, the same page under another number, and a hundred pages without a row. */
export function guardRepeats(): GuardRepeats {
  const asked = new Set<string>();
  let before: string | undefined;
  let empty = 0;
  return (cursor, body, count, next) => {
    asked.add(canonicalJson(cursor));
    if (next !== undefined && asked.has(canonicalJson(next)))
      throw endless("its next page is one that was read already");
    const text = count !== 0 && cursor.kind === "number" ? (body.print ?? JSON.stringify(body.value)) : undefined;
    if (text !== undefined && text === before) throw endless("it gives the same page for another page's number");
    before = text;
    empty = count === 0 ? empty + 1 : 0;
    if (empty === MOST_EMPTY)
      throw endless(`${MOST_EMPTY} pages in a row have no rows, and there is always a next one`);
  };
}

function endless(how: string): ToolError {
  return new ToolError("upstream_bad_response", {
    message: `The upstream's list never ends: ${how}.`,
    recover: "Arguments do not change this: tell the user that the API's pages cannot be followed.",
    retryable: false,
  });
}
