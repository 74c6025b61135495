// Calls a server in blocks of a fixed number of calls over HTTP, in the way of one era.
import { Pool } from "undici";
import { headersOf, messageOf } from "../calls/messages.mjs";

/** Two spans a call: they fill one batch of OpenTelemetry's, which goes out within the block. */
export const CALLS = 256;
const TOOL = "ledger_list_tenants";

function requestOf(era) {
  const params = { name: TOOL, arguments: {} };
  const headers = headersOf(era, "tools/call", params);
  return { method: "POST", headers, body: messageOf(era, 1, "tools/call", params) };
}

/**
 * `atOnce` calls are under way. `spent` tells the server's time on the processor so far, in milliseconds, and `settle` resolves when what the block caused
 * is done. Connections are opened before it begins, for each block anew. Gives the milliseconds of the processor a call.
 */
export async function callBlock(url, era, { atOnce, spent, settle }) {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: atOnce, pipelining: 1 });
  const request = { ...requestOf(era), path };
  let left = CALLS;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request(request);
      const text = await body.text();
      if (statusCode !== 200 || !text.includes("Tenant 11")) throw new Error(`The call failed: ${statusCode} ${text}`);
    }
  };
  const look = async () => (await pool.request({ method: "GET", path: "/healthz" })).body.dump();
  await Promise.all(Array.from({ length: atOnce }, look));
  const before = await spent();
  await Promise.all(Array.from({ length: atOnce }, work));
  await settle();
  const after = await spent();
  await pool.close();
  return (after - before) / CALLS;
}
