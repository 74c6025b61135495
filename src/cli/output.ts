import { text } from "node:stream/consumers";
import type { Shell } from "./command.ts";

/** The shell of this process: the one place that writes to stdout, but for the protocol itself. */
export function openShell(): Shell {
  // Whoever reads may stop before we are done, as `head` does.
  process.stdout.on("error", () => process.exit());
  const ended = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ended.abort());
  return {
    print: (result) => void process.stdout.write(`${result}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
    env: process.env,
    readStdin: () => text(process.stdin),
    signal: ended.signal,
  };
}
