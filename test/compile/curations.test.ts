import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { portableFaults } from "./portable-faults.ts";

const FOLDER = join(import.meta.dirname, "../fixtures/curations");
const specOf = (text: string) => resolve(FOLDER, /spec: ([^\s,}]+)/.exec(text)?.[1] ?? "");
const curations = readdirSync(FOLDER)
  .filter((name) => /^[a-z]+\.yaml$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }));
const present = curations.filter(({ text }) => existsSync(specOf(text)));
if (present.length < curations.length)
  process.stderr.write(`SKIPPED: the specs of ${curations.length - present.length} curations are not here\n`);

const compiled = new Map<string, Toolset>();
async function toolsetOf(name: string): Promise<Toolset> {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const { text } = present.find((one) => one.name === name)!;
  const { curation, problems } = loadCuration(name, text);
  expect(problems).toEqual([]);
  const result = compileToolset(curation!, await loadApi(specOf(text), {}));
  expect(result.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  compiled.set(name, result.toolset!);
  return result.toolset!;
}

describe.each(present.map(({ name }) => name))("the tools of %s", (name) => {
  test("compile to schemas that every client takes, with texts that hold no markup", async () => {
    for (const { inputSchema, outputSchema, description, annotations } of (await toolsetOf(name)).tools) {
      expect(portableFaults(inputSchema)).toEqual([]);
      expect(outputSchema?.type).toBe("object");
      expect(JSON.stringify(outputSchema)).not.toMatch(
        /"(\$ref|anyOf|oneOf|allOf|const|format|additionalProperties)":/,
      );
      const texts = [description, ...textsOf(inputSchema)];
      expect(texts.filter((text) => /<\/?[a-z]+[ >]|\]\(|\*\*|\b__\w/i.test(text))).toEqual([]);
      expect(texts.filter((text) => text.length > 1_024)).toEqual([]);
      expect(Object.keys(annotations).sort()).toEqual([
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
        "readOnlyHint",
      ]);
    }
  });

  test("name neither the machine nor a secret", async () => {
    expect(JSON.stringify(await toolsetOf(name))).not.toContain(resolve(FOLDER, "../../.."));
  });
});

const withGithub = test.skipIf(!present.some(({ name }) => name === "github.yaml"));

withGithub(
  "what GitHub says of a parameter reaches the caller, and an input called body is the issue's own body",
  async () => {
    const { tools, operations } = await toolsetOf("github.yaml");
    const list = tools.find(({ name }) => name === "gh_list_issues")!;
    expect(list.inputSchema.properties?.["state"]?.description).toBe(
      "Indicates the state of the issues to return. Default: open.",
    );
    const create = tools.find(({ name }) => name === "gh_create_issue")!;
    expect(create.inputSchema.properties?.["body"]).toMatchObject({ type: "string" });
    expect(create.plan.kind === "call" && operations[create.plan.call.operation]?.key).toBe(
      "POST /repos/{owner}/{repo}/issues",
    );
    expect(create.inputs.find(({ name }) => name === "body")?.place).toEqual({ in: "body", pointer: ["body"] });
    expect(create.inputSchema.properties?.["labels"]?.items).toEqual({ type: "string" });
  },
);

function textsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "description" && typeof value === "string" ? [value] : textsOf(value),
  );
}
