// Whether the time of a refusal tells one wrong key from another: the door is asked about keys of each kind in turns, in one process, with nothing of a
// network between, by the processor's time. Beside them the same kind twice, for how far two equal things lie apart here.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { here, median, quantile, runAlone, table } from "./measure.mjs";

const KEYS = 500;
/** Short ones, in turns: whatever else the machine does falls upon all kinds alike. */
const BLOCK = 400;
const BLOCKS_A_ROUND = 40;
const NOW = new Date("2026-11-30T12:00:00Z");
const TARGET = "Target for guesses: between 0.98 and 1.02, as far as equal ones lie apart.";

export async function keys(rounds) {
  const { openDoor, makeKey } = await load();
  const made = Array.from({ length: KEYS }, makeKey);
  const entry = ({ id, sha256 }, at) => ({
    id,
    sha256,
    server: at % 2 === 0 ? "one" : "two",
    claims: {},
    credentials: [],
    writes: false,
    tags: {},
    ...(at % 4 === 0 && { expires: new Date(0) }),
  });
  const file = {
    publicUrl: "https://tools.example.com",
    servers: new Map([
      ["one", {}],
      ["two", {}],
    ]),
    keys: new Map(made.map((one, at) => [one.id, entry(one, at)])),
  };
  const door = openDoor({ file: () => file, lacking: () => undefined });
  const kinds = kindsOf(made, makeKey).map((kind) => ({ ...kind, times: [] }));
  for (let round = 0; round <= rounds; round += 1)
    for (let block = 0; block < BLOCKS_A_ROUND; block += 1)
      for (let turn = 0; turn < kinds.length; turn += 1) {
        // Each is first as often as any other.
        const kind = kinds[(turn + block) % kinds.length];
        const microseconds = await refuse(door, kind.shown);
        if (round > 0) kind.times.push(microseconds);
      }
  await door.close();
  return `## Wrong keys\n\n${timesTable(kinds)}\n\n${TARGET} Who shows one of the last three holds a key that is, or was, somebody's.`;
}

/** Authorization headers of one length each. */
function kindsOf(made, makeKey) {
  const bearers = (of) => Array.from({ length: BLOCK }, (_, at) => `Bearer ${of(at)}`);
  const last = (key) => key.slice(0, -1) + (key.endsWith("A") ? "B" : "A");
  const ofPlace = (place) => bearers((at) => made[(at * 4 + place) % KEYS].key);
  return [
    { name: "a guess", shown: bearers(() => makeKey().key) },
    { name: "a guess, once more", shown: bearers(() => makeKey().key) },
    {
      name: "a guess with the public part of a key",
      shown: bearers((at) => made[at % KEYS].key.slice(0, 15) + makeKey().key.slice(15)),
    },
    { name: "a key with another last character", shown: bearers((at) => last(made[at % KEYS].key)) },
    { name: "a key of another server", shown: ofPlace(1) },
    { name: "a key that has expired", shown: ofPlace(0) },
    { name: "a key that is good", shown: ofPlace(2) },
  ];
}

async function refuse(door, shown) {
  const begin = process.cpuUsage();
  for (const authorization of shown) await door.verify({ server: "one", authorization, now: NOW });
  const { user, system } = process.cpuUsage(begin);
  return user + system;
}

function timesTable(kinds) {
  const [first] = kinds;
  const rows = kinds.map(({ name, times }) => {
    const ratios = times.map((time, at) => time / first.times[at]);
    const quarter = (share) => quantile(ratios, share).toFixed(3);
    return [name, (median(times) / BLOCK).toFixed(2), median(ratios).toFixed(3), `${quarter(0.25)}–${quarter(0.75)}`];
  });
  return table(["shown", "µs", "ratio to a guess", "half of all blocks"], rows);
}

/** The door is no part of the library, so it is bundled from its source. */
async function load() {
  const folder = mkdtempSync(here("../node_modules/.vitrine-bench-"));
  try {
    const contents = 'export * from "./open-door.ts"; export * from "./make-key.ts";';
    const outfile = join(folder, "door.mjs");
    await build({
      stdin: { contents, resolveDir: here("../src/host/callers"), loader: "ts" },
      outfile,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await runAlone(import.meta.url, keys);
