import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cleanEnv, program, repository } from "../setup/program.ts";

interface Block {
  readonly language: string;
  readonly mark: string;
  readonly text: string;
}

const readme = readFileSync(join(repository, "README.md"), "utf8");
const blocks: Block[] = [...readme.matchAll(/^```(\w+)(?: (.*))?\n([\s\S]*?)^```$/gm)].map(
  ([, language = "", mark = "", text = ""]) => ({ language, mark, text }),
);

/** A newcomer's folder: the repository's specs, and a `vitrine` on the PATH as `npm link` puts it there. */
function newcomersFolder(): { cwd: string; env: Record<string, string> } {
  const cwd = mkdtempSync(join(tmpdir(), "vitrine-readme-"));
  const bin = join(cwd, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "vitrine"),
    `#!/bin/sh
exec "${process.execPath}" "${program}" "$@"
`,
  );
  chmodSync(join(bin, "vitrine"), 0o755);
  cpSync(join(repository, "specs"), join(cwd, "specs"), { recursive: true });
  for (const block of blocks) {
    const file = /^file=(\S+)$/.exec(block.mark)?.[1];
    if (file !== undefined) writeFileSync(join(cwd, file), block.text);
  }
  return { cwd, env: cleanEnv({ PATH: `${bin}:${process.env["PATH"]}` }) };
}

const folder = newcomersFolder();
// What `serve` needs in the shell where the README has exported it.
const secrets = { PDNS_URL: "http://127.0.0.1:8081/api/v1", PDNS_KEY: "secret" };
const exported = { ...secrets, POWERDNS_URL: secrets.PDNS_URL, POWERDNS_KEY: secrets.PDNS_KEY };

describe("the README's blocks", () => {
  test.each(blocks.filter(({ mark }) => mark === "run").map(({ text }) => [text]))("run as they stand: %s", (text) => {
    const { status, stdout, stderr } = spawnSync("sh", ["-euc", text], { ...folder, encoding: "utf8" });
    expect(stderr).not.toMatch(/vitrine:|[1-9] (error|warning|note)/);
    expect(status).toBe(0);
    expect(stdout.length).toBeGreaterThan(10);
  });

  const served = blocks.filter(({ mark }) => mark === "serve").map(({ text }) => text.trim());
  test.each(served)("serve tools, and a page for people beside them: %s", async (command) => {
    const text = command.replace("127.0.0.1:3000", "127.0.0.1:0");
    const child = spawn("sh", ["-c", `exec ${text}`], { cwd: folder.cwd, env: { ...folder.env, ...exported } });
    try {
      const [line] = await once(child.stderr, "data");
      const url = /http:\/\/\S+/.exec(String(line))?.[0] ?? "";
      expect((await fetch(new URL("/healthz", url))).status).toBe(200);
      expect((await fetch(new URL("/", url))).headers.get("content-type")).toContain("text/html");
    } finally {
      child.kill();
    }
  });

  test("the client configuration is JSON that names a command of ours", () => {
    const { mcpServers } = JSON.parse(blocks.find(({ language }) => language === "json")!.text);
    expect(mcpServers.dns).toMatchObject({
      command: "node",
      args: ["/path/to/vitrine/dist/vitrine.js", "serve", "/path/to/dns.yaml"],
      env: secrets,
    });
  });

  test("every shell and YAML block is run by one of these tests, or is the quick start that CI runs", () => {
    const covered = (block: Block) => block.mark !== "" || block.text.trim() === "npm ci && npm start";
    const rest = blocks.filter((block) => ["sh", "yaml"].includes(block.language) && !covered(block));
    expect(rest).toStrictEqual([]);
  });
});
