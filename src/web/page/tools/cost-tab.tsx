import type { PageData, PageTool } from "../../page-data.ts";
import { Bar } from "../parts/bar.tsx";
import { bytesOf, formatBytes, formatCount, formatShare } from "../parts/numbers.ts";

interface CostTabProps {
  readonly tool: PageTool;
  readonly data: PageData;
}

export function CostTab({ tool, data }: CostTabProps) {
  const { listed, cost } = tool;
  const parts = [
    ["Description", bytesOf(JSON.stringify(listed.description))],
    ["Inputs", bytesOf(JSON.stringify(listed.inputSchema))],
    ["Output", listed.outputSchema === undefined ? 0 : bytesOf(JSON.stringify(listed.outputSchema))],
  ] as const;
  const rest = cost.bytes - parts.reduce((sum, [, bytes]) => sum + bytes, 0);
  const { list, endpoints } = data.cost;
  return (
    <>
      <p class="big">
        <strong>{formatCount(cost.tokens)}</strong> tokens, {formatBytes(cost.bytes)}
      </p>
      <p>
        {formatShare(cost.tokens, list.tokens)} of the list of {formatCount(list.tokens)} tokens, which every
        conversation begins with.
      </p>
      <h3>Where the bytes are</h3>
      <table class="amounts">
        <tbody>
          {[...parts, ["Name, title, hints", Math.max(0, rest)] as const].map(([what, bytes]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{formatBytes(bytes)}</td>
              <td class="wide">
                <Bar part={bytes} whole={cost.bytes} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {endpoints !== undefined && endpoints.operations > 0 && (
        <p class="help">
          One tool for one endpoint, as a converter makes it from this spec, costs{" "}
          {formatCount(endpoints.tokens / endpoints.operations)} tokens on average, and there would be{" "}
          {formatCount(endpoints.operations)} of them.
        </p>
      )}
    </>
  );
}
