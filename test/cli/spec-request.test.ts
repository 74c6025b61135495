import { expect, test } from "vitest";
import { curationOfSpec, nameOfTitle } from "../../src/cli/toolset/spec-request.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";

const names: [title: string, want: string][] = [
  ["Unleash API", "unleash-api"],
  ["GitHub v3 REST API", "github-v3-rest"],
  ["3scale: The API!", "scale-the-api"],
  ["Система", "explore"],
  ["", "explore"],
];
test.each(names)("an API called %j is served as %s", (title, want) => {
  expect(nameOfTitle(title)).toBe(want);
  expect(want).toMatch(/^[a-z][a-z0-9-]{0,14}$/);
});

test.each(["https://example.com/spec.json", "a b.yaml", 'it"s: {odd}.yaml', "- x.yaml"])(
  "the curation that stands for none is right in itself for %s",
  (spec) => {
    const { curation, problems } = loadCuration(
      spec,
      curationOfSpec({ spec, baseUrl: "https://api.example.com" }).text,
    );
    expect(problems).toEqual([]);
    expect(curation?.content.api.spec.endsWith(spec)).toBe(true);
    expect(curation?.content.server.explore).toBe(true);
  },
);
