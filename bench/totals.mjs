// The ledger's cost query with its total: two requests, 60 groups ordered, 20 shown, each with its share. The options are those of calls.mjs.
import { METHOD } from "./calls/calls-table.mjs";
import { compareCalls } from "./calls/compare-calls.mjs";
import { ERAS } from "./calls/messages.mjs";
import { readOptions } from "./calls/read-options.mjs";
import { here, runAlone } from "./measure.mjs";

const ROUNDS = 4;
const WARM_UP = 20;
const SIZES = [
  { atOnce: 1, calls: 48 },
  { atOnce: 32, calls: 128 },
];
const WAYS = [...ERAS.map((era) => ({ way: "http", era })), { way: "stdio", era: "2025-11-25" }];
const CALL = {
  tool: "ledger_run_cost_query",
  input: { tenantID: "acme", start: "2026-09-01", end: "2026-11-01", dimensions: ["FOCUS/ServiceName"] },
  // The greatest of all.
  expect: "Service 47",
  curation: { file: here("../curation/ledger.yaml"), root: here("..") },
};

export async function totals(rounds, options) {
  const groups = WAYS.flatMap((way) => SIZES.map((size) => ({ ...way, ...size })));
  const kinds = ["hand", "bare", "vitrine"];
  const table = await compareCalls(CALL, { groups, kinds, rounds: rounds * ROUNDS, warmUp: WARM_UP, options });
  return `## Calls: the ledger's query with its total\n\n${METHOD} The other servers make the same two requests, and pass both bodies through.\n\n${table}`;
}

await runAlone(import.meta.url, (rounds) => totals(rounds, readOptions()));
