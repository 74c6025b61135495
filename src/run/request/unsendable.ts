/** A value cannot be written where it should go without being changed. The message continues "… cannot be sent: ". */
export class Unsendable extends Error {
  readonly code = "UNSENDABLE";
}
