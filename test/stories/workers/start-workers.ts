import { readFileSync } from "node:fs";
import { request } from "node:http";
import { type Running, start } from "../../cli/running.ts";
import { callOf, LIST, readAnswer } from "../../setup/post-message.ts";

export interface Workers {
  readonly running: Running;
  /** Those that are there now. */
  pids(): number[];
  /** Lets only this one run, so that whatever is asked is answered by it. */
  only(pid: number): void;
  /** Lets all run again. */
  all(): void;
  close(): void;
}

/** Starts the built program with several workers; `pids` are those of its children. */
export function startWorkers(
  args: readonly string[],
  env: Record<string, string>,
  node: readonly string[] = [],
): Workers {
  const running = start(args, env, node);
  const pids = (): number[] => childrenOf(running.child.pid);
  const all = (): void => {
    for (const pid of pids()) process.kill(pid, "SIGCONT");
  };
  return {
    running,
    pids,
    only(pid) {
      all();
      for (const other of pids()) if (other !== pid) freeze(other);
    },
    all,
    close() {
      const left = pids();
      running.child.kill("SIGKILL");
      for (const pid of left) if (isThere(pid)) process.kill(pid, "SIGKILL");
    },
  };
}

/** Until it has stopped it may still take a connection. */
function freeze(pid: number): void {
  process.kill(pid, "SIGSTOP");
  while (!/\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
}

function childrenOf(pid: number | undefined): number[] {
  if (pid === undefined || !isThere(pid)) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return children === "" ? [] : children.split(" ").map(Number);
}

export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Asks over a connection of its own, so that whoever takes it is whoever runs. Rejects where the connection breaks. */
export function ask(url: string, message?: object, authorization?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(authorization !== undefined && { authorization }),
    };
    const asked = request(url, { method: message === undefined ? "GET" : "POST", agent: false, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.once("error", reject);
    });
    asked.once("error", reject);
    asked.end(message && JSON.stringify(message));
  });
}

/** What a tool replies. */
// biome-ignore lint/suspicious/noExplicitAny: what came, as far as it is JSON.
export async function callTool(url: string, name: string, args: object = {}, authorization?: string): Promise<any> {
  const { text } = await ask(url, callOf(name, args), authorization);
  return JSON.parse(readAnswer(text).result.content[0].text);
}

export async function listTools(url: string, authorization?: string): Promise<string[]> {
  const { text } = await ask(url, LIST, authorization);
  return readAnswer(text).result.tools.map(({ name }: { name: string }) => name);
}

/** Looks again and again until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
