import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { compileCuration } from "../../src/cli/toolset/compile-curation.ts";
import type { EgressPolicy } from "../../src/egress/open-egress.ts";
import { fakeEgress, SOURCE } from "../spec/open-spec.ts";
import { folderOf } from "../spec/spec-folder.ts";

const opened = vi.hoisted(() => ({ policies: [] as unknown[], egress: undefined as unknown }));
vi.mock("../../src/egress/open-egress.ts", () => ({
  openEgress: (policy: EgressPolicy) => {
    opened.policies.push(policy);
    return opened.egress;
  },
}));

const ROOT = `openapi: 3.1.0
info: {title: t, version: '1'}
servers: [{url: 'https://api.example'}]
paths: {/a: {$ref: paths/a.yaml}}
`;
const OTHERS = {
  "https://spec.example/paths/a.yaml":
    "get: {operationId: listA, parameters: [{$ref: '../q.yaml'}], responses: {'200': {description: ok}}}\n",
  "https://spec.example/q.yaml": "{name: q, in: query, schema: {type: integer}}\n",
  "https://spec.example/o.yaml":
    "overlay: 1.0.0\ninfo: {}\nactions: [{target: '$.servers[0]', update: {url: 'https://other.example'}}]\n",
};

function curation(api: string): string {
  const text = `vitrine: 1\napi: ${api}\nserver: {name: t}\ntools:\n  list_a: {operation: listA, use: List., input: {q: {}}}\n`;
  return join(
    folderOf({
      "c/t.yaml": text,
      "c/spec.yaml": ROOT.replace("paths/a.yaml", "a.yaml"),
      "c/a.yaml":
        "get: {operationId: listA, parameters: [{name: q, in: query, schema: {type: integer}}], responses: {'200': {description: ok}}}\n",
    }),
    "c/t.yaml",
  );
}

describe("a curation whose spec is at a URL", () => {
  test("is compiled again until all that it needs has come, by a client that trusts no address", async () => {
    const egress = fakeEgress(ROOT, 200, OTHERS);
    opened.egress = egress;
    const file = curation(`{spec: '${SOURCE}', baseUrl: 'https://api.example'}`);
    const { toolset, problems, files, specIsLocal } = await compileCuration({ file, root: undefined, readOnly: false });
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(toolset?.tools.map(({ inputs }) => inputs.map(({ name }) => name))).toEqual([["q"]]);
    expect(egress.asked).toEqual([SOURCE, "https://spec.example/paths/a.yaml", "https://spec.example/q.yaml"]);
    expect(opened.policies).toEqual([{ trustedHosts: [], allowPrivate: [], allowHttp: false }]);
    expect([files().length, specIsLocal]).toEqual([1, false]);
  });

  test("so does an overlay from a URL make the spec no longer the user's own word", async () => {
    opened.egress = fakeEgress("", 200, OTHERS);
    const file = curation("{spec: spec.yaml, overlays: ['https://spec.example/o.yaml']}");
    const { toolset, specIsLocal, files } = await compileCuration({ file, root: undefined, readOnly: false });
    expect(toolset?.operations[0]?.server).toBe("https://other.example");
    expect(specIsLocal).toBe(false);
    expect(files().map(({ path }) => path.replace(/^.*\//, ""))).toEqual(["t.yaml", "spec.yaml", "a.yaml"]);
  });
});
