import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LINT_RULES } from "../../../src/surface/lint/lint-rules.ts";
import { run } from "../../cli/fake-shell.ts";

// The curations that we ship are what people copy: they keep every rule, without one waiver. That of GitHub is checked in `github.test.ts`.

const FOLDER = join(import.meta.dirname, "../../../curation");
const shipped = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml") && name !== "github.yaml");

test.each(shipped)(
  "%s passes `check --strict`",
  async (name) => {
    const file = join(FOLDER, name);
    expect(readFileSync(file, "utf8")).not.toMatch(/^\s*lint:/m);
    const { code, out } = await run(["check", "--strict", "--json", file]);
    expect(JSON.parse(out).filter(({ severity }: { severity: string }) => severity !== "note")).toStrictEqual([]);
    expect(code).toBe(0);
  },
  60_000,
);

test("every rule has a code of its own, and says in words what it finds and why it matters", () => {
  const codes = LINT_RULES.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => !/^[a-z]+(_[a-z]+)+$/.test(code))).toStrictEqual([]);
  expect(LINT_RULES.filter(({ title, why }) => title.length < 10 || !/^[A-Z0-9`].*\.$/s.test(why))).toStrictEqual([]);
});
