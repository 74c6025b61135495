import { expect, test } from "vitest";
import { loadCuration } from "../../../src/curation/load-curation.ts";
import { placeChange } from "../../../src/surface/diff/place-change.ts";

const TEXT = `vitrine: 1
api:
  spec: s.yaml
  timeout: 20s
server:
  name: shop
  title: The shop
  instructions: Read this.
tools:
  list:
    operation: listItems
    use: Find items.
    effect: read
    args: { sort: id }
    input:
      size: { type: integer, maximum: 5, describe: How many. }
    filter: { dialect: odata, fields: { name: {} } }
    result:
      rows: items
      fields:
        id: id
        a/b: { path: name, clip: 20 }
      order: [id]
      limit: { default: 10, max: 50 }
      budget: 8kB
  flow:
    use: Do more.
    steps:
      - { id: one, operation: listItems }
    result:
      value:
        size: steps.one.size
`;
const { curation, problems } = loadCuration("shop.yaml", TEXT);

test.each([
  ["list", "/inputSchema/properties/size/maximum", "      size: { type"],
  ["list", "/inputSchema/properties/size/description", "      size: { type"],
  ["list", "/inputSchema/properties/gone", "    input:"],
  ["list", "/inputSchema/properties/limit/maximum", "      limit:"],
  ["list", "/inputSchema/properties/filter/properties/x", "    filter:"],
  ["list", "/inputSchema/required", "    input:"],
  ["list", "/outputSchema/properties/data/items/properties/id", "        id: id"],
  ["list", "/outputSchema/properties/data/items/properties/a~1b", "        a/b:"],
  ["list", "/outputSchema/properties/data/items/properties/new", "      fields:"],
  ["list", "/conduct/fields/a~1b/clip", "        a/b:"],
  ["list", "/conduct/said/properties/a~1b/type", "        a/b:"],
  ["list", "/conduct/said/properties/id/items/properties/x/type", "        id: id"],
  ["list", "/conduct/said/type", "    result:"],
  ["flow", "/conduct/said/properties/size/type", "        size: steps"],
  ["list", "/conduct/limit/max", "      limit:"],
  ["list", "/conduct/budget", "      budget:"],
  ["list", "/conduct/order", "      order:"],
  ["list", "/conduct/defaults/size", "      size: { type"],
  ["list", "/conduct/filter/fields/name/ops", "    filter:"],
  ["list", "/conduct/operations", "    operation:"],
  ["list", "/conduct/requests", "    args:"],
  ["list", "/conduct/deadlineMs", "  list:"],
  ["list", "/annotations/readOnlyHint", "    effect:"],
  ["list", "/description", "    use: Find"],
  ["list", "/title", "  list:"],
  ["list", "/name", "  list:"],
  ["flow", "/conduct/requests", "    steps:"],
  ["flow", "/outputSchema/properties/size", "        size: steps"],
  ["gone", "/name", "tools:"],
  [null, "/server/instructions", "  instructions:"],
  [null, "/server/title", "  title:"],
  [null, "/server/pageTokenTtlMs", "server:"],
  [null, "/server/upstream/timeoutMs", "  timeout:"],
  [null, "/server/upstream/address", "api:"],
  [null, "/pins/x", "vitrine:"],
  [null, "/tokens", "tools:"],
  ["list", "", "  list:"],
  ["list", "/conduct/fields/__proto__", "      fields:"],
] as const)("a change of %s at %s is found at its line", (tool, path, want) => {
  expect(problems).toStrictEqual([]);
  const change = { rule: "x", class: "BREAKING", tool, path, before: null, after: null, message: "" } as const;
  const key = tool === null || tool === "gone" ? undefined : tool;
  const { line } = curation!.locate(placeChange(change, curation!.content, key));
  expect(TEXT.split("\n")[line - 1]?.startsWith(want), TEXT.split("\n")[line - 1]).toBe(true);
});
