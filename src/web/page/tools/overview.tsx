import { counted } from "../../../model/counted.ts";
import type { PageData } from "../../page-data.ts";
import { formatBytes } from "../parts/numbers.ts";
import { Words } from "../parts/words.tsx";

interface OverviewProps {
  readonly data: PageData;
  /** A tool that was asked for and is not there. */
  readonly missing: string | undefined;
  readonly removed: readonly string[];
}

/** What an agent is told before any tool, and what holds of all of them. */
export function Overview({ data, missing, removed }: OverviewProps) {
  const { server, cost, states } = data;
  return (
    <>
      {missing !== undefined && (
        <p class="notice" role="alert">
          {removed.includes(missing) ? "This tool is no more: " : "There is no such tool: "}
          <code>{missing}</code>
        </p>
      )}
      <h2>What an agent reads first</h2>
      {server.instructions === "" ? (
        <p>This server gives no instructions.</p>
      ) : (
        <>
          <p class="help">
            The instructions of the server: {counted(cost.instructions.tokens, "token")},{" "}
            {formatBytes(cost.instructions.bytes)}.
          </p>
          <Words text={server.instructions} class="agent-text" />
        </>
      )}
      {states.length > 0 && (
        <>
          <h3>States</h3>
          <p class="help">Some tools exist only while the API says so.</p>
          <dl class="states">
            {states.map(({ name, holds, tools }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>{" "}
                  {holds !== undefined && <span class="tag">{holds ? "holds now" : "does not hold"}</span>}
                </dt>
                <dd>
                  {tools.map((tool) => (
                    <code key={tool}>{tool} </code>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {removed.length > 0 && (
        <p>
          Removed since you opened this page: <code>{removed.join(", ")}</code>
        </p>
      )}
    </>
  );
}
