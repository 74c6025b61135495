// What it costs to write an event a call: the same server without events, with them, and with a file that takes none.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { measureCalls } from "./call-cost.mjs";
import { runAlone } from "./measure.mjs";

const TARGET = "Target: under 1.03 of the processor's time; p99 under 1.10, whatever the file does.";

export async function events(rounds) {
  const cost = await measureCalls(rounds, "events", (home) => {
    const pipe = join(home, "pipe");
    execFileSync("mkfifo", [pipe]);
    return [
      { name: "without events" },
      // How far two equal servers lie apart here: nothing below that says anything.
      { name: "without events, another process" },
      { name: "to a file", args: ["--events", join(home, "events.jsonl")] },
      { name: "to a disk that is full", args: ["--events", "/dev/full"] },
      { name: "to a pipe that nobody reads", args: ["--events", pipe] },
    ];
  });
  return `## Events\n\n${cost}\n\n${TARGET}`;
}

await runAlone(import.meta.url, events);
