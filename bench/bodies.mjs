// Big bodies: a list of 1 MB of which the caller gets 24 kB, and twenty rows of one of 50 MB. The options are those of calls.mjs, for the first.
import { METHOD } from "./calls/calls-table.mjs";
import { compareCalls, ITEMS } from "./calls/compare-calls.mjs";
import { firstRows } from "./calls/first-rows.mjs";
import { readOptions } from "./calls/read-options.mjs";
import { runAlone } from "./measure.mjs";

const ROUNDS = 2;
/** Rounds until the code is compiled: what compiles it is the larger part of the first some hundred calls of whoever is the faster. */
const WARM_UP = 12;
const SIZES = [
  { atOnce: 1, calls: 48 },
  { atOnce: 32, calls: 64 },
];
const WAYS = [
  { way: "http", era: "2025-11-25" },
  { way: "http", era: "2026-07-28" },
  { way: "stdio", era: "2025-11-25" },
];
const CALL = { tool: "items_list_many", input: {}, expect: "Item 11 of", curation: ITEMS };
const TARGET = `The bare server stands here twice: what differs from 1.00 between the two is chance. Target: at most 0.5 of the bare SDK's processor and at least 1.8 of its calls a second.`;
const TARGET_FIRST = `Target: at most 200 ms and 100 MB, of which a process that has called nothing yet has the most (MB before). A body is 50 MB; what the
upstream sent is more than what was read, by what the buffers of the system hold.`;

export async function bodies(rounds, options) {
  const groups = WAYS.flatMap((way) => SIZES.map((size) => ({ ...way, ...size })));
  const kinds = ["hand", "bare", "control", "vitrine"];
  const trimmed = await compareCalls(CALL, { groups, kinds, rounds: rounds * ROUNDS, warmUp: WARM_UP, options });
  const tools = ["items_list_huge", "items_sum_huge"];
  const first = await firstRows({ tools, kinds: ["bare", "bare-bundled", "vitrine"], rounds });
  return `## Bodies: 1 MB cut to 24 kB\n\n${METHOD} The other servers pass the body through.\n\n${trimmed}\n\n${TARGET}

## Bodies: twenty rows of 50 MB\n\nEach call is the first of a fresh process, over stdio. The bare server passes the whole body through.\n\n${first}\n\n${TARGET_FIRST}`;
}

await runAlone(import.meta.url, (rounds) => bodies(rounds, readOptions()));
