import { spawn } from "node:child_process";
import type { Plugin } from "esbuild";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { bundleStdioServer } from "../bundle-fixture.ts";
import { messages } from "./odd-messages.ts";

// As over HTTP: a connection to a server with the front and one to a server without get the same lines for the same lines.

const FRONT = new URL("../../../src/mcp/front/open-stdio-front.ts", import.meta.url).pathname;
const NONE = "export const openStdioFront = () => ({ take: () => false, opened() {}, answered() {}, close() {} });";
const COUNTING = `
import { openStdioFront as open } from ${JSON.stringify(FRONT)};
export const openStdioFront = (connection) => {
  const front = open(connection);
  let taken = 0;
  process.on("exit", () => process.stderr.write(\`taken \${taken}\\n\`));
  return { ...front, take: (body) => { const is = front.take(body); if (is) taken += 1; return is; } };
};`;

const programs: string[] = [];
beforeAll(async () => {
  for (const contents of [COUNTING, NONE])
    programs.push(await bundleStdioServer("front-main", [inPlaceOfFront(contents)]));
});

function inPlaceOfFront(contents: string): Plugin {
  return {
    name: "in-place-of-the-front",
    setup(build) {
      build.onResolve({ filter: /open-stdio-front/ }, ({ importer }) =>
        importer.endsWith("serve-stdio.ts") ? { path: "front", namespace: "other" } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "other" }, () => ({ contents, loader: "ts", resolveDir: "/" }));
    },
  };
}

interface Said {
  readonly lines: string[];
  /** What was called, and heard of calls. */
  readonly heard: string[];
  readonly taken: number;
}

/** Not `readline`, to which more characters end a line. */
function onLine(stream: NodeJS.ReadableStream, heard: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8").on("data", (chunk) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(heard);
  });
}

/** Opens a connection with `opening`, once that is answered sends `lines`, and gives all that is said until all of it is answered. */
async function converse(program: string, opening: readonly object[], lines: readonly string[]): Promise<Said> {
  const child = spawn(process.execPath, [program]);
  const out: string[] = [];
  const err: string[] = [];
  const send = (line: string) => child.stdin.write(`${line}\n`);
  const answered = new Map<unknown, () => void>();
  onLine(child.stdout, (line) => {
    out.push(line);
    answered.get(JSON.parse(line).id)?.();
  });
  onLine(child.stderr, (line) => err.push(line));
  const ended = new Promise((resolve) => child.once("close", resolve));
  const ask = (message: object, id: string) =>
    new Promise<void>((resolve) => {
      answered.set(id, resolve);
      send(JSON.stringify({ jsonrpc: "2.0", id, ...message }));
    });
  for (const [at, message] of opening.entries()) await ask(message, `opening ${at}`);
  for (const line of lines) send(line);
  const last = opening.at(-1) as object;
  for (const id of ["last", "very last"]) await ask(last, id);
  child.stdin.end();
  await ended;
  const count = err.find((line) => line.startsWith("taken "));
  const heard = err.filter((line) => line !== count).toSorted();
  return { lines: out.map(unnumbered).toSorted(), heard, taken: Number(count?.slice("taken ".length) ?? 0) };
}

/** Questions of the server's own are numbered in the order in which they happen to be asked. */
function unnumbered(line: string): string {
  return line.startsWith('{"method":') ? line.replaceAll(/"(id|progressToken)":\d+/g, '"$1":0') : line;
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const clientInfo = { name: "raw", version: "1" };
const initialize = (capabilities: object) => ({
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities, clientInfo },
});
const LIST = { method: "tools/list" };
const MODERN_LIST = { ...LIST, params: { _meta: META } };
const OPENINGS: [title: string, opening: object[], meta?: object][] = [
  ["a handshake", [initialize({}), LIST]],
  ["a handshake of a client that asks its person", [initialize({ elicitation: {} }), LIST]],
  ["no handshake", [LIST]],
  ["2026-07-28", [MODERN_LIST], META],
  ["a probe of 2026-07-28", [{ method: "server/discover", params: { _meta: META } }, MODERN_LIST], META],
];

/** The first that are in one of both alone. */
function differing(these: readonly string[], those: readonly string[]): string[] {
  const at = these.findIndex((line, index) => line !== those[index]);
  if (at === -1 && these.length === those.length) return [];
  return [these[at] ?? "", those[at] ?? ""].map((line) => line.slice(0, 1_000));
}

describe.each(OPENINGS)("a connection that begins with %s", (_, opening, meta) => {
  const both = (lines: readonly string[]) => Promise.all(programs.map((program) => converse(program, opening, lines)));

  test("has what is ordinary answered by the front, as the SDK answers it", async () => {
    const calls = ["sample_list", "sample_odd", "sample_fail", "sample_image", "sample_boom", "sample_gone"];
    const asked = [LIST, ...calls.map((name) => ({ method: "tools/call", params: { name, arguments: { a: 1 } } }))];
    const lines = asked.map(({ method, ...rest }, id) => {
      const params = "params" in rest ? rest.params : {};
      return JSON.stringify({
        jsonrpc: "2.0",
        id,
        method,
        params: { ...(params as object), ...(meta && { _meta: meta }) },
      });
    });
    const [fronted, plain] = await both(lines);
    expect(fronted).toStrictEqual({ ...plain, taken: lines.length + 2 });
  });

  test("hears the same whatever it sends", async () => {
    const lines = fc.sample(messages, 400).map((message, at) => {
      const { id } = message as { readonly id?: unknown };
      // Of two calls with one id at a time it is not known which is answered.
      if (typeof id === "string") return JSON.stringify({ ...(message as object), id: `${id}${at}` });
      return JSON.stringify({ ...(message as object), ...(Number.isSafeInteger(id) && { id: at }) });
    });
    const [fronted, plain] = await both(lines);
    expect(differing(fronted!.lines, plain!.lines)).toStrictEqual([]);
    expect(differing(fronted!.heard, plain!.heard)).toStrictEqual([]);
    expect(fronted!.taken).toBeGreaterThan(2);
  });
});
