// How long a running host makes its callers wait while a large document is compiled again: the delay of its event loop, from the file's change on.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { here, median, table } from "./measure.mjs";

const SPEC = "shared/specs/github-3.0/api.github.com.json";

/** In the host's own process: what of its loop was late since it was last asked. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
import { monitorEventLoopDelay } from "node:perf_hooks";
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.channel.unref();
process.on("message", () => {
  process.send({ p50: delays.percentile(50) / 1e6, p99: delays.percentile(99) / 1e6, most: delays.max / 1e6 });
  delays.reset();
});
`)}`;

export async function reload(rounds) {
  const title = "## A host compiles again: GitHub, 13 MB of JSON, 20 tools";
  const source = here(`../../${SPEC}`);
  if (!existsSync(source)) return `${title}\n\nSkipped: the document was not there.`;
  const folder = mkdtempSync(join(tmpdir(), "vitrine-reload-"));
  const text = readFileSync(source, "utf8");
  // Other bytes each time, so that no cache has it.
  const write = (round) => writeFileSync(join(folder, "spec.json"), text.replace("{", `{"x-round":${round},`));
  write(0);
  writeFileSync(
    join(folder, "github.yaml"),
    readFileSync(here("github.yaml"), "utf8").replace(/spec: .*/, "spec: ./spec.json"),
  );
  const host = {
    listen: "127.0.0.1:0",
    publicUrl: "http://127.0.0.1",
    servers: { github: { curation: "./github.yaml", root: ".", env: ["GITHUB_TOKEN"] } },
  };
  writeFileSync(join(folder, "host.yaml"), JSON.stringify(host));
  const child = spawn(
    process.execPath,
    ["--import", WATCH, here("../dist/vitrine.js"), "host", join(folder, "host.yaml")],
    {
      env: { ...process.env, GITHUB_TOKEN: "unused", XDG_CACHE_HOME: folder },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    },
  );
  const lines = createInterface({ input: child.stderr });
  const said = (event) =>
    new Promise((resolve) => {
      const hear = (line) => {
        if (JSON.parse(line).event !== event) return;
        lines.off("line", hear);
        resolve();
      };
      lines.on("line", hear);
    });
  try {
    await said("listening");
    // It looks at its files once more after a second.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const idle = await runs(rounds, child, () => new Promise((resolve) => setTimeout(resolve, 1_000)));
    let round = 0;
    const busy = await runs(rounds, child, async () => {
      const done = said("reloaded");
      round += 1;
      write(round);
      await done;
    });
    return `${title}\n\n${delaysTable([
      ["nothing to do", idle],
      ["from the file's change until it is served", busy],
    ])}\n\nTarget: p99 under 50 ms.`;
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
    rmSync(folder, { recursive: true });
  }
}

async function runs(rounds, child, work) {
  const found = [];
  for (let round = 0; round < rounds; round += 1) {
    child.send("reset");
    await once(child, "message");
    const begin = performance.now();
    await work();
    const ms = performance.now() - begin;
    child.send("ask");
    const [delays] = await once(child, "message");
    found.push({ ...delays, ms });
  }
  return found;
}

function delaysTable(rows) {
  const middle = (found, name) => median(found.map((one) => one[name])).toFixed(name === "ms" ? 0 : 1);
  return table(
    ["", "p50 ms", "p99 ms", "most ms", "took ms"],
    rows.map(([title, found]) => [title, ...["p50", "p99", "most", "ms"].map((name) => middle(found, name))]),
  );
}
