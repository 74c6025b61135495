// A document with many operations, and a curation with as many tools.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const PARAMETERS = [
  {
    name: "search",
    in: "query",
    schema: { type: "string" },
    description: "Part of the name of an item, in any letter case.",
  },
  {
    name: "status",
    in: "query",
    schema: { type: "string", enum: ["open", "closed", "all"] },
    description: "Which to show.",
  },
  {
    name: "since",
    in: "query",
    schema: { type: "string", format: "date-time" },
    description: "Only those changed since.",
  },
];
const ITEM = {
  type: "object",
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    currency: { type: "string" },
    active: { type: "boolean" },
    amount: { type: "number" },
  },
};
const ITEMS = { type: "object", properties: { items: { type: "array", items: ITEM } } };

export const toolAt = (at) => `items_list_of_kind_${at}`;

/** Writes both into a folder. Gives the curation, as `{ file, root }`. */
export function writeManyTools(folder, count) {
  const kinds = Array.from({ length: count }, (_, at) => at);
  const answer = { description: "All items.", content: { "application/json": { schema: ITEMS } } };
  const operation = (at) => ({ operationId: `list${at}`, parameters: PARAMETERS, responses: { 200: answer } });
  const paths = Object.fromEntries(kinds.map((at) => [`/items/${at}`, { get: operation(at) }]));
  const spec = { openapi: "3.1.0", info: { title: "Items", version: "1" }, paths };
  const tool = (at) => ({
    operation: `list${at}`,
    title: `List the items of kind ${at}`,
    use: `List the items of kind ${at}, to find the id of one.`,
    returns: "One row an item.",
    input: { search: {}, status: {}, since: {} },
    result: {
      rows: "items",
      fields: { id: "id", name: "name", currency: "currency", active: "active", amount: "amount" },
      limit: { default: 50, max: 200 },
    },
  });
  const curation = {
    vitrine: 1,
    api: { spec: `many-${count}.json`, baseUrl: "${env.ITEMS_URL}" },
    server: { name: "items", title: "Items", prefix: "items_" },
    tools: Object.fromEntries(kinds.map((at) => [`list_of_kind_${at}`, tool(at)])),
  };
  writeFileSync(join(folder, `many-${count}.json`), JSON.stringify(spec));
  const file = join(folder, `many-${count}.yaml`);
  writeFileSync(file, JSON.stringify(curation));
  return { file, root: folder };
}
