// What watching calls does to the slowest of them: events to a file, and to files that take none; traces to a collector, and to collectors that take none.
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { here, runAlone } from "./measure.mjs";
import { measureTails } from "./overhead/measure-tails.mjs";
import { METHOD, tailTable } from "./overhead/tail-table.mjs";

const TARGET = "Target: p99 under 1.10, whatever the file and the collector do.";

/** Of each round of a bench so many are made here, as a block is short. */
const ROUNDS = 4;

export async function tails(rounds) {
  const home = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const pipe = join(home, "pipe");
  execFileSync("mkfifo", [pipe]);
  const disk = fillDisk(join(home, "disk"));
  const collector = fork(here("overhead/collector.mjs"));
  const [port] = await once(collector, "message");
  const hung = net.createServer(() => {});
  await new Promise((resolve) => hung.listen(0, "127.0.0.1", resolve));
  const removed = join(home, "removed.jsonl");
  const to = (port) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_METRICS_EXPORTER: "none" });
  const runs = await measureTails(rounds * ROUNDS, [
    { name: "nothing" },
    { name: "nothing, once more" },
    { name: "events to a file", events: join(home, "one.jsonl") },
    { name: "events to a file that is removed each 256 calls", events: removed, removed },
    { name: `events to ${disk.name}`, events: disk.file },
    { name: "events to a pipe that nobody reads", events: pipe },
    { name: "traces to a collector", otel: to(port) },
    { name: "traces to a collector that is not there", otel: to(9) },
    { name: "traces to a collector that never answers", otel: to(hung.address().port) },
  ]);
  hung.close();
  collector.disconnect();
  disk.remove();
  rmSync(home, { recursive: true });
  return `## Tails\n\n${METHOD}\n\n${tailTable(runs)}\n\n${TARGET}`;
}

/** A disk of 1 MB without a byte left; where this user may not mount one, the device that is always full. */
function fillDisk(folder) {
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return { name: "`/dev/full`", file: "/dev/full", remove: () => {} };
  }
  const file = join(folder, "events.jsonl");
  writeFileSync(file, "");
  try {
    writeFileSync(join(folder, "rest"), Buffer.alloc(2_000_000));
  } catch {}
  return { name: "a disk of 1 MB that is full", file, remove: () => execFileSync("umount", ["-l", folder]) };
}

await runAlone(import.meta.url, tails);
