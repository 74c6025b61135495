// Large documents: from spawn to the first tools/list, with nothing cached, with the program's code alone and with the toolset, beside what parsing the
// document alone costs.
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { bareServer, here, measureStarts, runAlone, startTable, vitrineServer } from "./measure.mjs";

const SPECS = [
  {
    title: "GitHub: 13 MB of JSON, 20 tools",
    spec: "shared/specs/github-3.0/api.github.com.json",
    curation: "github.yaml",
    target: "Target: of row 1 at most 0.75 cached and 1.6 with nothing cached; in memory, cached, at most 1.1.",
  },
  {
    title: "Microsoft Graph: 20 MB of JSON, 11,422 operations, 5 tools",
    spec: "shared/specs/msgraph-v1/graph.json",
    curation: "msgraph.yaml",
    target: "Target: not cached under 3,000 ms and 400 MB.",
  },
  {
    title: "DigitalOcean: many small files, 5 tools",
    spec: "shared/specs/digitalocean-multi/specification/DigitalOcean-public.v2.yaml",
    curation: "digitalocean.yaml",
    target: "Target: only the files that the tools need are read.",
  },
];

/** `name`: of one document alone, the beginning of its curation's. */
export async function largeSpecs(rounds, name = "") {
  const sections = [];
  for (const spec of SPECS.filter(({ curation }) => curation.startsWith(name)))
    sections.push(`## ${spec.title}\n\n${await measure(spec, rounds)}`);
  return sections.join("\n\n");
}

async function measure({ spec, curation, target }, rounds) {
  const file = here(`../../${spec}`);
  if (!existsSync(file)) return skip(spec);
  const isJson = file.endsWith(".json");
  const args = [here(curation), "--root", here("../..")];
  const servers = [
    bareServer("bare SDK v2, one tool"),
    ...(isJson ? [bareServer("bare SDK v2 + `JSON.parse` of the file", file)] : []),
    vitrineServer("vitrine, nothing cached", "cold", ...args),
    vitrineServer("vitrine, the curation edited", "edited", ...args),
    vitrineServer("vitrine, cached", "warm", ...args),
  ];
  const runs = await measureStarts(servers, rounds);
  const read = isJson ? "" : ` ${countRead(file, runs.at(-1)[0].files)}`;
  return `${startTable(servers, runs)}\n\n${target}${read}`;
}

/** Of the files that a toolset was made from one is the curation. */
function countRead(file, files) {
  const all = readdirSync(dirname(file), { recursive: true, withFileTypes: true });
  return `Read: ${files - 1} of ${all.filter((entry) => entry.isFile()).length}.`;
}

function skip(spec) {
  console.error(`SKIPPED: ../${spec} is not here.`);
  return "Skipped: the document was not there.";
}

await runAlone(import.meta.url, largeSpecs);
