/** What a client did wrong and was answered so, where there was somebody to answer. It is told in words of ours. */
export class ClientRefused extends Error {
  readonly code = "client_refused";
  override readonly name = "ClientRefused";
}

/** Whether an error that was told of beside the calls is what a client did wrong, and no fault of ours. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ClientRefused;
}
