import { describe, expect, test } from "vitest";
import { markReply } from "../../../src/cli/page/mark-reply.ts";
import type { Json } from "../../../src/model/json.ts";

describe("what of a reply tells of a cut, and what was cut", () => {
  const omitted = (...entries: Json[]): Json => entries;
  const cases: [title: string, reply: Json, marks: string[]][] = [
    ["nothing of a reply that is whole", { rowCount: 1, hasMore: false, data: [{ a: 1 }] }, []],
    ["nothing of what is no object", ["a"], []],
    [
      "what tells of more rows",
      { summary: { returned: 1 }, other: { sum: 1 }, hasMore: true, nextPageToken: "t", note: "1 of 2.", data: [] },
      ["told /summary", "told /other", "told /hasMore", "told /nextPageToken", "told /note"],
    ],
    [
      "of a clipped column the values that end so",
      { omitted: omitted({ what: "text", path: "a", kept: "3" }), data: [{ a: "abc" }, { a: "ab…" }] },
      ["told /omitted", "cut /data/1/a"],
    ],
    [
      "of one that was cut after sentences every value, for any may have been",
      { omitted: omitted({ what: "text", path: "a", kept: "first sentence" }), data: [{ a: "A." }, { a: "B." }] },
      ["told /omitted", "cut /data/0/a", "cut /data/1/a"],
    ],
    [
      "a list inside of a row, and at every position",
      {
        omitted: omitted(
          { what: "items", path: "data[1].tags", kept: "1 of 2" },
          { what: "items", path: "l[].x", kept: "1" },
        ),
        data: [{}, { tags: [1] }],
        l: [{ x: [] }, { x: [] }],
      },
      ["told /omitted", "cut /data/1/tags", "cut /l/0/x", "cut /l/1/x"],
    ],
    [
      "a name that holds dots, slashes and tildes",
      { omitted: omitted({ what: "text", path: "a.b/c~.d", kept: "1" }), "a.b/c~": { d: "x…" } },
      ["told /omitted", "cut /a.b~1c~0/d"],
    ],
    [
      "no place that is not there, nor one that every object has",
      {
        omitted: omitted(
          { what: "step", path: "files", kept: "nothing" },
          { what: "text", path: "constructor", kept: "1" },
          7,
        ),
      },
      ["told /omitted"],
    ],
  ];
  test.each(cases)("%s", (_, reply, marks) => {
    expect(markReply(reply).map(({ kind, pointer }) => `${kind} ${pointer}`)).toStrictEqual(marks);
  });

  test("says what was kept, and the way to the rest", () => {
    const reply = { omitted: [{ what: "items", path: "l", kept: "1 of 9", get: "`all`" }], l: [1] };
    expect(markReply(reply).at(-1)?.words).toBe("items: kept 1 of 9; the rest by `all`.");
  });
});
