import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { TOOL_ERROR_CODES } from "../../src/model/errors.ts";
import { action, step, stepEnv } from "../setup/action.ts";
import { type Block, compact, isHere, openPage, outputPattern, type PageRun, readBlocks } from "../setup/doc-page.ts";
import { repository } from "../setup/program.ts";

// The pages of docs/ in the order of their blocks, as a reader who follows them from the root of the repository.

const PAGES = readdirSync(join(repository, "docs"))
  .filter((name) => name.endsWith(".md") && name !== "contract.md")
  .map((name) => `docs/${name}`);

const requiredInputs = Object.entries(action.inputs).flatMap(([name, { required }]) => (required ? [name] : []));

describe.each(PAGES)("%s", (file) => {
  const blocks = readBlocks(file);
  let page: PageRun;
  beforeAll(async () => {
    page = openPage();
    for (const block of blocks.filter(({ mark }) => mark === "upstream")) await page.startUpstream(block);
  });
  afterAll(() => page?.stop());

  test.each(blocks.map((block, at) => [block.line, block, blocks[at + 1]] as const))(
    "line %i does what the page says",
    async (_, block, next) => {
      const kind = block.mark.replace(/[ =].*$/, "");
      if (kind === "file" || kind === "into") return checkFile(page, block);
      if (kind === "claims" || kind === "save") return void page.writeFile(block);
      if (kind === "run") return checkRun(page, block, next);
      if (kind === "serve") return checkServe(page, block);
      if (kind === "paste") return checkConfiguration(block);
      if (kind === "workflow") return checkWorkflow(page, block);
      // An upstream was started before, an output was compared with the run before it.
      expect(["upstream", "output"], `what the mark of line ${block.line} asks for`).toContain(kind);
    },
  );

  test("every output stands behind what gives it", () => {
    const alone = blocks.filter(({ mark }, at) => mark === "output" && !blocks[at - 1]?.mark.startsWith("run"));
    expect(alone).toEqual([]);
  });
});

function checkFile(page: PageRun, block: Block): void {
  const name = page.writeFile(block);
  if (block.language !== "yaml" || name.includes("openapi")) return;
  const { status, stdout } = page.run({ ...block, text: `vitrine check ${name}` });
  expect({ status, stdout: stdout.replace(/^\S+ +note .*\n(?: .*\n)*/gm, "") }).toEqual({ status: 0, stdout: "" });
}

function checkRun(page: PageRun, block: Block, next: Block | undefined): void {
  const { status, stdout, stderr } = page.run(block);
  expect({ status, stdout, stderr }).toMatchObject({ status: Number(/exit=(\d+)/.exec(block.mark)?.[1] ?? 0) });
  if (next?.mark !== "output") throw new Error(`Line ${block.line} runs something and does not say what comes of it.`);
  const normal = next.language === "json" ? compact : (text: string) => text.trim();
  const shown = next.language === "json" ? stdout : stdout + stderr;
  expect(`${normal(shown)}\n`).toMatch(outputPattern(page.localize(normal(next.text))));
}

async function checkServe(page: PageRun, block: Block): Promise<void> {
  const exports = page.run({ ...block, text: "env" }).stdout;
  const env = Object.fromEntries(exports.split("\n").map((line) => line.split(/=(.*)/, 2)));
  const child = spawn("sh", ["-c", `exec ${block.text.replace("127.0.0.1:3000", "127.0.0.1:0")}`], {
    cwd: page.cwd,
    env: { ...page.env, ...env },
  });
  try {
    const [line] = await once(child.stderr, "data");
    const url = /http:\/\/\S+/.exec(String(line))?.[0] ?? "";
    expect((await fetch(url.replace(/\/mcp$/, "/healthz"))).status).toBe(200);
  } finally {
    child.kill();
  }
}

function checkConfiguration({ text }: Block): void {
  const [server] = Object.values<{ command: string; args: string[] }>(JSON.parse(text).mcpServers);
  expect(server?.command).toBe("node");
  expect(server?.args.slice(0, 2)).toEqual(["/path/to/vitrine/dist/vitrine.js", "serve"]);
}

/** A workflow for GitHub: least rights, pinned actions, and our own step run with what it says, in the repository that the page made. */
function checkWorkflow(page: PageRun, { text }: Block): void {
  const { permissions, jobs } = parse(text);
  expect(permissions).toEqual({ contents: "read" });
  const steps: { uses: string; with: Record<string, unknown> }[] = jobs.tools.steps;
  expect(steps.map(({ uses }) => uses).filter((uses) => !/@([0-9a-f]{40}|COMMIT)$/.test(uses))).toEqual([]);
  const inputs = Object.entries(steps.find(({ uses }) => uses === "OWNER/vitrine@COMMIT")?.with ?? {});
  const names = inputs.map(([name]) => name);
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(names));
  expect(names).toEqual(expect.arrayContaining(requiredInputs));
  const given = Object.fromEntries(inputs.map(([name, value]) => [name, String(value)]));
  const env = { ...page.env, ...stepEnv(given, { pull_request: { base: { sha: "main" } } }) };
  const { status, stdout } = spawnSync("bash", ["-e", "-c", step.run], {
    cwd: join(page.cwd, "help-desk"),
    env,
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("1 BEHAVIOUR (1 suppressed).") });
  expect(readdirSync(join(page.cwd, "help-desk/reports"))).toEqual(["1-desk.check.sarif", "1-desk.diff.sarif"]);
}

test.each(["README.md", "CONTRIBUTING.md", ...PAGES])("every file that %s points to is there", (file) => {
  const text = readFileSync(join(repository, file), "utf8");
  const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = ""]) => join(dirname(file), target));
  expect(targets.filter((target) => !isHere(target))).toEqual([]);
});

test("the README leads to every page", () => {
  const read = (file: string) => readFileSync(join(repository, file), "utf8");
  const listed = [...read("README.md").matchAll(/\]\((docs\/[\w-]+\.md)\)/g)].map(([, page]) => page);
  expect([...new Set(listed)].toSorted()).toEqual([...PAGES, "docs/contract.md"].toSorted());
});

test.each(["README.md", "CONTRIBUTING.md", ...PAGES])("every heading that %s points to is there", (file) => {
  const targets = [...readFileSync(join(repository, file), "utf8").matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
  const wrong = targets.filter(([, page = "", heading = ""]) => {
    const target = page === "" ? file : join(dirname(file), page);
    return !headingsOf(readFileSync(join(repository, target), "utf8")).includes(heading);
  });
  expect(wrong.map(([link]) => link)).toEqual([]);
});

/** The headings of a page, as links name them. */
function headingsOf(text: string): readonly string[] {
  const titles = [...text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm)];
  return titles.map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("the page of errors has a row for every code", () => {
  const rows = [...readFileSync(join(repository, "docs/errors.md"), "utf8").matchAll(/^\| `(\w+)`/gm)];
  expect(rows.map(([, code]) => code).toSorted()).toEqual([...TOOL_ERROR_CODES].toSorted());
});
