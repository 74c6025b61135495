import { describe, expect, test } from "vitest";
import type { PagePlan, PageSize } from "../../../src/model/call.ts";
import type { Json } from "../../../src/model/json.ts";
import type { PageCursor } from "../../../src/run/list/list-read.ts";
import { nextPage } from "../../../src/run/pages/next-page.ts";
import type { AskedPage } from "../../../src/run/pages/page-styles.ts";
import { expression, rootsOf } from "../shape-fixture.ts";
import { planOf, type Style } from "./scripted-list.ts";

const FIRST: PageCursor = { kind: "first" };
const number = (at: number): PageCursor => ({ kind: "number", number: at });
const value = (at: Json): PageCursor => ({ kind: "value", value: at });
const SURE = { certain: true, unreachable: false };
const OPEN = { certain: false, unreachable: false };
const END = { certain: false, unreachable: false };
const LOST = { certain: false, unreachable: true };
const more: PageSize = { more: expression("more") };
const max: PageSize = { sizeMax: 10 };

interface Case {
  readonly title: string;
  readonly style: Style;
  readonly sizes?: PageSize;
  readonly unsized?: true;
  readonly asked?: AskedPage;
  readonly body?: Json;
  readonly count?: number | undefined;
  readonly last?: Json;
  readonly longest?: number;
  readonly headers?: Record<string, string>;
  readonly status?: number;
  readonly want: ReturnType<typeof nextPage>;
}

const page1 = { cursor: number(1), size: 10 };
const cases: Case[] = [
  {
    title: "a full page may have another behind it",
    style: "page",
    sizes: max,
    count: 10,
    want: { next: number(2), ...OPEN },
  },
  { title: "a short page is the last", style: "page", sizes: max, count: 7, want: END },
  { title: "a page without rows is the last", style: "page", count: 0, want: END },
  {
    title: "`more` decides over the number of rows: true",
    style: "page",
    sizes: { ...max, ...more },
    body: { more: true },
    count: 3,
    want: { next: number(2), ...SURE },
  },
  {
    title: "`more` decides over the number of rows: false",
    style: "page",
    sizes: { ...max, ...more },
    body: { more: false },
    count: 10,
    want: END,
  },
  {
    title: "where nothing stands at `more`, the number of rows decides",
    style: "page",
    sizes: { ...max, ...more },
    body: {},
    count: 7,
    want: END,
  },
  ...([0, "0", "false", false] as const).map(
    (no): Case => ({
      title: `\`more\` is false where ${JSON.stringify(no)} stands`,
      style: "page",
      sizes: { ...max, ...more },
      body: { more: no },
      count: 10,
      want: END,
    }),
  ),
  {
    title: "a short page of a longer list, as the upstream counts it, is not the last",
    style: "page",
    sizes: max,
    body: { total: 57 },
    count: 7,
    want: { next: number(2), ...OPEN, doubted: true },
  },
  {
    title: "a short page that is the rest of what the upstream counts is the last",
    style: "page",
    sizes: max,
    asked: { cursor: number(6), size: 10 },
    body: { total: 57 },
    count: 7,
    want: END,
  },
  {
    title: "so is one behind pages that were all shorter than asked for",
    style: "page",
    sizes: { sizeMax: 50 },
    asked: { cursor: number(6), size: 50 },
    body: { total: 57 },
    count: 7,
    longest: 10,
    want: END,
  },
  {
    title: "a page without rows is the last, whatever is counted",
    style: "page",
    sizes: max,
    body: { total: 57, has_more: true },
    count: 0,
    want: END,
  },
  {
    title: "a sum is no count",
    style: "page",
    sizes: max,
    body: { total: 184203.17 },
    count: 7,
    want: END,
  },
  {
    title: "a short page with a flag that there is more is not the last",
    style: "offset",
    sizes: { sizeMax: 50 },
    asked: { cursor: number(0), size: 50 },
    body: { has_more: true },
    count: 13,
    want: { next: number(13), ...OPEN, doubted: true },
  },
  {
    title: "a short page that reaches what the upstream counts is the last",
    style: "offset",
    sizes: { sizeMax: 50 },
    asked: { cursor: number(50), size: 50 },
    body: { total: 57 },
    count: 7,
    want: END,
  },
  {
    title: "without a known bound a round number may be one",
    style: "page",
    asked: { cursor: number(1), size: 1000 },
    count: 100,
    want: { next: number(2), ...OPEN },
  },
  {
    title: "without a known bound a power of two may be one",
    style: "page",
    asked: { cursor: number(1), size: 1000 },
    count: 256,
    want: { next: number(2), ...OPEN },
  },
  {
    title: "without a known bound another number is none",
    style: "page",
    asked: { cursor: number(1), size: 1000 },
    count: 101,
    want: END,
  },
  {
    title: "shorter than a page before is short",
    style: "page",
    unsized: true,
    asked: { cursor: number(2) },
    count: 20,
    longest: 30,
    want: END,
  },
  {
    title: "as long as the page before is not",
    style: "page",
    unsized: true,
    asked: { cursor: number(2) },
    count: 30,
    longest: 30,
    want: { next: number(3), ...OPEN },
  },
  {
    title: "of a first page whose size nobody knows nothing is known",
    style: "page",
    unsized: true,
    asked: { cursor: number(1) },
    count: 7,
    want: { next: number(2), ...OPEN },
  },
  {
    title: "a size that others set is not known",
    style: "page",
    unsized: true,
    sizes: { sizeMax: 100 },
    asked: { cursor: number(1) },
    count: 7,
    want: { next: number(2), ...OPEN },
  },
  {
    title: "the curation's own size counts",
    style: "page",
    sizes: { sizeFixed: 5 },
    asked: { cursor: number(1) },
    count: 4,
    want: END,
  },
  {
    title: "the curation's own size counts up to the upstream's bound",
    style: "page",
    sizes: { sizeFixed: 500, sizeMax: 100 },
    asked: { cursor: number(1) },
    count: 100,
    want: { next: number(2), ...OPEN },
  },
  { title: "what cannot be counted is not short", style: "page", count: undefined, want: { next: number(2), ...OPEN } },
  {
    title: "offset goes on behind the rows that came",
    style: "offset",
    sizes: max,
    asked: { cursor: number(40), size: 10 },
    count: 10,
    want: { next: number(50), ...OPEN },
  },
  {
    title: "offset ends with a short page",
    style: "offset",
    sizes: max,
    asked: { cursor: number(40), size: 10 },
    count: 9,
    want: END,
  },
  { title: "a token", style: "token", body: { next: "t2" }, count: 3, want: { next: value("t2"), ...SURE } },
  ...([0, "0"] as const).map(
    (zero): Case => ({
      title: `a token that would begin anew, ${JSON.stringify(zero)}, is the end`,
      style: "token",
      body: { next: zero },
      count: 3,
      want: END,
    }),
  ),
  {
    title: "a token of a page without rows",
    style: "token",
    body: { next: "t2" },
    count: 0,
    want: { next: value("t2"), ...SURE },
  },
  ...[
    ["http://api.example.com/things?token=a%2Bb%3D&size=3", "a+b="],
    ["/things?size=3&token=a%20b", "a b"],
    ["?token=x", "x"],
    ["https://api.example.com/things?page=2", "https://api.example.com/things?page=2"],
    ["/sEcReT+cursor==", "/sEcReT+cursor=="],
  ].map(([next = "", token = ""]) => ({
    title: `a token in ${next} is ${token}`,
    style: "token" as const,
    body: { next },
    count: 3,
    want: { next: value(token), ...SURE },
  })),
  { title: "a token that is a number", style: "token", body: { next: 2 }, count: 3, want: { next: value(2), ...SURE } },
  {
    title: "a token that is an object",
    style: "token",
    body: { next: { pk: 1 } },
    count: 3,
    want: { next: value({ pk: 1 }), ...SURE },
  },
  ...[null, "", false].map(
    (next): Case => ({
      title: `a token of ${JSON.stringify(next)} ends the list`,
      style: "token",
      body: { next },
      count: 10,
      want: END,
    }),
  ),
  { title: "an absent token ends the list", style: "token", body: {}, count: 10, want: END },
  {
    title: "`more` is false beside a token",
    style: "token",
    sizes: more,
    body: { next: "t2", more: false },
    count: 10,
    want: END,
  },
  { title: "`more` is true without a token", style: "token", sizes: more, body: { more: true }, count: 10, want: LOST },
  {
    title: "last reads the last row",
    style: "last",
    sizes: max,
    asked: { cursor: FIRST, size: 10 },
    count: 10,
    last: { id: "r9" },
    want: { next: value("r9"), ...OPEN },
  },
  {
    title: "last ends with a short page",
    style: "last",
    sizes: max,
    asked: { cursor: FIRST, size: 10 },
    count: 9,
    last: { id: "r8" },
    want: END,
  },
  {
    title: "a last row that says nothing loses what is behind it",
    style: "last",
    sizes: max,
    asked: { cursor: FIRST, size: 10 },
    count: 10,
    last: {},
    want: LOST,
  },
  {
    title: "a link",
    style: "link",
    headers: { link: "<?p=2>; rel=next" },
    count: 10,
    want: { next: { kind: "link", target: "/things?p=2" }, ...SURE },
  },
  { title: "a link elsewhere", style: "link", headers: { link: "<//x.example/2>; rel=next" }, count: 10, want: LOST },
  { title: "no link", style: "link", headers: { link: "<?p=2>; rel=prev" }, count: 10, want: END },
  {
    title: "a range with rows behind it",
    style: "range",
    asked: { cursor: number(0), size: 50 },
    headers: { "content-range": "items 0-49/375" },
    status: 206,
    count: 50,
    want: { next: number(50), ...SURE },
  },
  {
    title: "the last range",
    style: "range",
    asked: { cursor: number(350), size: 50 },
    headers: { "content-range": "items 350-374/375" },
    status: 206,
    count: 25,
    want: END,
  },
  {
    title: "a full range of a list of unknown length",
    style: "range",
    sizes: { sizeMax: 50 },
    asked: { cursor: number(0), size: 50 },
    headers: { "content-range": "items 0-49/*" },
    status: 206,
    count: 50,
    want: { next: number(50), ...OPEN },
  },
  {
    title: "a short range of a list of unknown length",
    style: "range",
    sizes: { sizeMax: 50 },
    asked: { cursor: number(50), size: 50 },
    headers: { "content-range": "items 50-59/*" },
    status: 206,
    count: 10,
    want: END,
  },
  {
    title: "a range shorter than asked, of a list that is longer",
    style: "range",
    asked: { cursor: number(0), size: 50 },
    headers: { "content-range": "items 0-19/375" },
    status: 206,
    count: 20,
    want: { next: number(20), ...SURE },
  },
  { title: "no rows in the range", style: "range", headers: { "content-range": "items */0" }, count: 0, want: END },
  {
    title: "a server that knows no ranges sends all",
    style: "range",
    count: 375,
    asked: { cursor: number(0), size: 50 },
    want: END,
  },
];

test.each(cases)("$style: $title", (given) => {
  const { style, sizes = {}, unsized, asked = style === "page" ? page1 : { cursor: FIRST } } = given;
  const { size: place, ...rest } = planOf(style, sizes);
  const plan = { ...rest, ...(!unsized && place && { size: place }) } as PagePlan;
  const reply = {
    status: given.status ?? 200,
    url: "https://api.example.com/things",
    headers: new Map(Object.entries(given.headers ?? {})),
  };
  const answered = {
    reply,
    body: given.body ?? {},
    count: given.count,
    ...(given.last !== undefined && { last: given.last }),
  };
  expect(nextPage(plan, asked, answered, given.longest ?? 0, rootsOf())).toStrictEqual(given.want);
});

describe("an address without the token, where the token is a number,", () => {
  const plan = {
    ...planOf("token"),
    send: { place: { in: "query", name: "skip", pointer: [] }, type: "integer" },
  } as PagePlan;
  const follow = (next: string) => {
    const reply = { status: 200, url: "https://api.example.com/things", headers: new Map<string, string>() };
    return nextPage(plan, { cursor: FIRST }, { reply, body: { next }, count: 3 }, 0, rootsOf());
  };
  test("is followed as it stands", () => {
    const next = { kind: "link", target: "/things?skiptoken=X1" };
    expect(follow("https://api.example.com/things?skiptoken=X1")).toStrictEqual({ next, ...SURE });
    expect(follow("https://api.example.com/things?skip=20")).toStrictEqual({ next: value("20"), ...SURE });
  });
  test("is not followed to another server", () => {
    expect(follow("https://evil.example/things?skiptoken=X1")).toStrictEqual({ certain: false, unreachable: true });
  });
});

describe("where an expression cannot be evaluated", () => {
  test("the answer does not fit the tool", () => {
    const plan = planOf("page", { more: expression("contains(gone, 'x')") });
    const answered = { reply: { status: 200, headers: new Map() }, body: {}, count: 10 };
    expect(() => nextPage(plan, page1, answered, 0, rootsOf())).toThrow();
  });
});
