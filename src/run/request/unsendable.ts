/** A value cannot be written where it should go without being changed. The message continues "… cannot be sent: ". */
export class Unsendable extends Error {
  readonly code = "UNSENDABLE";
  /** Where in the value that is written, from the outside inwards; empty where that is the whole, or not known. */
  readonly at: readonly string[];

  constructor(message: string, at: readonly string[] = []) {
    super(message);
    this.at = at;
  }
}

/** Runs the writer of what stands at `key` of a value; what it cannot send is found there. */
export function writeInside<T>(key: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw error instanceof Unsendable ? new Unsendable(error.message, [key, ...error.at]) : error;
  }
}
