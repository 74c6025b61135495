import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Shell } from "../../src/cli/command.ts";
import { host } from "../../src/cli/commands/host.ts";
import { keyOf } from "../setup/keys.ts";
import { postMessage, readAnswer } from "../setup/post-message.ts";

export interface RunningHost {
  /** Where its files are. */
  readonly folder: string;
  readonly url: string;
  /** The log, and all of it as a text. */
  readonly lines: Record<string, unknown>[];
  readonly text: () => string;
  write(files: Readonly<Record<string, string>>): void;
  /** One POST to a server; `authorization` as it is sent. */
  post(server: string, authorization: string | undefined, body: object, headers?: object): Promise<Answer>;
  /** The same with a key by its name. */
  ask(server: string, key: string, method: string, params?: object): Promise<Answer>;
  hangUp(): void;
  /** Resolves with the exit code. */
  end(): Promise<number>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came, as far as it is JSON.
  readonly json: any;
}

/** `vitrine host` in this process, with everything that it opens; `host.yaml` is among the files. */
export async function startHost(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<RunningHost> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-security-"));
  const write: RunningHost["write"] = (given) => {
    for (const [name, content] of Object.entries(given)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  };
  write(files);
  const notes: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const stop = new AbortController();
  let hangUp = (): void => {};
  let listens = (_: unknown): void => {};
  const listening = new Promise((resolve) => {
    listens = resolve;
  });
  const note = (line: string): void => {
    notes.push(line);
    if (!line.startsWith("{")) return;
    const fact = JSON.parse(line);
    lines.push(fact);
    if (fact.event === "listening") listens(fact.port);
  };
  const onHangup = (listener: () => void) => {
    hangUp = listener;
    return () => {};
  };
  const shell: Shell = {
    print: note,
    note,
    colour: false,
    env,
    readStdin: async () => "",
    signal: stop.signal,
    onHangup,
  };
  const code = host.run([join(folder, "host.yaml")], shell);
  const failed = code.then(() => Promise.reject(new Error(notes.join("\n"))));
  failed.catch(() => {});
  const url = `http://127.0.0.1:${await Promise.race([listening, failed])}`;
  const post: RunningHost["post"] = async (server, authorization, body, headers = {}) => {
    const response = await postMessage(`${url}/mcp/${server}`, authorization, body, { headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: jsonIn(text) };
  };
  return {
    folder,
    url,
    lines,
    text: () => notes.join("\n"),
    write,
    post,
    ask: (server, key, method, params = {}) =>
      post(server, `Bearer ${keyOf(key)}`, { jsonrpc: "2.0", id: 1, method, params }),
    hangUp: () => hangUp(),
    end: async () => {
      stop.abort();
      const ended = await code;
      rmSync(folder, { recursive: true });
      return ended;
    },
  };
}

function jsonIn(text: string): unknown {
  try {
    return readAnswer(text);
  } catch {
    return undefined;
  }
}
