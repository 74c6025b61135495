import { fork } from "node:child_process";
import { once } from "node:events";
import { here } from "../measure.mjs";

/**
 * Starts a process for each of these, of `file`: where several were watched in different ways within one, each would be called through code that is compiled
 * for all of them, which nobody who serves has. `port` is that of the upstream. Gives where each is, what it has spent of the processor in milliseconds, and
 * how it is ended.
 */
export function startServers(file, servers, port) {
  return Promise.all(servers.map((server) => startServer(file, server, port)));
}

/**
 * Starts one process for all of these, of which only the last is watched: it serves the others at an address of its own. How fast a process is depends on what
 * was compiled when, by more than a watcher takes of a call that comes by itself.
 */
export async function startOne(file, servers, port) {
  const { end, unwatched, ...started } = await startServer(file, servers.at(-1), port);
  return servers.map((server, at) => ({
    ...started,
    url: server === servers.at(-1) ? started.url : unwatched,
    end: at === 0 ? end : () => {},
  }));
}

async function startServer(file, { name, otel, ...watched }, port) {
  const env = { ...process.env, ...otel, LEDGER_URL: `http://127.0.0.1:${port}`, LEDGER_KEY: "unused" };
  const child = fork(file, [here("../curation/ledger.yaml"), JSON.stringify({ ...watched, otel })], { env });
  // What waits for its messages would wait for ever.
  child.once("exit", (code) => {
    if (code) throw new Error(`The server ${name} ended with ${code}.`);
  });
  const [{ url, unwatched }] = await once(child, "message");
  return {
    url,
    unwatched,
    pid: child.pid,
    async spent() {
      child.send("spent");
      return (await once(child, "message"))[0];
    },
    end: () => child.disconnect(),
  };
}
