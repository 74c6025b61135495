// A defect of ours needs its place; what an upstream or a client did wrong needs only its words.
const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** An error for the operator's log: its message and those of its causes, or the stack where it is a defect of ours. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isDefect = DEFECTS.some((kind) => error instanceof kind);
  const own = isDefect ? (error.stack ?? error.message) : error.message || error.name;
  return error.cause === undefined || error.cause === error ? own : `${own} (${describeError(error.cause)})`;
}
