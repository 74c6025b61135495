import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Problem } from "../../src/model/problem.ts";
import { run } from "./fake-shell.ts";

/** `vitrine check` of a curation over a spec with one query parameter; both are written here. */
function write({ parameter = "colour", description = "", server = "", tool = "", input = {} } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "check-lint-"));
  const said = description === "" ? {} : { description };
  const parameters = [{ name: parameter, in: "query", ...said, schema: { type: "string" } }];
  const answer = { description: "ok", content: { "application/json": { schema: { type: "object" } } } };
  const get = { operationId: "listThings", parameters, responses: { 200: answer } };
  const spec = {
    openapi: "3.1.0",
    info: { title: "Test", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/things": { get } },
  };
  writeFileSync(join(folder, "spec.json"), JSON.stringify(spec));
  const lines = [
    "vitrine: 1",
    "api: { spec: spec.json }",
    `server: { name: things${server} }`,
    "tools:",
    "  list_things:",
    "    operation: listThings",
    "    use: List the things that there are, by their colour.",
    "    returns: One object.",
    `    input: { ${JSON.stringify(parameter)}: ${JSON.stringify(input)} }`,
    ...(tool === "" ? [] : [`    ${tool}`]),
    "",
  ];
  writeFileSync(join(folder, "things.yaml"), lines.join("\n"));
  return join(folder, "things.yaml");
}

async function check(file: string, ...args: string[]) {
  const { code, out } = await run(["check", "--json", ...args, file]);
  return {
    code,
    found: (JSON.parse(out) as Problem[]).map(({ line, severity, code: rule }) => `${line} ${severity} ${rule}`),
  };
}

describe("rules", () => {
  test("are checked, each at the line of the curation that is meant", async () => {
    expect(await check(write())).toStrictEqual({
      code: 0,
      found: expect.arrayContaining(["9 warning input_undescribed"]),
    });
  });

  test("make --strict fail, and no longer where the tool waives them", async () => {
    const waived = write({ tool: "lint: { input_undescribed: Everybody knows colours. }" });
    expect((await check(write(), "--strict")).code).toBe(1);
    expect(await check(waived, "--strict")).toStrictEqual({
      code: 0,
      found: expect.arrayContaining(["9 note waived"]),
    });
  });

  test("are waived for the whole curation by the server", async () => {
    const { code, found } = await check(
      write({ server: ", lint: { input_undescribed: Everybody knows colours. }" }),
      "--strict",
    );
    expect([code, found]).toStrictEqual([0, expect.arrayContaining(["9 note waived"])]);
  });

  test("that find nothing are not waived in silence", async () => {
    const file = write({
      description: "Only things of it.",
      tool: "lint: { input_undescribed: Old., input_undescribd: Odd. }",
    });
    const { found } = await check(file);
    expect(found).toEqual(expect.arrayContaining(["10 warning unused_waiver", "10 warning unknown_waiver"]));
  });

  test("the reason of a waiver is told", async () => {
    const { out } = await run(["check", write({ tool: "lint: { input_undescribed: Everybody knows colours. }" })]);
    expect(out).toMatch(/note +waived +input_undescribed: .*\n +Waived: Everybody knows colours\./);
  });
});

describe("--profile", () => {
  test("tells what one client minds, at the tool", async () => {
    const file = write({ description: "Only things of it." });
    const minded = "5 warning reply_cut";
    expect((await check(file)).found).not.toContain(minded);
    expect((await check(file, "--profile", "codex")).found).toContain(minded);
    expect((await check(file, "--profile", "codex", "--strict")).code).toBe(1);
  });

  test("is waived as rules are", async () => {
    const file = write({ description: "Only things of it.", tool: "lint: { reply_cut: Replies are short. }" });
    expect((await check(file)).found).not.toContain("10 warning unused_waiver");
    expect((await check(file, "--profile", "codex")).found).toContain("5 note waived");
  });

  test("of no known client is a usage error that names those that are known", async () => {
    const { code, err } = await run(["check", "--profile", "netscape", write()]);
    expect([code, err]).toStrictEqual([2, expect.stringContaining("claude-code, ")]);
  });
});

const FORMATS = ["text", "json", "markdown", "github", "sarif", "junit"];

/** What one check writes in every format, by format, and what it prints. */
async function writeAll(file: string) {
  const folder = mkdtempSync(join(tmpdir(), "check-out-"));
  const outputs = FORMATS.flatMap((format) => ["--output", `${format}=${join(folder, format)}`]);
  const { code, out } = await run(["check", ...outputs, file]);
  return {
    code,
    out,
    files: Object.fromEntries(FORMATS.map((format) => [format, readFileSync(join(folder, format), "utf8")])),
  };
}

type SarifResult = { readonly ruleId: string; readonly partialFingerprints: object };
const resultsOf = (sarif: string | undefined, rule: string): readonly SarifResult[] =>
  JSON.parse(sarif ?? "").runs[0].results.filter(({ ruleId }: SarifResult) => ruleId === rule);

describe("formats", () => {
  test("a check writes each into a file of its own, beside what it prints", async () => {
    const { out, files } = await writeAll(write({ tool: "lint: { a_rule: So., b_rule: So. }" }));
    expect(out).toMatch(/warning +input_undescribed/);
    expect(files.text).toBe(out);
    expect((JSON.parse(files.json ?? "") as Problem[]).map(({ code }) => code)).toContain("input_undescribed");
    expect(files.markdown).toContain("`input_undescribed`");
    expect(files.github).toMatch(/^::warning .*file=.*things\.yaml,line=9/m);
    expect(files.junit).toMatch(/<testcase [^>]*name="list_things"/);
    expect(resultsOf(files.sarif, "input_undescribed")).toMatchObject([
      {
        level: "warning",
        locations: [
          {
            physicalLocation: { region: { startLine: 9 } },
            logicalLocations: [{ fullyQualifiedName: "list_things/input/colour" }],
          },
        ],
      },
    ]);
    // Two findings of one rule in one tool.
    const prints = resultsOf(files.sarif, "unknown_waiver").map((one) => JSON.stringify(one.partialFingerprints));
    expect([prints.length, new Set(prints).size]).toStrictEqual([2, 2]);
  });

  test("each spells out what a text hides", async () => {
    // The rule quotes the description.
    const describe = "\u202EThe\u001b[] colour";
    const { files } = await writeAll(write({ input: { describe } }));
    expect(files.text).toContain('described as "\\u{202E}The\\u{1B}[] colour"');
    for (const format of FORMATS) expect(`${format} ${files[format]}`).not.toMatch(/[\u001b\u202E]/);
  });

  test.each([
    ["to where nothing can be written", ["--output", "json=/none/a.json"]],
    ["in an unknown format", ["--format", "xml"]],
    ["of an unknown format into a file", ["--output", "xml=a.xml"]],
  ])("%s the exit code is 2", async (_, args) => {
    expect((await run(["check", ...args, write()])).code).toBe(2);
  });
});
