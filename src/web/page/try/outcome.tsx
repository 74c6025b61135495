import { counted } from "../../../model/counted.ts";
import type { Runs, TryAnswer } from "../../page-data.ts";
import { Bar } from "../parts/bar.tsx";
import { formatBytes, formatMs, formatShare, formatTokens } from "../parts/numbers.ts";
import { Exchange } from "./exchange.tsx";
import { Reply } from "./reply.tsx";
import type { Trial } from "./trials.ts";

interface OutcomeProps {
  readonly outcome: Trial["outcome"];
  readonly runs: Runs;
}

/** What came of a trial. */
export function Outcome({ outcome, runs }: OutcomeProps) {
  switch (outcome.kind) {
    case "none":
      return null;
    case "running":
      return <p class="notice">{runs === "tries" ? "It runs." : "Its requests are being made."}</p>;
    case "failed":
      return <p class="notice broken">{outcome.message}</p>;
    case "answered":
      return <Answer answer={outcome.answer} />;
  }
}

function Answer({ answer }: { readonly answer: TryAnswer }) {
  const { kind, reply, exchanges, furtherExchanges, notes } = answer;
  const isShown = kind === "shown" && reply === undefined;
  return (
    <section class="outcome" aria-label="What came of it">
      {!isShown && <Amounts answer={answer} />}
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div class={reply === undefined ? "" : "beside"}>
        {reply !== undefined && <Reply reply={reply} cost={answer.cost.reply} />}
        {(exchanges.length > 0 || kind === "ran") && (
          <section aria-label={isShown ? "Requests" : "What went to the API"}>
            <h3>{isShown ? counted(exchanges.length, "request") : "The API's own answer"}</h3>
            {exchanges.length === 0 && <p class="help">Nothing was asked of it.</p>}
            {exchanges.map((exchange, at) => (
              <Exchange key={`${at}`} exchange={exchange} isOpen={at === 0} />
            ))}
            {furtherExchanges > 0 && <p class="help">And {counted(furtherExchanges, "further request")}.</p>}
          </section>
        )}
      </div>
    </section>
  );
}

/** Both sides as a picture. */
function Amounts({ answer: { cost, exchanges, furtherExchanges, ms } }: { readonly answer: TryAnswer }) {
  const { reply, upstream } = cost;
  const most = Math.max(reply.bytes, upstream.bytes);
  const rows = [
    ["The reply", reply, "ours"],
    ["The API's answer", upstream, "theirs"],
  ] as const;
  return (
    <>
      <table class="amounts">
        <caption class="unseen">Bytes and tokens of both</caption>
        <tbody>
          {rows.map(([what, cost, look]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{formatTokens(cost)}</td>
              <td>{formatBytes(cost.bytes)}</td>
              <td class="wide">
                <Bar part={cost.bytes} whole={most} class={look} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="help">
        {upstream.tokens > reply.tokens &&
          `The agent reads ${formatShare(reply.tokens, upstream.tokens)} of what the API sent. `}
        {counted(exchanges.length + furtherExchanges, "request")} in {formatMs(ms)}.
      </p>
    </>
  );
}
