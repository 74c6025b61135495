import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { cleanEnv, program, refuseSecrets } from "../setup/program.ts";

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly out: string[];
  readonly err: string[];
  /** Resolves with the first line from now on, or already there and not yet asked for, that holds `part`. */
  said(stream: "out" | "err", part: string): Promise<string>;
  send(message: object): void;
  /** Sends a request and gives the line that answers it. */
  ask(id: number, method: string, params?: object): Promise<{ result: { tools: { name: string }[] } }>;
  /** Waits for the end; gives the exit code. */
  ended(): Promise<number | null>;
}

/** Starts the built program, or another copy of it, with its streams at hand. */
export function start(
  args: readonly string[],
  env: Record<string, string> = {},
  node: readonly string[] = [],
  copy: string = program,
): Running {
  const child = spawn(process.execPath, [...node, copy, ...args], { env: cleanEnv(env) });
  const lines = { out: [] as string[], err: [] as string[] };
  const read = { out: 0, err: 0 };
  const wake = new Set<() => void>();
  const giveUp = new Set<() => void>();
  child.once("close", () => {
    for (const fail of giveUp) fail();
  });
  for (const [name, stream] of [
    ["out", child.stdout],
    ["err", child.stderr],
  ] as const) {
    createInterface({ input: stream }).on("line", (line) => {
      lines[name].push(line);
      refuseSecrets(line, env);
      for (const check of wake) check();
    });
  }
  const said: Running["said"] = (stream, part) =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        while (read[stream] < lines[stream].length) {
          const line = lines[stream][read[stream]++] ?? "";
          if (!line.includes(part)) continue;
          wake.delete(check);
          resolve(line);
          return;
        }
      };
      wake.add(check);
      giveUp.add(() => reject(new Error(`Ended without saying ${part}; it said ${lines.err.join("\n")}`)));
      check();
    });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    child,
    ...lines,
    said,
    send,
    ask: async (id, method, params) => {
      send({ id, method, ...(params && { params }) });
      return JSON.parse(await said("out", `"id":${id}`));
    },
    ended: async () => (child.exitCode === null ? ((await once(child, "close"))[0] as number | null) : child.exitCode),
  };
}

export const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
};

/**
 * For `--import`: writes every module that was found or read to stderr, what Node itself says and not what the bundler intends, and a line `answered 2`
 * when the request of that id is. A chunk that is part of a script counts as read when it is run, and is told before that line.
 */
export const LOADER = `data:text/javascript,${encodeURIComponent(`
import { register } from "node:module";
import { writeSync } from "node:fs";
import { Session } from "node:inspector";
import { pathToFileURL } from "node:url";
register("data:text/javascript," + encodeURIComponent(\`
import { writeSync } from "node:fs";
export async function resolve(name, context, next) {
  const found = await next(name, context);
  writeSync(2, "found " + found.url + " for " + context.parentURL + "\\\\n");
  return found;
}
export async function load(url, context, next) {
  const read = await next(url, context);
  writeSync(2, "loaded " + url + "\\\\n");
  return read;
}
\`));
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const program = pathToFileURL(process.argv[1]);
const tellRun = (_, { result }) => {
  for (const { functions } of result)
    for (const { functionName, ranges } of functions)
      if (functionName.startsWith("chunk:") && ranges[0].count > 0)
        writeSync(2, "loaded " + new URL(functionName.slice("chunk:".length), program) + "\\n");
};
const write = process.stdout.write;
process.stdout.write = function (text, ...rest) {
  if (/"id":2\\b/.test(String(text))) {
    session.post("Profiler.takePreciseCoverage", tellRun);
    writeSync(2, "answered 2\\n");
  }
  return write.call(this, text, ...rest);
};
`)}`;
