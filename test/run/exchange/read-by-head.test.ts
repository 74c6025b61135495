import { describe, expect, test } from "vitest";
import type { ReplyBody } from "../../../src/model/exchange.ts";
import type { Json } from "../../../src/model/json.ts";
import { readByHead } from "../../../src/run/exchange/read-by-head.ts";
import { list } from "../shape-fixture.ts";
import { values } from "../steps/fixture.ts";
import { startCall } from "./start-call.ts";

const ASKED = "https://api.example.com/v2/things?key=1";
const NOW = new Date("2026-11-05T00:00:00Z");

describe("what the head of an answer without a body tells", () => {
  const cases: [what: string, status: number, headers: Record<string, string>, told: object | undefined][] = [
    ["a 204 that says nothing", 204, {}, undefined],
    ["what was made", 201, { location: "https://api.example.com/v2/things/7" }, { location: "/v2/things/7" }],
    ["what was made, by a relative address", 201, { location: "things/7?v=1#a" }, { location: "/v2/things/7?v=1#a" }],
    ["an address elsewhere", 201, { location: "https://x.example.org/7" }, { location: "https://x.example.org/7" }],
    ["an address that is none", 201, { location: "http://[" }, { location: "http://[" }],
    ["the content's address", 201, { "content-location": "/v2/things/7" }, { location: "/v2/things/7" }],
    ["the address of what was asked itself", 204, { "content-location": ASKED }, undefined],
    ["an entity of OData", 204, { "odata-entityid": "/v2/things(7)" }, { location: "/v2/things(7)" }],
    ["that it is accepted only", 202, {}, { accepted: true }],
    [
      "where to look, and when",
      202,
      { location: "/jobs/7", "retry-after": "5" },
      { accepted: true, location: "/jobs/7", retryAfterMs: 5000 },
    ],
    [
      "where the state is, and where the result",
      202,
      { location: "/results/7", "azure-asyncoperation": "/jobs/7" },
      { accepted: true, location: "/results/7", statusLocation: "/jobs/7" },
    ],
    ["a wait that nobody has to wait", 204, { "retry-after": "5" }, undefined],
  ];
  test.each(cases)("%s", (_, status, headers, told) => {
    const answer = { status, headers: new Map(Object.entries(headers)), body: { kind: "empty" } } as const;
    const body = readByHead(answer, ASKED, NOW, false);
    expect(body).toEqual({ kind: "empty", ...(told && { told }) });
  });
});

describe("a body beside it", () => {
  const json = (value: Json): ReplyBody => ({ kind: "json", value });
  const text: ReplyBody = { kind: "text", text: "ok", mediaType: "text/plain" };
  const made = { location: "/things/7" };
  const told = { accepted: true, ...made } as const;
  test.each<[what: string, status: number, body: ReplyBody, isKept: boolean, want: ReplyBody]>([
    ["of no members is none", 201, json({}), false, { kind: "empty", told: made }],
    ["of no items is none", 202, json([]), false, { kind: "empty", told }],
    ["that is null is none", 202, json(null), false, { kind: "empty", told }],
    ["that somebody reads stays", 201, json({}), true, json({})],
    ["of something made stays", 201, json({ id: 7 }), false, json({ id: 7 })],
    ["of what is accepted has it", 202, json({ id: 7 }), false, { kind: "json", value: { id: 7 }, told }],
    ["of what is accepted has it in a text", 202, text, false, { ...text, told } as ReplyBody],
    ["of another success stays", 200, json({}), false, json({})],
  ])("%s", (_, status, body, isKept, want) => {
    const headers = new Map([["location", "/things/7"]]);
    expect(readByHead({ status, headers, body }, ASKED, NOW, isKept)).toEqual(want);
  });
});

describe("the reply of a tool", () => {
  const note = "The upstream has accepted this and not completed it yet.";
  const job = { location: "/jobs/7?key=sk-live-0123456789" };
  const cases = [
    ["an object", { kind: "object", budget: 512 }, 201, job, "", { done: true, location: "/jobs/7?key=***" }],
    ["an object", { kind: "object", budget: 512 }, 202, job, "", { accepted: true, note, location: "/jobs/7?key=***" }],
    ["a list", list(), 202, { "retry-after": "1" }, "", { accepted: true, note, retryAfterMs: 1000 }],
    ["a list", list(), 202, {}, "{}", { accepted: true, note }],
    ["a list", list(), 200, {}, "{}", { rowCount: 0 }],
    ["a list", list(), 202, {}, '{"state":"queued"}', { accepted: true, note, state: "queued" }],
    ["a list", list(), 202, {}, '{"rows":[1]}', { rowCount: 1, data: [1] }],
    ["a list", list(), 200, {}, '{"state":"queued"}', { error: "upstream_bad_response" }],
    ["an object", { kind: "object", budget: 512 }, 202, job, '{"note":"x"}', { accepted: true, note: "x" }],
    ["an object", { kind: "object", budget: 512 }, 201, job, "{}", { done: true }],
    ["words of the author's own", values({ n: "length(keys(@))" }), 202, {}, "{}", { n: 0 }],
    ["words of the author's own", values({ n: "length(keys(@))" }), 202, {}, "", { accepted: true, note }],
  ] as const;
  test.each(cases)("with %s to %o %i %o %j is %o", async (_, shape, status, headers, body, want) => {
    const reply = await startCall(shape, { status, headers, body });
    expect(reply).toMatchObject(want);
  });

  test("says in the smallest budget how much of an address it shows", async () => {
    const location = `/things/${"a".repeat(900)}`;
    const reply = await startCall({ kind: "object", budget: 512 }, { status: 201, headers: { location }, body: "" });
    expect(reply).toMatchObject({ omitted: [{ what: "text", path: "location" }], done: true });
    expect(JSON.stringify(reply).length).toBeLessThanOrEqual(512);
  });
});
