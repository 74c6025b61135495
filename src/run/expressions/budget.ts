import { ExpressionFailed } from "../../model/errors.ts";

/** What one evaluation may still spend; counts down. A step is a node visited or an element touched. */
export interface Budget {
  steps: number;
  depth: number;
}

/** About half a second of work, and rows and columns of the largest body that is read by default many times over. */
const MOST_STEPS = 8_000_000;
const MOST_DEPTH = 400;
const MOST_OUTPUT_VALUES = 2_000_000;
const MOST_OUTPUT_CHARACTERS = 50_000_000;
/** Of one text that a function makes. */
const MOST_TEXT = 10_000_000;
const CHARACTERS_A_STEP = 32;

export function createBudget(): Budget {
  return { steps: MOST_STEPS, depth: MOST_DEPTH };
}

/** Throws `ExpressionFailed` once there is nothing left. */
export function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw new ExpressionFailed("The expression takes too many steps.");
}

/** For work on a text of so many characters. Throws `ExpressionFailed` where the text is too long or nothing is left. */
export function spendText(budget: Budget, characters: number): void {
  if (characters > MOST_TEXT) throw new ExpressionFailed("The expression makes too long a text.");
  spend(budget, 1 + characters / CHARACTERS_A_STEP);
}

/** Throws `ExpressionFailed` for a value that is too large when written out: a list may hold itself many times over and cost nothing until then. */
export function boundOutput(value: unknown): void {
  const left = { values: MOST_OUTPUT_VALUES, characters: MOST_OUTPUT_CHARACTERS };
  count(value, left, MOST_DEPTH);
}

function count(value: unknown, left: { values: number; characters: number }, depth: number): void {
  left.values -= 1;
  if (typeof value === "string") left.characters -= value.length;
  if (left.values < 0 || left.characters < 0) throw new ExpressionFailed("The expression makes too large a value.");
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) throw new ExpressionFailed("The expression makes too deep a value.");
  for (const inside of Array.isArray(value) ? value : Object.values(value)) count(inside, left, depth - 1);
}
