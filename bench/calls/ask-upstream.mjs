// What the servers that vitrine is measured against ask the upstream, in the fastest way there is.
import { Pool } from "undici";

const COST_QUERY = JSON.stringify({
  tenantID: "acme",
  range: { from: "2026-09-01T00:00:00Z", to: "2026-11-01T00:00:00Z" },
  groupBy: ["FOCUS/ServiceName"],
});
const COST_SUM = JSON.stringify({ ...JSON.parse(COST_QUERY), groupBy: undefined });

/** The requests behind each tool: the same that vitrine makes. */
const TOOLS = new Map([
  ["items_list_items", [{ path: "/items" }]],
  ["items_list_many", [{ path: "/many" }]],
  ["items_list_huge", [{ path: "/huge" }]],
  ["items_sum_huge", [{ path: "/huge" }, { path: "/total" }]],
  [
    "ledger_run_cost_query",
    [
      { path: "/v1/costs/query", body: COST_QUERY },
      { path: "/v1/costs/aggregate", body: COST_SUM },
    ],
  ],
]);

export const LIST = [...TOOLS.keys()].map((name) => ({ name, inputSchema: { type: "object" } }));

const pool = new Pool(process.env.UPSTREAM_URL);
const headers = { accept: "application/json", authorization: "Bearer unused" };
const sending = { ...headers, "content-type": "application/json" };

/** The bodies as text, one after another. */
export async function askUpstream(tool, signal) {
  const requests = TOOLS.get(tool).map((request) => ask(request, signal));
  return requests.length === 1 ? requests[0] : (await Promise.all(requests)).join("\n");
}

async function ask({ path, body: sent }, signal) {
  const kind = sent === undefined ? { method: "GET", headers } : { method: "POST", headers: sending, body: sent };
  const { statusCode, body } = await pool.request({ ...kind, path, signal });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`The upstream answered ${statusCode}.`);
  return text;
}
