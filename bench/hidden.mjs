// Whether the time of an answer tells a tool that a key hides from one that does not exist: both names, of the same length, are called in turns over
// stdio. Beside it the same name twice, for how far two equal things lie apart here.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { here, median, openServer, quantile, runAlone, table, vitrineServer } from "./measure.mjs";

const CALLS = 400;
const HIDDEN = "ledger_run_cost_query";
const UNKNOWN = "ledger_run_cast_quern";

const TARGET = "Target: between 0.95 and 1.05, as far as the same name called twice lies apart.";

export async function hidden(rounds) {
  const home = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const curation = join(home, "ledger.yaml");
  const written = readFileSync(here("../curation/ledger.yaml"), "utf8")
    .replace("../specs/", here("../specs/"))
    .replace(/^ {2}run_cost_query:$/m, "$&\n    tags: [internal]")
    .replaceAll(/^ {4}examples:\n(?: {6}.*\n)+/gm, "");
  writeFileSync(curation, written);
  writeFileSync(join(home, "key.yaml"), "claims: {tenantID: t-1}\ntags: {exclude: [internal]}\n");
  const { args } = vitrineServer("hidden", "warm", curation, "--as", join(home, "key.yaml"), "--root", "/");
  const server = openServer(args, { LEDGER_URL: "http://127.0.0.1:9", XDG_CACHE_HOME: home });
  await server.list();
  const pairs = [
    { name: "hidden and unknown", names: [HIDDEN, UNKNOWN] },
    { name: "unknown and unknown", names: [UNKNOWN, UNKNOWN] },
  ].map((pair) => ({ ...pair, runs: [] }));
  for (let round = 0; round <= rounds; round += 1)
    for (const { names, runs } of pairs) {
      const run = await callInTurns(server, names);
      if (round > 0) runs.push(run);
    }
  await server.end();
  rmSync(home, { recursive: true });
  return `## Hidden tools\n\n${timesTable(pairs)}\n\n${TARGET}`;
}

/** Milliseconds of each call, by name's place. The first of a pair changes, as what comes second may be faster. */
async function callInTurns(server, names) {
  const times = names.map(() => []);
  for (let call = 0; call < CALLS; call += 1)
    for (const at of call % 2 === 0 ? [0, 1] : [1, 0]) {
      const begin = performance.now();
      const { error } = await server.call(names[at], {});
      times[at].push(performance.now() - begin);
      if (error?.message !== `Unknown tool: ${names[at]}`) throw new Error(`Not unknown: ${JSON.stringify(error)}`);
    }
  return times.map((one) => ({ p50: median(one), p90: quantile(one, 0.9) }));
}

function timesTable(pairs) {
  const rows = pairs.map(({ name, runs }) => {
    const ms = (at, key) => median(runs.map((run) => run[at][key])).toFixed(3);
    const ratio = (key) => median(runs.map(([first, second]) => first[key] / second[key])).toFixed(3);
    return [name, ms(0, "p50"), ms(1, "p50"), ratio("p50"), ratio("p90")];
  });
  return table(["called", "first, p50 ms", "second, p50 ms", "ratio, p50", "ratio, p90"], rows);
}

await runAlone(import.meta.url, hidden);
