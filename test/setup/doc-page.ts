import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMap, parse, parseDocument } from "yaml";
import { cleanEnv, program, repository } from "./program.ts";

/** A fenced block: what stands behind its language says what a test does with it. */
export interface Block {
  readonly language: string;
  readonly mark: string;
  readonly text: string;
  readonly line: number;
}

export interface PageRun {
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** Starts what the block starts; its address takes the place of the one that the page names. Where the page keeps what it says in a file (`> FILE`), that file is written instead. */
  startUpstream(block: Block): Promise<void>;
  /** Writes `file=NAME`, `claims=NAME` and `save=NAME`, or lays `into=NAME` over what stands there, as a reader would. Gives the file's name. */
  writeFile(block: Block): string;
  run(block: Block): { status: number | null; stdout: string; stderr: string };
  /** What the page says, as this run would say it. */
  localize(text: string): string;
  stop(): void;
}

export function readBlocks(file: string): readonly Block[] {
  const text = readFileSync(join(repository, file), "utf8");
  return [...text.matchAll(/^```(\w+)(?: (.*))?\n([\s\S]*?)^```$/gm)].map((found) => ({
    language: found[1] ?? "",
    mark: found[2] ?? "",
    text: found[3] ?? "",
    line: text.slice(0, found.index).split("\n").length,
  }));
}

const PAGE_UPSTREAM = "http://127.0.0.1:4040";
/** Where a page serves: a port that is free takes its place. */
const PAGE_SERVED = "127.0.0.1:3000";

/** What git knows of a reader. */
const GIT_IDENTITY = {
  GIT_AUTHOR_NAME: "Reader",
  GIT_AUTHOR_EMAIL: "reader@example.com",
  GIT_COMMITTER_NAME: "Reader",
  GIT_COMMITTER_EMAIL: "reader@example.com",
};

/** A reader's folder: the repository's documents, and a `vitrine` on the PATH as `npm link` puts it there. */
export function openPage(): PageRun {
  const cwd = mkdtempSync(join(tmpdir(), "vitrine-docs-"));
  mkdirSync(join(cwd, "bin"));
  const start = join(cwd, "bin", "vitrine");
  writeFileSync(start, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(start, 0o755);
  for (const folder of ["specs", "docs", "curation"])
    cpSync(join(repository, folder), join(cwd, folder), { recursive: true });
  const env = cleanEnv({ PATH: `${join(cwd, "bin")}:${process.env["PATH"]}`, ...GIT_IDENTITY });
  const exports: string[] = [];
  let upstream = PAGE_UPSTREAM;
  let served = PAGE_SERVED;
  const children: ReturnType<typeof spawn>[] = [];
  const localize = (text: string) => text.replaceAll(PAGE_UPSTREAM, upstream).replaceAll(PAGE_SERVED, served);
  return {
    cwd,
    env,
    localize,
    startUpstream: async ({ text }) => {
      const [, command, file] = /^(.*?)(?: > (\S+))?$/.exec(text.trim()) ?? [];
      const child = spawn("sh", ["-c", `exec ${command}`], { cwd, env: { ...env, DESK_PORT: "0" } });
      children.push(child);
      const [said] = await once(child.stdout, "data");
      if (file !== undefined) return writeFileSync(join(cwd, file), String(said));
      upstream = /http:\/\/\S+/.exec(String(said))?.[0] ?? "";
      served = `127.0.0.1:${await findPort()}`;
    },
    writeFile: ({ mark, text }) => {
      const name = /^(?:file|into|claims|save)=(\S+)$/.exec(mark)?.[1] ?? "";
      const path = join(cwd, name);
      writeFileSync(path, mark.startsWith("into=") ? layOver(readFileSync(path, "utf8"), text) : localize(text));
      return name;
    },
    run: ({ text }) => {
      const script = `${exports.join("\n")}\n${localize(text)}`;
      exports.push(
        ...localize(text)
          .split("\n")
          .filter((line) => line.startsWith("export ")),
      );
      return spawnSync("sh", ["-euc", script], { cwd, env, encoding: "utf8" });
    },
    stop: () => children.forEach((child) => void child.kill()),
  };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Lays the mapping over the document, key by key; what is no mapping is replaced. */
function layOver(text: string, more: string): string {
  const document = parseDocument(text);
  const lay = (value: unknown, path: string[]): void => {
    for (const [name, inner] of Object.entries(value as object)) {
      const at = [...path, name];
      if (typeof inner === "object" && inner !== null && !Array.isArray(inner) && isMap(document.getIn(at)))
        lay(inner, at);
      else document.setIn(at, document.createNode(inner));
    }
  };
  lay(parse(more), []);
  return document.toString({ lineWidth: 0 });
}

/** The page's words as a pattern: `…` stands for anything within a line, and alone in a line for any lines. */
export function outputPattern(text: string): RegExp {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => {
      if (line === "…") return "(?:.*\n)*";
      const parts = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return `${parts.join(".*")}\n`;
    });
  return new RegExp(`^${lines.join("")}$`);
}

/** JSON as the page shows it, whatever its line breaks. */
export const compact = (text: string): string => JSON.stringify(JSON.parse(text));

export const isHere = (path: string): boolean => existsSync(join(repository, path));
