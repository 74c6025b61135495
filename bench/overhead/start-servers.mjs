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

async function startServer(file, { name, otel, ...watched }, port) {
  const env = { ...process.env, ...otel, LEDGER_URL: `http://127.0.0.1:${port}`, LEDGER_KEY: "unused" };
  const child = fork(file, [here("../curation/ledger.yaml"), JSON.stringify({ ...watched, otel })], { env });
  // What waits for its messages would wait for ever.
  child.once("exit", (code) => {
    if (code) throw new Error(`The server ${name} ended with ${code}.`);
  });
  const [url] = await once(child, "message");
  return {
    url,
    pid: child.pid,
    async spent() {
      child.send("spent");
      return (await once(child, "message"))[0];
    },
    end: () => child.disconnect(),
  };
}
