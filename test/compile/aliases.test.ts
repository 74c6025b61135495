import { expect, test } from "vitest";
import { listedTool } from "../../src/model/listed-tool.ts";
import { compileTools, errorsOf, toolOf } from "./compile-text.ts";

const SPEC = "paths: {/things: {get: {operationId: listThings, responses: {'200': {description: ok}}}}}";
const tool = (name: string, aliases = "") =>
  `${name}: {operation: listThings, use: All.${aliases && `, aliases: [${aliases}]`}}`;

test("an old name is one that callers used: with the prefix, which may be written", async () => {
  const result = await compileTools(SPEC, tool("list", "old.list, x_older"), { server: "prefix: x_" });
  const compiled = toolOf(result);
  expect(compiled).toMatchObject({ name: "x_list", aliases: ["x_old_list", "x_older"] });
  expect(JSON.stringify(listedTool(compiled, true))).not.toContain("old");
});

test.each([
  ["a name that is listed", `${tool("list", "other")}\n${tool("other")}`, ["name_clash"]],
  ["its own name", tool("list", "list"), ["name_clash"]],
  ["an old name of another tool", `${tool("list", "old")}\n${tool("other", "old")}`, ["name_clash"]],
  ["a name that no caller can have used", tool("list", "Old-List"), ["name_invalid"]],
  ["a free one", tool("list", "old_list"), []],
])("%s as an old name", async (_, tools, want) => {
  expect(errorsOf(await compileTools(SPEC, tools))).toStrictEqual(want);
});

test("a group's name is no old name of an action", async () => {
  const tools = tool("things.list", "things");
  expect(errorsOf(await compileTools(SPEC, tools, { server: "expose: grouped" }))).toStrictEqual(["name_clash"]);
  expect(errorsOf(await compileTools(SPEC, tools))).toStrictEqual([]);
});
