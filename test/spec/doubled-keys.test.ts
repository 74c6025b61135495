import { describe, expect, test } from "vitest";
import { checkSpec } from "../../src/spec/check-spec.ts";
import { findDoubledKeys } from "../../src/spec/find-doubled-keys.ts";
import { openText, readOf } from "./open-spec.ts";

describe("a name that stands twice in one object", () => {
  const cases: [title: string, text: string, want: object[]][] = [
    ["YAML blocks", "a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", [{ key: "c", line: 5, column: 3 }]],
    ["YAML flow", "a: {b: 1, b: 2}\n", [{ line: 1 }]],
    ["YAML merge keys are no doubles", "a: &a {b: 1}\nc: {<<: *a, b: 2}\n", []],
    ["the same name in two objects", "a: {b: 1}\nc: {b: 1}\n", []],
    [
      "JSON, every one",
      '{"a": 1, "b": {"c": 1,\n "c": "x:y", "d": [{"c": 1}]},\n "a": {}}',
      [
        { key: "c", line: 2, column: 2 },
        { key: "a", line: 3, column: 2 },
      ],
    ],
    ["JSON in two spellings", '{"a": 1, "\\u0061": 2}', [{ key: "a", line: 1, column: 10 }]],
    ["JSON without", '{"a": ["a", "a"], "b": "{\\"a\\": 1, \\"a\\": 2}"}', []],
    ["no text", "", []],
  ];
  test.each(cases)("%s", (_title, text, want) => {
    expect(findDoubledKeys(text)).toMatchObject(want);
    expect(findDoubledKeys(text)).toHaveLength(want.length);
  });

  test("is a warning at its line; the last one counts, and the spec is served", async () => {
    const api = await openText(
      "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    get: {operationId: first, responses: {'200': {description: ok}}}\n    get: {operationId: last, responses: {'200': {description: ok}}}\n",
    );
    expect(readOf(api, "GET /a").id).toBe("last");
    expect((await checkSpec(api)).filter(({ code }) => code === "spec_doubled_key")).toMatchObject([
      { severity: "warning", line: 6, column: 5, message: '"get" stands twice in one object; the last one counts.' },
    ]);
  });
});
