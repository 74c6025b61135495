import type { Caller, ToolReply } from "../../model/exchange.ts";
import type { Runner } from "../../run/run-tool.ts";

/** Calls a tool for someone who agrees beforehand to whatever it asks. `agreeing` is told where it asked: what comes then is what is done. */
export async function callAgreed(
  runner: Pick<Runner, "call">,
  name: string,
  args: unknown,
  caller: Caller,
  agreeing: () => void = () => {},
): Promise<ToolReply> {
  const reply = await runner.call(name, args, { ...caller, canAsk: true });
  if (reply.isError || reply.confirmation === undefined) return reply;
  agreeing();
  return runner.call(name, args, { ...caller, canAsk: true, confirmed: reply.confirmation.token });
}
