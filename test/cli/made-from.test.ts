import { join } from "node:path";
import { expect, test } from "vitest";
import { madeFrom } from "../../src/cli/toolset/made-from.ts";
import type { SpecFile } from "../../src/model/api.ts";

const file = "somewhere/curation/a.yaml";
const nameOf = (...sources: SpecFile[]) => madeFrom({ file }, { sources: () => sources }).from.map(({ path }) => path);
const sha256 = "0".repeat(64);

test.each<[title: string, path: string, want: string]>([
  ["beside the curation", "somewhere/curation/spec.yaml", "spec.yaml"],
  ["in another folder", join(process.cwd(), "somewhere/specs/api.yaml"), "../specs/api.yaml"],
  ["a URL", "https://api.example.com/v1/openapi.json", "https://api.example.com/v1/openapi.json"],
  [
    "a URL with secrets in it",
    "https://me:canary@api.example.com/openapi.json?key=canary#canary",
    "https://api.example.com/openapi.json",
  ],
])("a source %s", (_, path, want) => {
  expect(nameOf({ path, sha256 })).toStrictEqual([want]);
});

test("sources are in order, each once, and what was not there is none", () => {
  const at = (name: string) => ({ path: `somewhere/curation/${name}`, sha256 });
  const missing = { path: "somewhere/curation/missing.yaml" };
  const outside = { path: "somewhere/curation/outside.yaml", real: "/etc/passwd" };
  expect(nameOf(at("b"), at("a"), missing, at("b"), outside)).toStrictEqual(["a", "b"]);
});
