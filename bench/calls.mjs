// tools/call of a list of 1 kB, against servers that do the same upstream request: one written by hand, and the bare SDK v2, which pass the text through.
// node bench/calls.mjs [ROUNDS] [options] prints the table and leaves RESULTS.md as it is:
//   --only TEXT        only groups of rows whose name has TEXT in it, such as stdio, or "http 2026-07-28 32"; several with a comma between
//   --against DIR      measure another build of vitrine as well, whose vitrine.js is in DIR (made by: node build.mjs DIR, in any tree)
//   --profile KIND     call only the servers whose kind begins with KIND (hand, bare, vitrine); a ratio is then to the first of them
//   --into DIR         write where the processor's time went to this folder, one .cpuprofile a process, for Chrome's developer tools
import { METHOD } from "./calls/calls-table.mjs";
import { compareCalls, ITEMS } from "./calls/compare-calls.mjs";
import { ERAS } from "./calls/messages.mjs";
import { readOptions } from "./calls/read-options.mjs";
import { WAYS } from "./calls/servers.mjs";
import { runAlone } from "./measure.mjs";

/** Of each round of a bench so many are made here, as a block is short. */
const ROUNDS = 6;
/** Rounds until all code is compiled. */
const WARM_UP = 20;
const SIZES = [
  { atOnce: 1, calls: 96 },
  { atOnce: 32, calls: 256 },
];
const CALL = { tool: "items_list_items", input: {}, expect: "Item 11 of", curation: ITEMS };
const TARGET = `Target: over HTTP, 32 at once, at most 1.0 of the bare SDK's processor, better 0.7; over stdio at most 1.1. The bundled one shows that bundling is no merit.`;

export async function calls(rounds, options) {
  const groups = WAYS.flatMap((way) => ERAS.flatMap((era) => SIZES.map((size) => ({ way, era, ...size }))));
  const kinds = ["hand", "bare", "bare-bundled", "vitrine"];
  const table = await compareCalls(CALL, { groups, kinds, rounds: rounds * ROUNDS, warmUp: WARM_UP, options });
  return `## Calls: 1 kB\n\n${METHOD}\n\n${table}\n\n${TARGET}`;
}

await runAlone(import.meta.url, (rounds) => calls(rounds, readOptions()));
