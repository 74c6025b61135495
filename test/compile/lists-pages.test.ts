import { describe, expect, test } from "vitest";
import type { PagePlan } from "../../src/model/call.ts";
import { apiOfText, compileText, curationText, shown, toolOf } from "./compile-text.ts";
import { LISTS_SPEC } from "./lists-spec.ts";

const api = await apiOfText(LISTS_SPEC);

interface Written {
  readonly operation?: string;
  /** Further lines of the tool. */
  readonly tool?: string;
  readonly result?: string;
  /** \`api.pages\`. */
  readonly pages?: string;
  readonly pins?: string;
}

function compile({ operation = "listCharges", tool = "", result = "rows: rows", pages, pins }: Written) {
  const text = `list_charges:\n  operation: ${operation}\n  use: List.\n  result: {${result}}\n${tool}`;
  const more = { ...(pages !== undefined && { api: `pages: ${pages}` }), ...(pins !== undefined && { pins }) };
  return compileText(api, curationText(text, more));
}

function pagesOf(written: Written): PagePlan | undefined {
  const { plan } = toolOf(compile(written), "list_charges");
  return plan.kind === "call" ? plan.call.pages : undefined;
}

const query = (name: string, type: string) => ({ place: { in: "query", name, pointer: [] }, type });
const inBody = (name: string, type: string) => ({ place: { in: "body", pointer: [name] }, type });

describe("how a list is paged", () => {
  test.each<[string, Written, unknown]>([
    ["no word of pages", {}, undefined],
    [
      "numbered pages from 1, as large as the spec allows",
      { pages: "[{style: page, send: query.page, size: query.size}]" },
      { style: "page", send: query("page", "integer"), first: 1, size: query("size", "integer"), sizeMax: 500 },
    ],
    [
      "numbered pages from 0, as large as the author says",
      { pages: "[{style: page, send: page, first: 0, size: size, sizeMax: 100}]" },
      { style: "page", send: query("page", "integer"), first: 0, size: query("size", "integer"), sizeMax: 100 },
    ],
    [
      "an offset, without a size",
      { pages: "[{style: offset, send: offset, more: more}]" },
      { style: "offset", send: query("offset", "integer"), more: { jmespath: "more" } },
    ],
    [
      "the first style whose places the operation has",
      {
        pages:
          "[{style: token, send: body/pageToken, next: next}, {style: token, send: query.cursor, next: next, size: query.limit}, {style: token, send: query.cursor, next: next}, {style: link}]",
      },
      { style: "token", send: query("cursor", "string"), next: { jmespath: "next" } },
    ],
    [
      "the last row",
      { pages: "[{style: last, send: cursor, next: id}]" },
      { style: "last", send: query("cursor", "string"), next: { jmespath: "id" } },
    ],
    ["links", { pages: "[{style: link, size: per_page}]" }, { style: "link", size: query("per_page", "integer") }],
    ["ranges", { pages: "[{style: range}]" }, { style: "range", unit: "items" }],
    [
      "ranges of so many rows of a unit",
      { pages: "[{style: range, unit: rows, size: 50}]" },
      { style: "range", unit: "rows", sizeFixed: 50 },
    ],
    ["no style that fits", { operation: "listPlain", pages: "[{style: page, send: page}]" }, undefined],
    [
      "the tool's own style",
      { pages: "[{style: link}]", tool: "  pages: {style: page, send: page}" },
      { style: "page", send: query("page", "integer"), first: 1 },
    ],
    ["none", { pages: "[{style: link}]", tool: "  pages: none" }, undefined],
    [
      "a POST that only reads",
      {
        operation: "queryCharges",
        tool: "  effect: read\n  input: {from: {}}\n  args: {body/range/from: '${input.from}'}",
        pages: "[{style: token, send: body/pageToken, next: next, size: body/pageSize}]",
      },
      {
        style: "token",
        send: inBody("pageToken", "string"),
        next: { jmespath: "next" },
        size: inBody("pageSize", "integer"),
        sizeMax: 1000,
      },
    ],
    [
      "a size that the curation sends itself",
      { pages: "[{style: page, send: page, size: size}]", tool: "  args: {query.size: 20}" },
      { style: "page", send: query("page", "integer"), first: 1, sizeFixed: 20, sizeMax: 500 },
    ],
    [
      "a size that the caller chooses",
      { pages: "[{style: page, send: page, size: per_page}]", tool: "  input: {per_page: {}}" },
      { style: "page", send: query("page", "integer"), first: 1 },
    ],
    [
      "a size that is pinned",
      { pages: "[{style: page, send: page, size: size}]", pins: "{size: 7}" },
      { style: "page", send: query("page", "integer"), first: 1, sizeMax: 500 },
    ],
    ["a page that is pinned", { pages: "[{style: page, send: page}]", pins: "{page: 7}" }, undefined],
    [
      "a place of the page that the curation leaves empty",
      { pages: "[{style: page, send: page}]", tool: "  args: {query.page: null}" },
      { style: "page", send: query("page", "integer"), first: 1 },
    ],
  ])("%s", (_, written, want) => {
    expect(pagesOf(written)).toEqual(want);
  });

  test("a tool that gives no list is not paged", () => {
    expect(pagesOf({ pages: "[{style: link}]", result: "fields: {n: total}" })).toBeUndefined();
  });

  test("the request's plan has the parameters that paging fills", () => {
    const { toolset } = compile({ pages: "[{style: page, send: page, size: size}]" });
    expect(toolset?.operations[0]?.parameters.map(({ name }) => name)).toEqual(["page", "size"]);
  });

  test("a required place that paging fills needs no other value", async () => {
    const spec =
      "paths: {/a: {get: {operationId: a, parameters: [{name: page, in: query, required: true, schema: {type: integer}}], responses: {'200': {description: OK}}}}}";
    const needy = await apiOfText(spec);
    const tool = "list_a: {operation: a, use: List., result: {rows: rows}}";
    const codes = (text: string) => compileText(needy, text).problems.map(({ code }) => code);
    expect(codes(curationText(tool))).toEqual(["required_unfilled"]);
    expect(codes(curationText(tool, { api: "pages: [{style: page, send: page}]" }))).toEqual([]);
  });
});

describe("what cannot be paged so", () => {
  test.each<[string, Written, string[]]>([
    [
      "a caller's own page switches off what the API says",
      { pages: "[{style: page, send: page}]", tool: "  input: {page: {}}" },
      [
        "9 page_taken: `query.page` asks for a page of the upstream, so the list is not paged by `api.pages` any more. ",
      ],
    ],
    [
      "a page of the args too",
      { pages: "[{style: page, send: page}]", tool: "  args: {query.page: 3}" },
      [
        "9 page_taken: `query.page` asks for a page of the upstream, so the list is not paged by `api.pages` any more. ",
      ],
    ],
    [
      "and is an error where the tool says pages itself",
      { tool: "  input: {page: {}}\n  pages: {style: page, send: query.page}" },
      ["10 page_taken: `query.page` asks for a page, and is sent by the tool itself as well. "],
    ],
    [
      "a pinned page is an error there as well",
      { tool: "  pages: {style: page, send: query.page}", pins: "{page: 1}" },
      ["10 page_taken: `query.page` asks for a page, and is a place of the pin `page`. "],
    ],
    [
      "an own style whose place is not there",
      { tool: "  pages: {style: page, send: query.pgae}" },
      ['9 unknown_place: listCharges has no `query.pgae`. Did you mean "query.page"?'],
    ],
    [
      "an own size whose place is not there",
      { tool: "  pages: {style: link, size: query.sise}" },
      ['9 unknown_place: listCharges has no `query.sise`. Did you mean "query.size"?'],
    ],
    [
      "own styles none of which fits",
      { tool: "  pages: [{style: page, send: p}, {style: token, send: t, next: next}]" },
      ["9 unfit_pages: `listCharges` has the places of none of these styles. It lacks those of page (p), token (t); "],
    ],
    [
      "a request that writes",
      { operation: "addCharges", tool: "  pages: {style: link}" },
      ["9 unsafe_pages: `addCharges` may write, and what writes is not sent again for a further page. "],
    ],
    [
      "a next that the body lacks",
      { tool: "  pages: {style: token, send: cursor, next: nxet}" },
      ['9 path_not_in_spec: "nxet" is not in the body. Did you mean "next"?'],
    ],
    [
      "a next of the API's that the body lacks",
      { pages: "[{style: token, send: cursor, next: nxet}]" },
      ['2 path_not_in_spec: "nxet" is not in the body of `listCharges`. Did you mean "next"?'],
    ],
    [
      "a next that the last row lacks, for it is not read from the body",
      { tool: "  pages: {style: last, send: cursor, next: next}" },
      ['9 path_not_in_spec: "next" is not in a row. There is id,'],
    ],
    [
      "a more that the body lacks",
      { tool: "  pages: {style: offset, send: offset, more: has_more}" },
      ['9 path_not_in_spec: "has_more" is not in the body. Did you mean "more"?'],
    ],
    [
      "pages of what is no list",
      { result: "fields: {n: total}", tool: "  pages: {style: link}" },
      ["9 needs_rows: `pages` is about rows, and this result has none. "],
    ],
  ])("%s", (_, written, want) => {
    const { problems } = compile(written);
    const found = shown(problems.filter(({ code }) => code !== "write_not_allowed" && code !== "pin_unreached"));
    expect(found).toEqual(want.map((one) => expect.stringContaining(one)));
    for (const { hint } of problems) expect(hint).toMatch(/\w/);
  });
});

test("a place of the API's pages that no operation has is told: lists would come unpaged without a word", () => {
  const pages = "[{style: page, send: query.page}, {style: token, send: query.cursr, next: next, size: query.sise}]";
  expect(shown(compile({ pages }).problems)).toEqual([
    expect.stringContaining("unused_pages: No tool's operation has `query.cursr`, so no list is paged so."),
    expect.stringContaining("unused_pages: No tool's operation has `query.sise`"),
  ]);
});

describe("order over pages", () => {
  const pages = "[{style: page, send: page}]";
  const ordered = (more: string) => shown(compile({ pages, result: `rows: rows, order: [cost]${more}` }).problems);

  test("of a paged list needs all rows, and the hint names the three ways out", () => {
    const [found, ...rest] = ordered("");
    expect(rest).toEqual([]);
    expect(found).toMatch(/order_needs_all: .*`all: .*`group`.*`order: upstream`/);
  });

  test("is fine where all pages are read, where the upstream orders, and where there is one page only", () => {
    expect(ordered(", all: {max: 100}")).toEqual([]);
    expect(shown(compile({ pages, result: "rows: rows, order: upstream" }).problems)).toEqual([]);
    expect(shown(compile({ result: "rows: rows, order: [cost]" }).problems)).toEqual([]);
  });

  test("`all` is data of the shape, and says so where there is nothing to read on", () => {
    const result = "rows: rows, all: {max: 100}";
    expect(toolOf(compile({ pages, result })).shape).toMatchObject({ all: { max: 100 } });
    expect(compile({ result }).problems.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "warning all_unpaged",
    ]);
  });
});

describe("the page token", () => {
  const propertiesOf = (written: Written) => Object.keys(toolOf(compile(written)).inputSchema.properties ?? {});

  test("is an argument of every list, and no input that expressions could read", () => {
    expect(propertiesOf({ result: "rows: rows, limit: {default: 1, max: 2}" })).toEqual(["limit", "pageToken"]);
    expect(propertiesOf({})).toEqual(["pageToken"]);
    expect(propertiesOf({ result: "fields: {n: total}" })).toEqual([]);
    expect(toolOf(compile({})).inputs).toEqual([]);
    const { problems } = compile({ result: "rows: 'rows[?id == $.input.pageToken]'" });
    expect(problems.map(({ code }) => code)).toEqual(["unknown_input"]);
  });

  test("is not where the request writes: nothing is written again for more rows", () => {
    const text = "add: {operation: addCharges, use: Add., result: {rows: rows}}";
    const written = compileText(api, curationText(text, { server: "writes: true" }));
    expect(toolOf(written).inputSchema.properties).toEqual({});
  });

  test("is good as long as the server says", () => {
    const text = "list_charges: {operation: listCharges, use: List., result: {rows: rows}}";
    const ttl = (server: string) => compileText(api, curationText(text, { server })).toolset?.server.pageTokenTtlMs;
    expect(ttl("pageTokenTtl: 2m")).toBe(120_000);
    expect(ttl("")).toBeUndefined();
  });
});
