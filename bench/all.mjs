// Runs every benchmark and writes bench/RESULTS.md: node bench/all.mjs [ROUNDS]
// or only some, whose sections are replaced there: node bench/all.mjs [ROUNDS] PART…
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { bodies } from "./bodies.mjs";
import { calls } from "./calls.mjs";
import { coldStart } from "./cold-start.mjs";
import { diff } from "./diff.mjs";
import { draft } from "./draft.mjs";
import { events } from "./events.mjs";
import { firstCall } from "./first-call.mjs";
import { flows } from "./flows.mjs";
import { growth } from "./growth.mjs";
import { hidden } from "./hidden.mjs";
import { keys } from "./keys.mjs";
import { largeSpecs } from "./large-specs.mjs";
import { here } from "./measure.mjs";
import { peers } from "./peers.mjs";
import { reload } from "./reload.mjs";
import { soak } from "./soak.mjs";
import { tails } from "./tails.mjs";
import { totals } from "./totals.mjs";
import { traces } from "./traces.mjs";
import { workers } from "./workers.mjs";

const PARTS = {
  "cold-start": coldStart,
  "large-specs": largeSpecs,
  "first-call": firstCall,
  calls,
  bodies,
  totals,
  growth,
  peers,
  workers,
  flows,
  events,
  traces,
  tails,
  diff,
  draft,
  hidden,
  keys,
  reload,
};
/** Only where they are named: ROUNDS are the minutes. */
const LONG = { soak };

const given = process.argv.slice(2);
const rounds = Number(given.find((one) => /^\d+$/.test(one)) ?? 11);
const named = given.filter((one) => !/^\d+$/.test(one));
const all = { ...PARTS, ...LONG };
const unknown = named.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0) throw new Error(`There is no part ${unknown[0]}; there is ${Object.keys(all).join(", ")}.`);

const sections = [];
for (const [name, bench] of Object.entries(named.length === 0 ? PARTS : all))
  if (named.length === 0 || named.includes(name)) sections.push(await bench(rounds));
const measured = sections.join("\n\n");
writeFileSync(here("RESULTS.md"), named.length === 0 ? `${head()}\n${measured}\n` : replaceSections(measured));
console.log(named.length === 0 ? `${head()}\n${measured}` : measured);

function head() {
  const versionOf = (path) => JSON.parse(readFileSync(here(`../${path}/package.json`), "utf8")).version;
  const versions = [
    `vitrine ${versionOf(".")}`,
    `@modelcontextprotocol/server ${versionOf("node_modules/@modelcontextprotocol/server")}`,
    `Node ${process.versions.node}`,
    `${process.platform} ${process.arch}, ${availableParallelism()} cores`,
    new Date().toISOString().slice(0, 10),
  ];
  return `# Measured

Written by \`npm run bench\`: ${versions.join("; ")}.
Times run from the start of the process until tools/list is answered over stdio, memory is the most that was resident until then. Each number is the
median of ${rounds} runs, in which the servers of a table took turns; a ratio is the median of the ratios of the single rounds. Trust the ratios: times
are of the machine and of what else it does.
`;
}

/** The file as it is, with these sections in place of those of the same title, or behind all others. */
function replaceSections(text) {
  const titleOf = (section) => section.split("\n", 1)[0];
  const split = (whole) => whole.split(/^(?=## )/m).map((section) => section.trim());
  const [before, ...old] = split(readFileSync(here("RESULTS.md"), "utf8"));
  const fresh = new Map(split(text).map((section) => [titleOf(section), section]));
  const kept = old.map((section) => {
    const own = fresh.get(titleOf(section)) ?? section;
    fresh.delete(titleOf(section));
    return own;
  });
  return `${[before, ...kept, ...fresh.values()].join("\n\n")}\n`;
}
