// Runs every benchmark and writes bench/RESULTS.md: node bench/all.mjs [ROUNDS]
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { coldStart } from "./cold-start.mjs";
import { firstCall } from "./first-call.mjs";
import { largeSpecs } from "./large-specs.mjs";
import { here } from "./measure.mjs";

const rounds = Number(process.argv[2] ?? 11);
const sections = [];
for (const bench of [coldStart, largeSpecs, firstCall]) sections.push(await bench(rounds));

const versionOf = (path) => JSON.parse(readFileSync(here(`../${path}/package.json`), "utf8")).version;
const versions = [
  `vitrine ${versionOf(".")}`,
  `@modelcontextprotocol/server ${versionOf("node_modules/@modelcontextprotocol/server")}`,
  `Node ${process.versions.node}`,
  `${process.platform} ${process.arch}, ${availableParallelism()} cores`,
  new Date().toISOString().slice(0, 10),
];
const text = `# Measured

Written by \`npm run bench\`: ${versions.join("; ")}.
Times run from the start of the process until tools/list is answered over stdio, memory is the most that was resident until then. Each number is the
median of ${rounds} runs, in which the servers of a table took turns; a ratio is the median of the ratios of the single rounds. Trust the ratios: times
are of the machine and of what else it does.

${sections.join("\n\n")}
`;
writeFileSync(here("RESULTS.md"), text);
console.log(text);
