import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/model/json.ts";
import type { Tool } from "../../../src/model/tool.ts";
import { input, refusal, toolOf, validate } from "../validate-fixture.ts";

const plain: Tool = toolOf([input("q", { kind: "string" })]);
const offered: Tool = { ...plain, filter: { offered: true, depth: 2, fields: [], always: [] } };
const hidden: Tool = { ...plain, filter: { offered: false, depth: 2, fields: [], always: [] } };
const paged: Tool = { ...plain, inputSchema: { type: "object", properties: { pageToken: { type: "string" } } } };
const condition = { kind: "single", field: "status", op: "eq", value: "open" };

describe("the built-in inputs that are read later", () => {
  test.each<[title: string, raw: Json, want: unknown]>([
    ["as it is", condition, condition],
    ["as the JSON text that some clients send", JSON.stringify(condition), condition],
    ["a text that is no JSON, to be refused as what it is", "status = open", "status = open"],
    ["null as none", null, undefined],
  ])("a filter passes %s", async (_, filter, want) => {
    expect((await validate(offered, { q: "x", filter })).filter).toStrictEqual(want);
  });

  test("a filter is neither an argument in expressions nor on the wire", async () => {
    const { values, wire } = await validate(offered, { q: "x", filter: condition });
    expect([[...values.keys()], [...wire.keys()]]).toStrictEqual([["q"], ["q"]]);
  });

  test("a page token passes where the tool has one", async () => {
    await validate(paged, { pageToken: "abc" });
  });

  test.each([
    ["a filter of a tool without filters", plain, { filter: condition }],
    ["a filter where it is hidden", hidden, { filter: condition }],
    ["a page token of a tool that has none", offered, { pageToken: "abc" }],
  ])("%s is an unknown argument", async (_, tool, raw) => {
    expect(await refusal(tool, raw)).toMatchObject({ code: "unknown_argument" });
  });

  test("a filter text that is nested without end is refused before it is looked at", async () => {
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    expect(await refusal(offered, { filter: deep })).toMatchObject({
      code: "invalid_arguments",
      detail: { path: "filter", message: expect.stringContaining("levels deep") },
    });
  });
});
