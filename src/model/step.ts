import type { Call } from "./call.ts";
import type { ShapeLimits } from "./shape.ts";
import type { Expression } from "./value.ts";

/**
 * One step of a workflow tool. Later steps and the reply see what it gives as `steps.ID`: a value, a body (null where there is none), the rows
 * of all pages, or with `forEach` a list of `{item, reply}`, a failed optional one as `{item, error}`.
 */
export type Step = StepBase & (ValueStep | CallStep);

interface StepBase {
  readonly id: string;
  /** Positions of the steps that must have ended before it begins. */
  readonly needs: readonly number[];
  /** Over the roots. Where it does not hold the step is null, which is no omission. */
  readonly when?: Expression;
}

export interface ValueStep {
  readonly kind: "value";
  /** Over the roots. */
  readonly value: Expression;
}

export interface CallStep {
  readonly kind: "call";
  /** Its bindings read `input`, `pins`, `steps` and, with `forEach`, `item`. */
  readonly call: Call;
  /** It only reads: it may run beside others. One that does not runs alone, in its turn. */
  readonly safe: boolean;
  /** Over the roots: a list; what is beyond `max` is in `omitted`. */
  readonly forEach?: { readonly list: Expression; readonly max: number };
  /** The rows of all pages; `rows` reads the body, which is the list itself where absent. */
  readonly all?: { readonly rows?: Expression; readonly max: number };
  /** True: a failure is in `omitted`. A status: such an answer is null. False: a failure ends the tool. */
  readonly optional: boolean | number;
  /** Cuts a text body by lines. */
  readonly text?: ShapeLimits["text"];
}
