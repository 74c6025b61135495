import { counted } from "../../../model/counted.ts";
import type { TryAnswer } from "../../page-data.ts";
import { formatTokens } from "../parts/numbers.ts";

/** An answer in a breath, for who does not see it. */
export function sayAnswer({ kind, reply, exchanges, furtherExchanges, cost }: TryAnswer): string {
  const requests = counted(exchanges.length + furtherExchanges, "request");
  if (kind === "shown" && reply === undefined) return `Nothing was sent. It would begin with ${requests}.`;
  if (reply?.isError) return "The tool answered with an error.";
  const marks = reply?.marks.length ?? 0;
  const cut = marks === 0 ? "Nothing was cut." : `${counted(marks, "place")} tell what was cut.`;
  return `The reply has ${formatTokens(cost.reply)}, the API's answers ${formatTokens(cost.upstream)}, after ${requests}. ${cut}`;
}
