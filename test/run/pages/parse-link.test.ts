import { describe, expect, test } from "vitest";
import { parseContentRange } from "../../../src/run/pages/parse-content-range.ts";
import { NOT_FOLLOWED, nextByLink } from "../../../src/run/pages/parse-link.ts";

const ASKED = "https://api.example.com/v1/things?page=1";

describe("the next page by a Link header", () => {
  const cases: [header: string | undefined, want: string | undefined][] = [
    [undefined, undefined],
    ["", undefined],
    ['<https://api.example.com/v1/things?page=2>; rel="next"', "/v1/things?page=2"],
    ["<https://API.example.com:443/v1/things?page=2>; rel=next", "/v1/things?page=2"],
    ['</v1/things?page=2>; rel="next"', "/v1/things?page=2"],
    ['<?page=2>; rel="next"', "/v1/things?page=2"],
    ['<things?page=2>; rel="next"', "/v1/things?page=2"],
    ['<a>; rel="prev", <b>; rel="next"', "/v1/b"],
    ['<a>; rel="prev",<b>;rel="next",<c>;rel="last"', "/v1/b"],
    [',, <b> ; rel = "next" ,', "/v1/b"],
    ['<b>; rel="last next"', "/v1/b"],
    ['<b>; REL="Next"', "/v1/b"],
    ['<b>; rel="nextpage"', undefined],
    ['<b>; title="rel=next, <c>; rel=\\"next\\""; rel="prev"', undefined],
    ['<a,b;c>; rel="next"', "/v1/a,b;c"],
    ['<b>; rel="prev"; rel="next"', undefined],
    ["<b>; foo; rel=next; bar=1", "/v1/b"],
    ["<b>; title*=UTF-8''next; rel=next", "/v1/b"],
    ['<b>; anchor="/other"; rel="next"', undefined],
    ['<b>; anchor="?page=1"; rel="next"', "/v1/b"],
    ['<b>; rel="next', "/v1/b"],
    ["b; rel=next", undefined],
    ["<b; rel=next", undefined],
    ["<b#part>; rel=next", "/v1/b"],
  ];
  test.each(cases)("%s", (header, want) => {
    expect(nextByLink(header, ASKED)).toBe(want);
  });

  test.each([
    '<https://evil.example/v1/things?page=2>; rel="next"',
    "<//evil.example/things>; rel=next",
    "<http://api.example.com/v1/things?page=2>; rel=next",
    "<https://api.example.com:8443/v1/things>; rel=next",
    "<file:///etc/passwd>; rel=next",
    "<https://a:b:c/>; rel=next",
    "<?page=1>; rel=next",
    "<https://api.example.com/v1/things?page=1#top>; rel=next",
  ])("%s is not followed", (header) => {
    expect(nextByLink(header, ASKED)).toBe(NOT_FOLLOWED);
  });
});

describe("a Content-Range", () => {
  const cases: [header: string | undefined, want: ReturnType<typeof parseContentRange>][] = [
    ["items 0-49/375", { rows: { first: 0, last: 49 }, total: 375 }],
    ["items 50-99/*", { rows: { first: 50, last: 99 } }],
    ["0-24/3573458", { rows: { first: 0, last: 24 }, total: 3_573_458 }],
    ["items */0", { total: 0 }],
    ["*/375", { total: 375 }],
    ["bytes=0-1/2", { rows: { first: 0, last: 1 }, total: 2 }],
    ["items 0-49", undefined],
    ["items a-b/c", undefined],
    ["", undefined],
    [undefined, undefined],
  ];
  test.each(cases)("%s", (header, want) => {
    expect(parseContentRange(header)).toStrictEqual(want);
  });
});
