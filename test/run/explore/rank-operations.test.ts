import fc from "fast-check";
import { expect, test } from "vitest";
import type { ExploredOperation } from "../../../src/model/explorer.ts";
import { rankOperations } from "../../../src/run/explore/rank-operations.ts";

function get(name: string, path: string, summary = "", tags: readonly string[] = []): ExploredOperation {
  return { name, method: "GET", path, tags, summary };
}
const OPERATIONS = [
  get("pulls/list", "/repos/{o}/pulls", "List pull requests", ["pulls"]),
  get("pulls/list-files", "/repos/{o}/pulls/{n}/files", "List pull requests files", ["pulls"]),
  get("pulls/get", "/repos/{o}/pulls/{n}", "Get a pull request", ["pulls"]),
  get("getInvoices", "/v1/invoices", "", ["billing"]),
  get("listAccess", "/access", "Who may do what"),
  get("GET /status", "/status", "How the service does"),
];

const cases: [title: string, query: string, want: string[]][] = [
  ["all words before some of them", "pull request files", ["pulls/list-files", "pulls/list", "pulls/get"]],
  ["words in any order", "files pull", ["pulls/list-files", "pulls/list", "pulls/get"]],
  ["the exact name first", "pulls/get", ["pulls/get", "pulls/list", "pulls/list-files", "getInvoices"]],
  ["a path as it is sent first", "GET /v1/invoices", ["getInvoices"]],
  ["one and many alike", "invoice", ["getInvoices"]],
  ["a word of camel case", "INVOICES", ["getInvoices"]],
  ["the beginning of a word", "invoi", ["getInvoices"]],
  ["by tag", "billing", ["getInvoices"]],
  ["an s that is no plural", "access", ["listAccess"]],
  ["without a word, all in their order", " ", OPERATIONS.map(({ name }) => name)],
  ["nothing", "weather", []],
  ["marks alone are no word", "???", []],
];
test.each(cases)("finds %s", (_title, query, want) => {
  const found = rankOperations(OPERATIONS, query).map(({ name }) => name);
  expect(found.slice(0, want.length)).toEqual(want);
  if (want.length === 0) expect(found).toEqual([]);
});

test("whatever is asked, each operation comes once at most and one asked for by its name comes first", () => {
  const operations = fc.uniqueArray(
    fc.record({ name: fc.stringMatching(/^[a-z]{1,8}[A-Z/]?[a-z]{0,8}$/), path: fc.webPath(), summary: fc.string() }),
    { selector: ({ name }) => name.toLowerCase(), minLength: 1, maxLength: 20 },
  );
  const law = fc.property(operations, fc.string(), fc.nat(), (drawn, query, at) => {
    const all = drawn.map(({ name, path, summary }) => get(name, path, summary));
    const found = rankOperations(all, query);
    expect(new Set(found).size).toBe(found.length);
    expect(found.every((one) => all.includes(one))).toBe(true);
    const wanted = all[at % all.length]!;
    expect(rankOperations(all, wanted.name)[0]).toBe(wanted);
  });
  fc.assert(law);
});
