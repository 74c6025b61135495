import type { PageClient, PageData } from "../../page-data.ts";
import { Bar } from "../parts/bar.tsx";
import { Head } from "../parts/head.tsx";
import { formatBytes, formatCount, formatShare } from "../parts/numbers.ts";
import { writeRoute } from "../route.ts";
import { ClientFindings } from "../tools/clients-tab.tsx";
import { Squares } from "./squares.tsx";

/** What the list of tools costs: as a picture beside one tool for each endpoint, tool by tool, client by client. */
export function CostView({ data }: { readonly data: PageData }) {
  return (
    <>
      <h2>What the tool list costs</h2>
      <Squares cost={data.cost} tools={data.tools.length} isPending={data.pending.includes("endpoints")} />
      <h3>Tool by tool</h3>
      <ToolCosts data={data} />
      <h3>Client by client</h3>
      <Clients clients={data.clients} />
    </>
  );
}

function ToolCosts({ data: { tools, cost } }: { readonly data: PageData }) {
  const sorted = tools.toSorted((a, b) => b.cost.tokens - a.cost.tokens);
  const most = Math.max(cost.instructions.tokens, sorted[0]?.cost.tokens ?? 0);
  return (
    <table class="amounts">
      <Head columns={["Tool", "Tokens", "Bytes", "Of the list"]}>
        <td class="wide" />
      </Head>
      <tbody>
        {sorted.map(({ listed, cost: { tokens, bytes } }) => (
          <tr key={listed.name}>
            <th scope="row">
              <a href={writeRoute({ tool: listed.name, tab: "cost" })}>{listed.name}</a>
            </th>
            <td>{formatCount(tokens)}</td>
            <td>{formatBytes(bytes)}</td>
            <td>{formatShare(tokens, cost.list.tokens)}</td>
            <td class="wide">
              <Bar part={tokens} whole={most} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">The whole list</th>
          <td>{formatCount(cost.list.tokens)}</td>
          <td>{formatBytes(cost.list.bytes)}</td>
          <td colSpan={2} />
        </tr>
        <tr>
          <th scope="row">Instructions</th>
          <td>{formatCount(cost.instructions.tokens)}</td>
          <td>{formatBytes(cost.instructions.bytes)}</td>
          <td colSpan={2}>beside the list</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Clients({ clients }: { readonly clients: readonly PageClient[] }) {
  return (
    <table class="clients">
      <Head columns={["Client", "Longest name", "Room", "What it refuses, or takes at a loss"]} />
      <tbody>
        {clients.map(({ name, longestName, room, findings }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-label="Longest name">{longestName}</td>
            <td data-label="Room">{room}</td>
            <td data-label="Findings">
              <ClientFindings findings={findings} withTools />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
