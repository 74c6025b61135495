import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** A port on loopback that nothing listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

export interface RunningServer {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a server program and polls `url` until it answers anything; fails with the program's own words when it ends before. */
export async function startServer(
  program: string,
  args: readonly string[],
  options: { url: string; cwd?: string; env?: NodeJS.ProcessEnv; withinMs?: number },
): Promise<RunningServer> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  child.stdout.on("data", (chunk) => (words += chunk));
  child.stderr.on("data", (chunk) => (words += chunk));
  const deadline = Date.now() + (options.withinMs ?? 60_000);
  while (!(await answers(options.url))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${words.slice(-2000)}`);
    if (Date.now() > deadline) throw new Error(`${program} does not answer at ${options.url}: ${words.slice(-2000)}`);
    await wait(50);
  }
  return {
    url: options.url,
    process: child,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
