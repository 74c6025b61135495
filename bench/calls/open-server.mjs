// Starts a process that is measured: it tells over a channel of its own what the processor has spent on it.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { here } from "../measure.mjs";

/** The API that the servers call. `sent` gives the bytes of the longest list that it sent since it was asked before. */
export async function openUpstream() {
  const child = fork(here("calls/upstream.mjs"));
  const [url] = await once(child, "message");
  const sent = async () => {
    child.send("sent");
    return (await once(child, "message"))[0];
  };
  return { url, pid: child.pid, sent, close: () => child.disconnect() };
}

/**
 * A server has `{ name, args }`, and a `listening(ended)` where it does not say where it serves: that resolves to the URL. Over HTTP `url` is where it serves;
 * over stdio its pipes are the child's. `spent` asks for the milliseconds of the processor so far; `state`, where `asks` is that, tells of its memory and event
 * loop. `profile` is a folder for a profile of the processor's time, written when it is closed.
 */
export async function openServer({ name, args, listening }, way, { env, profile, asks = "spent" }) {
  const execArgv = [
    "--import",
    here("calls/tell-usage.mjs"),
    ...(profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]),
  ];
  const [script, ...rest] = args;
  const child = fork(script, rest, {
    execArgv,
    env: { ...process.env, ...env, BENCH_ASKS: asks },
    stdio: ["pipe", "pipe", "pipe", "ipc"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const ask = async (what) => {
    child.send(what);
    return (await once(child, "message"))[0];
  };
  let said = "";
  const urlSaid = new Promise((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      said += `${line}\n`;
      // A host says it in its log.
      const port = /"event":"listening","port":(\d+)/.exec(line)?.[1];
      const url = port === undefined ? /http:\S+\/mcp$/.exec(line)?.[0] : `http://127.0.0.1:${port}/`;
      if (url !== undefined) resolve(url);
    });
    ended.then((code) => reject(new Error(`${name} exited with ${code}: ${said}`)));
  });
  urlSaid.catch(() => {});
  const url =
    way === "http"
      ? await (listening?.(ended) ?? urlSaid).catch((error) => {
          child.kill("SIGKILL");
          throw error;
        })
      : undefined;
  return {
    name,
    pid: child.pid,
    child,
    url,
    spent: () => ask("spent"),
    state: () => ask("state"),
    close: async () => {
      // Some peers are gone already.
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
