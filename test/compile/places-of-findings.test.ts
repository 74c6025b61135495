import { expect, test, vi } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { openReport } from "../../src/compile/open-report.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { apiOfText, curationText } from "./compile-text.ts";
import { curationOf } from "./spec-stub.ts";

const SPEC = `
openapi: 3.1.0
info: { title: Things, version: "1" }
paths:
  /things:
    post:
      operationId: addThing
      responses: { "200": { description: Added. } }
`;
const SAFER = "  add: { operation: addThing, effect: read }";

test("where a finding stands is looked up when it is asked for, and once", () => {
  const locate = vi.fn(() => ({ file: "a.yaml", line: 3, column: 5 }));
  const report = openReport({ ...curationOf({ add: { operation: "addThing" } }), locate });
  report.add("note", "any_note", ["tools", "add"], "Something.", "Do nothing.");
  expect(report.problems.filter(({ severity, code }) => severity === "error" || code === "other")).toStrictEqual([]);
  expect(locate).not.toHaveBeenCalled();
  const shown = { file: "a.yaml", line: 3, column: 5, code: "any_note", severity: "note" };
  expect(JSON.parse(JSON.stringify(report.problems))).toStrictEqual([
    { ...shown, message: "Something.", hint: "Do nothing." },
  ]);
  expect(locate).toHaveBeenCalledTimes(1);
});

test("a start, which tells errors only, looks no place up for a note and compiles the same toolset", async () => {
  const loaded = loadCuration("things.yaml", curationText(SAFER, { api: 'baseUrl: "https://things.example"' }));
  const locate = vi.fn(loaded.curation!.locate);
  const curation = { ...loaded.curation!, locate };
  const api = await apiOfText(SPEC);
  const started = compileToolset(curation, api, { errorsOnly: true });
  expect(started.problems).toStrictEqual([]);
  expect(locate).not.toHaveBeenCalled();
  const checked = compileToolset(curation, api);
  expect(checked.problems.map(({ code }) => code)).toContain("declared_safer");
  expect(locate).toHaveBeenCalled();
  expect(started.toolset).toStrictEqual(checked.toolset);
  expect(started.toolset).toBeDefined();
});
