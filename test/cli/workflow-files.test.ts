import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { loadToolset } from "../../src/cli/toolset/load-toolset.ts";

const home = mkdtempSync(join(tmpdir(), "vitrine-flows-"));
mkdirSync(join(home, "project", "curation"), { recursive: true });
const file = join(home, "project", "curation", "a.yaml");
const SPEC = `openapi: 3.1.0
info: { title: Test, version: "1" }
servers: [{ url: https://api.example.com }]
paths: { /things: { get: { operationId: listThings, responses: { "200": { description: ok } } } } }
`;
const FLOW = `arazzo: 1.0.0
info: { title: Flow, version: "1" }
sourceDescriptions: [{ name: a, url: a.yaml, type: openapi }]
workflows: [{ workflowId: all, steps: [{ stepId: list, operationId: listThings }] }]
`;
writeFileSync(join(home, "project", "spec.yaml"), SPEC);
writeFileSync(join(home, "project", "flow.yaml"), FLOW);
writeFileSync(
  join(home, "project", "flow.json"),
  JSON.stringify({
    arazzo: "1.0.1",
    workflows: [{ workflowId: "all", steps: [{ stepId: "list", operationId: "listThings" }] }],
  }),
);
writeFileSync(join(home, "outside.yaml"), FLOW);
writeFileSync(join(home, "project", "large.yaml"), `${FLOW}# ${"x".repeat(4_000_001)}`);

async function load(arazzo: string, env: Record<string, string> = {}) {
  writeFileSync(
    file,
    `vitrine: 1\napi: { spec: ../spec.yaml }\nserver: { name: a }\ntools:\n  flow: { use: Flow., steps: { arazzo: "${arazzo}" } }\n`,
  );
  const reading: string[] = [];
  const loaded = await loadToolset(
    { file, root: undefined, readOnly: false, reading: (path) => reading.push(path) },
    env,
  );
  const within = (path: string) => relative(home, path);
  return {
    ...loaded,
    found: loaded.problems.map(({ line, code }) => `${line} ${code}`),
    files: loaded.files().map(({ path }) => within(path)),
    reading: reading.map(within),
  };
}

describe("the file of a workflow", () => {
  test.each(["../flow.yaml#all", "../flow.json#all"])("is read from under the root: %s", async (arazzo) => {
    const { toolset, found, files, reading } = await load(arazzo);
    expect(found).toEqual([]);
    expect(toolset?.tools[0]?.plan).toMatchObject({ kind: "steps", steps: [{ id: "list" }] });
    const path = `project/${arazzo.slice(3).split("#")[0]}`;
    expect(files).toContain(path);
    expect(reading).toContain(path);
  });

  test.each([
    ["../../outside.yaml#all", "5 outside_root"],
    ["../nowhere.yaml#all", "5 unreadable_arazzo"],
    ["..#all", "5 unreadable_arazzo"],
    ["../large.yaml#all", "5 unreadable_arazzo"],
  ])("else it is one finding at its place: %s", async (arazzo, want) => {
    const { toolset, found } = await load(arazzo);
    expect(found).toEqual([want]);
    expect(toolset).toBeUndefined();
  });

  test("that has changed makes the cached toolset old", async () => {
    const env = { XDG_CACHE_HOME: join(home, "cache") };
    const steps = (loaded: Awaited<ReturnType<typeof load>>) =>
      loaded.toolset?.tools[0]?.plan.kind === "steps" && loaded.toolset.tools[0].plan.steps.map(({ id }) => id);
    const flow = join(home, "project", "changing.yaml");
    writeFileSync(flow, FLOW);
    expect(steps(await load("../changing.yaml#all", env))).toEqual(["list"]);
    writeFileSync(flow, FLOW.replace("stepId: list", "stepId: listed"));
    expect(steps(await load("../changing.yaml#all", env))).toEqual(["listed"]);
  });
});
