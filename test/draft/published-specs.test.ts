import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { costOf } from "../../src/cli/draft/cost-of.ts";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import type { Curation } from "../../src/curation/format.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { readDrafted } from "../../src/curation/read-drafted.ts";
import type { Draft } from "../../src/draft/draft-curation.ts";
import type { Api } from "../../src/model/api.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { checkLint } from "../../src/surface/lint/check-lint.ts";
import { listSpecs, specsFolder } from "../specs/published-specs.ts";
import { draftApi } from "./draft-api.ts";

// What is promised of a draft, for every published document: see the table that the run prints at its end.

/** Documents without an operation that reads. */
const NOTHING_TO_READ: ReadonlySet<string> = new Set(["oai-webhook-3.1", "oai-callback"]);

const rows: string[][] = [
  ["document", "operations", "tools", "tokens", "left to decide", "load ms", "draft ms", "draft / load"],
];
/** What was chosen, for a reader to judge: by document, the tools' names. */
const choices: string[] = [];

describe.each(listSpecs(specsFolder()))("the draft of $name", ({ name, file }) => {
  test("compiles without an error, has at most 20 tools within 4,000 tokens, bounds every list, and marks every warning", async () => {
    const { api, draft, took } = await timed(file);
    const { curation, toolset, errors } = compile(draft, api);
    expect(errors).toStrictEqual([]);
    // The format's schema, which drafting does without, makes the same of it.
    expect(readDrafted("draft.yaml", parse(draft.text) as JsonObject).content).toStrictEqual(curation.content);
    expect(draft.tools.length).toBeLessThanOrEqual(20);
    expect(draft.tools.length > 0).toBe(!NOTHING_TO_READ.has(name));
    const { list } = await costOf(toolset);
    expect(list).toBeLessThanOrEqual(4_000);
    // An estimate, where it decides nothing.
    expect(Math.abs(draft.tokens - list)).toBeLessThanOrEqual(10 + list * 0.07);
    for (const { name: tool, shape, annotations } of toolset.tools) {
      expect([tool, annotations.readOnlyHint]).toStrictEqual([tool, true]);
      if (shape.kind !== "list") continue;
      expect([tool, shape.limit?.max]).toStrictEqual([tool, expect.any(Number)]);
      expect([tool, shape.budget <= 12_000]).toStrictEqual([tool, true]);
    }
    expect(await unmarked(draft, curation, api, toolset)).toStrictEqual([]);
    rows.push([
      name,
      String(api.index.length),
      String(draft.tools.length),
      String(list),
      String(draft.decisions),
      ...took,
    ]);
    choices.push(`${name}: ${draft.tools.map((tool) => tool.name).join(" ")}`);
  });
});

test("the table of all drafts", () => {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const table = rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join("  "),
  );
  process.stderr.write(`\n${table.join("\n")}\n\n${choices.join("\n")}\n`);
  expect(rows.length).toBe(listSpecs(specsFolder()).length + 1);
});

/** Loading, then drafting, in this process and by its processor time; small documents once more, since the same document gives the same text to the byte. */
async function timed(file: string): Promise<{ api: Api; draft: Draft; took: string[] }> {
  const start = process.cpuUsage();
  const api = await loadApi(file, {});
  expect(api.index.length).toBeGreaterThanOrEqual(0);
  const [load, before] = [millis(process.cpuUsage(start)), process.cpuUsage()];
  const draft = await draftApi(api);
  const own = millis(process.cpuUsage(before));
  if (api.index.length < 250) expect((await draftApi(await loadApi(file, {}))).text).toBe(draft.text);
  return { api, draft, took: [load.toFixed(0), own.toFixed(0), (own / load).toFixed(1)] };
}

function millis({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

function compile(draft: Draft, api: Api) {
  const { curation, problems } = loadCuration("draft.yaml", draft.text);
  if (curation === undefined) throw new Error(JSON.stringify(problems));
  const compiled = compileToolset(curation, api);
  const errors = [...problems, ...compiled.problems].filter(({ severity }) => severity === "error");
  if (compiled.toolset === undefined) throw new Error(JSON.stringify(errors));
  return { curation, toolset: compiled.toolset, errors, warnings: compiled.problems };
}

/** Warnings above whose place the text says nothing. */
async function unmarked(
  draft: Draft,
  curation: Curation,
  api: Api,
  toolset: NonNullable<ReturnType<typeof compile>["toolset"]>,
) {
  const found = [...compileToolset(curation, api).problems, ...(await checkLint(curation, api, toolset))];
  const lines = draft.text.split("\n");
  return found
    .filter(({ severity }) => severity === "warning")
    .filter(({ line }) => !commentAbove(lines, line).includes("decide:"))
    .map(({ code, line, message }) => `${line} ${code}: ${message}`);
}

/** The comment that stands right above a line. */
function commentAbove(lines: readonly string[], line: number): string {
  const above: string[] = [];
  for (let at = line - 2; /^\s*#/.test(lines[at] ?? ""); at -= 1) above.unshift(lines[at]!);
  return above.join(" ");
}
