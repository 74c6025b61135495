import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./processes.ts";
import { findProgram } from "./servers.ts";

export const haveRedis = findProgram("redis-server") !== undefined;

export interface RedisServer {
  readonly url: string;
  /** Past vitrine; one command, its words apart. */
  ask(...words: readonly string[]): string;
  /** It hangs: connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** As by a power cut: nothing was saved. */
  kill(): Promise<void>;
  /** After `kill`, at the same port, empty. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A real Redis on a free port of loopback, that keeps nothing on disk. */
export async function startRedis(flags: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...flags];
    child = spawn(findProgram("redis-server")!, args, { stdio: "ignore" });
    const deadline = Date.now() + 20_000;
    while (!(await isOpen(port))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error("redis-server does not start");
      await wait(10);
    }
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    ask: (...words) =>
      execFileSync(findProgram("redis-cli")!, ["-p", `${port}`, ...words], { encoding: "utf8" }).trim(),
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    kill,
    start,
    stop: kill,
  };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
