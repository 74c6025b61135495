/** Why a filter cannot be said in a dialect without changing what it means (contract section 3, `filter_not_expressible`). */
export class NotExpressible extends Error {
  readonly code = "NOT_EXPRESSIBLE";
  /** Where in the caller's arguments; `always.…` where the curation's own condition is at fault. */
  readonly path: string;
  /** Another value in its place could be said. */
  readonly isOfValue: boolean;
  constructor(path: string, reason: string, isOfValue = false) {
    super(reason);
    this.name = "NotExpressible";
    this.path = path;
    this.isOfValue = isOfValue;
  }
}
