// Cold start: from spawn to the first tools/list answered over stdio.
import { bareServer, here, measureStarts, runAlone, startTable, vitrineServer } from "./measure.mjs";

const TARGET = "Target: cached at most 1.0 of the bare server.";

export async function coldStart(rounds) {
  const curation = here("../curation/ledger.yaml");
  const servers = [
    bareServer("bare SDK v2, one tool"),
    vitrineServer("vitrine, cached", "warm", curation),
    vitrineServer("vitrine, the curation edited", "edited", curation),
    vitrineServer("vitrine, nothing cached", "cold", curation),
  ];
  const runs = await measureStarts(servers, rounds);
  return `## Cold start: \`curation/ledger.yaml\`\n\n${startTable(servers, runs)}\n\n${TARGET}`;
}

await runAlone(import.meta.url, coldStart);
