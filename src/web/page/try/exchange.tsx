import type { TriedExchange, TriedUpstream } from "../../page-data.ts";
import { JsonText } from "../parts/json-text.tsx";
import { formatBytes, formatMs, formatTokens } from "../parts/numbers.ts";

interface ExchangeProps {
  readonly exchange: TriedExchange;
  readonly isOpen: boolean;
}

/** One request, and what the API answered. */
export function Exchange({ exchange, isOpen }: ExchangeProps) {
  const { request, answer, ms } = exchange;
  const headers = Object.entries(request.headers);
  return (
    <details class="exchange" open={isOpen}>
      <summary>
        <strong>{request.method}</strong> <code class="url">{request.url}</code>
        {answer !== undefined && <Outline answer={answer} ms={ms} />}
      </summary>
      <p class="help">
        <code>{request.operation}</code>
      </p>
      {headers.length > 0 && (
        <dl class="headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {request.body !== undefined && (
        <JsonText text={JSON.stringify(request.body, null, 2)} label="Body of the request" />
      )}
      {answer?.kind === "failed" && <p class="wrong">{answer.message}</p>}
      {answer?.kind === "answered" && <Body answer={answer} />}
    </details>
  );
}

function Body({ answer }: { readonly answer: Extract<TriedUpstream, { kind: "answered" }> }) {
  const { text, cutBytes, isWithheld } = answer;
  if (isWithheld) return <p class="help">This server does not show the API's own words here.</p>;
  return (
    <>
      <h4>Answer</h4>
      <JsonText text={text} label="Body of the answer" />
      {cutBytes > 0 && <p class="help">{formatBytes(cutBytes)} more are not shown here.</p>}
    </>
  );
}

function Outline({ answer, ms }: { readonly answer: TriedUpstream; readonly ms: number | undefined }) {
  const time = ms === undefined ? "" : `, ${formatMs(ms)}`;
  if (answer.kind === "failed") return <span class="tag error">no answer{time}</span>;
  const { status, cost } = answer;
  return (
    <span class={`tag ${status >= 400 ? "error" : ""}`}>
      {status}, {formatTokens(cost)}, {formatBytes(cost.bytes)}
      {time}
    </span>
  );
}
