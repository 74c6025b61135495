import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import { readPart } from "../../../src/run/list/read-part.ts";
import { planOf, rowsWithIds, type Style, scriptList, sourceOf } from "../pages/scripted-list.ts";
import { expression } from "../shape-fixture.ts";

const MORE = { more: expression("more") };

const cases: readonly [what: string, style: Style, more: typeof MORE | object, size: string][] = [
  ["by a token, which says that there is more", "token", {}, "5"],
  ["by a link, which says that there is more", "link", {}, "5"],
  ["by a number, where the body says that there is more", "page", MORE, "5"],
  ["by a number, where nothing says it: one row more tells", "page", {}, "6"],
  ["by an offset, where nothing says it: one row more tells", "offset", {}, "6"],
  ["behind a row, where nothing says it: one row more tells", "last", {}, "6"],
];
test.each(cases)("a list of five rows is asked for %s", async (_, style, more, size) => {
  const rows: readonly JsonObject[] = rowsWithIds(9);
  const plan = planOf(style, more);
  const { send, requests } = scriptList(style, { rows: () => rows, more: true });
  await readPart(sourceOf(plan, "rows"), plan, send, { limit: 5 });
  expect(new URL(requests[0]!.url).searchParams.get("size")).toBe(size);
});
