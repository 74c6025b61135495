// The API that the servers call, in a process of its own: lists of items of 1 kB, 1 MB and 50 MB, and a cost query of the ledger. It tells its parent where
// it listens, and whenever that asks, how many bytes it has sent of the longest list since it was asked before.
import { createServer } from "node:http";

const PIECE = 65_536;

const FIELD = {
  schemaFieldName: "FOCUS/ServiceName",
  displayName: "Service",
  dataType: "string",
  description: "A service.",
};
const DIMENSION = {
  ...FIELD,
  provider: "FOCUS",
  category: "Service",
  sampleValues: [],
  nullable: false,
  groupable: true,
};
const COSTS = Array.from({ length: 60 }, (_, at) => ({
  "FOCUS/ServiceName": `Service ${at}`,
  cost: ((at * 37) % 60) * 12.345,
  currency: "USD",
}));
const SUM = COSTS.reduce((sum, { cost }) => sum + cost, 0);
const OF_TENANT = { tenantID: "acme", metric: "BilledCost" };

const BODIES = new Map([
  ["/items", itemsOf(12)],
  ["/many", itemsOf(11_800)],
  ["/total", written({ amount: 123_456_789, currency: "USD" })],
  ["/v1/dimensions", written({ tenantID: "acme", dimensions: [DIMENSION] })],
  ["/v1/costs/query", written({ ...OF_TENANT, rows: COSTS })],
  [
    "/v1/costs/aggregate",
    written({ ...OF_TENANT, totals: [{ currency: "USD", cost: SUM, rowCount: 999 }], rowCount: 999 }),
  ],
]);

let huge;
let sent = 0;

const server = createServer(async (request, response) => {
  const path = (request.url ?? "").split("?", 1)[0];
  request.resume();
  if (path === "/huge") return sendInPieces(response);
  const body = BODIES.get(path.startsWith("/items/") ? "/items" : path);
  if (body === undefined) return response.writeHead(404).end();
  response.writeHead(200, headersOf(body)).end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send(`http://127.0.0.1:${server.address().port}`));
process.on("message", () => {
  huge ??= itemsOf(500_000);
  process.send(sent);
  sent = 0;
});
process.on("disconnect", () => process.exit());

/** As fast as they are taken: what is counted has left this process, up to a piece. */
async function sendInPieces(response) {
  huge ??= itemsOf(500_000);
  response.writeHead(200, headersOf(huge));
  let go = () => {};
  response.on("drain", () => go()).on("close", () => go());
  for (let at = 0; at < huge.length && !response.destroyed; at += PIECE) {
    const piece = huge.subarray(at, at + PIECE);
    sent += piece.length;
    const drained = new Promise((resolve) => {
      go = resolve;
    });
    if (!response.write(piece)) await drained;
  }
  response.end();
}

function headersOf(body) {
  return { "content-type": "application/json", "content-length": body.length };
}

function itemsOf(count) {
  const items = Array.from({ length: count }, (_, at) => ({
    id: `i-${at}`,
    name: `Item ${at} of the list`,
    currency: "USD",
    active: at % 3 !== 0,
    amount: at * 12.5,
  }));
  return written({ items });
}

function written(body) {
  return Buffer.from(JSON.stringify(body));
}
