/** What the server would not answer, in its own words. */
export class AskFailed extends Error {
  /** 0 where nobody answered. */
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "AskFailed";
    this.status = status;
  }
}

export function describeFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
