// What it costs to write an event a call, and to count calls for /metrics: with a file, and with files that take none.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { runAlone } from "./measure.mjs";
import { measureOverhead } from "./overhead/measure-overhead.mjs";
import { METHOD, overheadTable } from "./overhead/overhead-table.mjs";

const TARGET =
  "Target: under 1.03 of the processor's time, whatever the file does. A call that comes by itself writes its line by itself, before its reply goes out.";

const NOTHING = [{ name: "without events" }, { name: "without events, once more" }];

export async function events(rounds) {
  const written = await measureOverhead(rounds, ({ home }) => [
    ...NOTHING,
    { name: "to a file", events: join(home, "one.jsonl") },
    { name: "counts for `/metrics`", counts: true },
    { name: "counts, and to a file", counts: true, events: join(home, "other.jsonl") },
  ]);
  const refused = await measureOverhead(rounds, ({ home }) => {
    const pipe = join(home, "pipe");
    execFileSync("mkfifo", [pipe]);
    return [
      ...NOTHING,
      { name: "to a disk that is full", events: "/dev/full" },
      { name: "to a pipe that nobody reads", events: pipe },
    ];
  });
  const alone = await measureOverhead(
    rounds,
    ({ home }) => [...NOTHING, { name: "to a file", events: join(home, "one.jsonl") }],
    1,
  );
  return `## Events\n\n${METHOD}\n\n${overheadTable("events", [written, refused, alone])}\n\n${TARGET}`;
}

await runAlone(import.meta.url, events);
