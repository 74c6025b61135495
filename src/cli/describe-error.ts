// A defect of ours needs its place; what an upstream or a client did wrong needs only its words.
const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** An error for the operator's log: its message and those of its causes in one line, or the stack where it is a defect of ours. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return inOneLine(String(error));
  const isDefect = DEFECTS.some((kind) => error instanceof kind);
  const own = isDefect ? (error.stack ?? error.message) : inOneLine(error.message || error.name);
  return error.cause === undefined || error.cause === error ? own : `${own} (${describeError(error.cause)})`;
}

const MOST_CHARACTERS = 2_000;

// Words that others chose must not look like lines of the log, nor move the cursor of a terminal.
function inOneLine(text: string): string {
  return text
    .slice(0, MOST_CHARACTERS)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}
