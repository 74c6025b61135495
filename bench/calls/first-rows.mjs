// Twenty rows of a list of 50 MB, asked for in a fresh process: how long, how much memory, and how much of the list the upstream sent.
import { setTimeout as wait } from "node:timers/promises";
import { median, openServer, table } from "../measure.mjs";
import { envOf, ITEMS } from "./compare-calls.mjs";
import { openUpstream } from "./open-server.mjs";
import { withServers } from "./servers.mjs";

/** So long a client takes to read the list of tools. */
const PAUSE_MS = 500;

/** `tools` are names; `kinds` those of the servers. One row for each pair of them, in a process of its own each round. */
export function firstRows({ tools, kinds, rounds }) {
  return withServers({}, async ({ serversOf, home }) => {
    const upstream = await openUpstream();
    // The list is made now, and what was sent is forgotten.
    await upstream.sent();
    const servers = serversOf("stdio", ITEMS).filter(({ kind }) => kinds.includes(kind));
    const scenes = tools.flatMap((tool) => servers.map((server) => ({ tool, server, runs: [] })));
    for (let round = 0; round <= rounds; round += 1) {
      for (const { tool, server, runs } of scenes) {
        const run = await callOnce(server, tool, envOf(upstream.url, home));
        const sent = await upstream.sent();
        if (round > 0) runs.push({ ...run, sent: sent / 1e6 });
      }
    }
    upstream.close();
    const cells = ({ runs }) =>
      ["ms", "spent", "before", "peak", "sent"].map((key) => median(runs.map((run) => run[key])).toFixed(0));
    return table(
      ["tool", "server", "ms", "processor, ms", "MB before", "peak MB", "MB sent"],
      scenes.map((scene) => [`\`${scene.tool}\``, scene.server.name, ...cells(scene)]),
    );
  });
}

async function callOnce({ name, args }, tool, env) {
  const server = openServer(args, env);
  await server.list();
  await wait(PAUSE_MS);
  const before = server.usage();
  const begin = performance.now();
  const { result, error } = await server.call(tool, {});
  const ms = performance.now() - begin;
  const after = server.usage();
  await server.end();
  if (!result?.content[0].text.includes("Item 19 of")) throw new Error(`${name}: ${JSON.stringify(error ?? result)}`);
  return { ms, spent: after.spent - before.spent, before: before.peak, peak: after.peak };
}
