import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TOOL_ERROR_CODES, ToolError } from "../../src/model/errors.ts";
import type { ReplyBody } from "../../src/model/exchange.ts";
import type { Json } from "../../src/model/json.ts";
import type { ErrorRule } from "../../src/model/tool.ts";
import { explainError, explainSuccess, type Failure, ruleSuccesses } from "../../src/run/errors/explain-error.ts";
import { readableText } from "../../src/run/errors/readable-text.ts";
import { writeError } from "../../src/run/errors/write-error.ts";
import { expression } from "./shape-fixture.ts";

const json = (value: Json): ReplyBody => ({ kind: "json", value });
const text = (given: string, mediaType = "text/plain"): ReplyBody => ({ kind: "text", text: given, mediaType });
const empty: ReplyBody = { kind: "empty" };
const NOW = new Date("2026-11-29T12:00:00Z");

function failure(
  status: number,
  body: ReplyBody,
  more: Partial<Failure> & { headers?: Record<string, string> } = {},
): Failure {
  const { headers = {}, ...rest } = more;
  return {
    reply: { status, headers: new Map(Object.entries(headers)), bytes: 0, body },
    safe: true,
    rules: [],
    errors: {},
    roots: { input: { id: "7" }, pins: {} },
    now: NOW,
    ...rest,
  };
}
const explain = (...given: Parameters<typeof failure>) => explainError(failure(...given));

describe("the code of a status", () => {
  test.each([
    [400, "upstream_rejected", false],
    [401, "upstream_unauthorized", false],
    [403, "upstream_unauthorized", false],
    [404, "upstream_not_found", false],
    [408, "upstream_rejected", true],
    [409, "upstream_rejected", false],
    [418, "upstream_rejected", false],
    [422, "upstream_rejected", false],
    [425, "upstream_rejected", true],
    [429, "upstream_rate_limited", true],
    [500, "upstream_unavailable", true],
    [503, "upstream_unavailable", true],
    [302, "upstream_bad_response", false],
    [304, "upstream_bad_response", false],
  ])("%i is %s", (status, code, retryable) => {
    const error = explain(status, empty);
    expect(error).toMatchObject({ code, detail: { retryable, upstream: { status } } });
    expect(error.message).toContain(String(status));
    expect(error.detail.recover.length).toBeGreaterThan(20);
  });

  test.each([
    ["says when to come again", { "retry-after": "30" }, "upstream_rate_limited"],
    ["says that nothing is left", { "x-ratelimit-remaining": "0" }, "upstream_rate_limited"],
    ["says that nothing is left, in the standard's way", { "ratelimit-remaining": "0" }, "upstream_rate_limited"],
    ["says that nothing is left, by a policy", { ratelimit: '"a";r=0' }, "upstream_rate_limited"],
    ["says that something is left of a policy", { ratelimit: '"a";r=2;t=30' }, "upstream_unauthorized"],
    ["says that something is left", { "x-ratelimit-remaining": "10" }, "upstream_unauthorized"],
  ])("a 403 that %s", (_, headers, code) => {
    const { detail, ...error } = explain(403, empty, { headers });
    expect(error.code).toBe(code);
    expect(detail.retryable).toBe(code === "upstream_rate_limited");
    expect(detail.retryAfterMs).toBe("retry-after" in headers ? 30_000 : undefined);
  });

  test.each([
    [304, {}, /nothing has changed/, /If-None-Match/],
    [300, { location: "/x" }, /sent elsewhere \(/, /tell the user/],
    [302, {}, /without saying where/, /tell the user/],
  ])("a %i says what it is", (status, headers, message, recover) => {
    const { detail } = explain(status, empty, { headers });
    expect(detail.message).toMatch(message);
    expect(detail.recover).toMatch(recover);
  });

  test("the operator's credential is not the caller's to correct", () => {
    expect(explain(401, empty).detail.recover).toMatch(/operator/);
  });

  test("a write that failed with 500 is not to be repeated blindly", () => {
    expect(explain(500, empty, { safe: false }).detail).toMatchObject({
      retryable: false,
      recover: expect.stringMatching(/took effect/),
    });
  });

  test.each([
    ["seconds", "7", 7_000],
    ["a date", "Sun, 29 Nov 2026 12:01:00 GMT", 60_000],
    ["a date in the past", "Sun, 29 Nov 2020 12:01:00 GMT", 0],
    ["longer than a day", "9999999", 86_400_000],
    ["nonsense", "soon", undefined],
    ["less than no seconds", "-5", undefined],
    ["a number that is none", "1e400", undefined],
    ["a part of a second", "1.5", 1_500],
  ])("the wait is given in %s", (_, header, want) => {
    expect(explain(429, empty, { headers: { "retry-after": header } }).detail.retryAfterMs).toBe(want);
  });

  test.each<[how: string, headers: Record<string, string>, want: number | undefined]>([
    ["as Unix time", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1795953660" }, 60_000],
    ["in seconds", { "ratelimit-remaining": "0", "ratelimit-reset": "30" }, 30_000],
    ["as Unix time that is over", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1795953000" }, 0],
    ["beside a Retry-After", { "retry-after": "7", "ratelimit-remaining": "0", "ratelimit-reset": "30" }, 7_000],
    ["though some are left", { "x-ratelimit-remaining": "3", "x-ratelimit-reset": "1795953660" }, undefined],
    ["in words", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon" }, undefined],
    ["without a count", { "ratelimit-reset": "30" }, 30_000],
    ["in Twitter's spelling", { "x-rate-limit-remaining": "0", "x-rate-limit-reset": "1795953660" }, 60_000],
    ["in milliseconds", { "retry-after-ms": "350" }, 350],
    ["in milliseconds beside coarser seconds", { "retry-after": "1", "x-ms-retry-after-ms": "350.5" }, 351],
    ["in milliseconds that are none", { "retry-after": "1", "retry-after-ms": "soon" }, 1_000],
    ["by the standard's one policy", { ratelimit: '"default";r=0;t=12' }, 12_000],
    ["by one policy without a count", { ratelimit: '"default";t=12' }, 12_000],
    ["by those policies that are spent", { ratelimit: '"s, r=1;t=9";r=0;t=12, "day";r=99;t=3600' }, 12_000],
    ["by no policy that is spent", { ratelimit: '"a";r=5;t=12, "b";r=1;t=9' }, undefined],
    ["in the standard's older words", { ratelimit: "limit=9, remaining=0, reset=12" }, 12_000],
    ["in words that are no policy", { ratelimit: "12" }, undefined],
  ])("when there are requests left again is said %s", (_, headers, want) => {
    expect(explain(429, empty, { headers }).detail.retryAfterMs).toBe(want);
  });
});

describe("a challenge", () => {
  const challenge = {
    "www-authenticate": 'Bearer realm="api", error="invalid_token", error_description="The \\"tok\\" expired"',
  };
  test("says what is wrong with a token where no body does", () => {
    const error = explain(401, empty, { headers: challenge });
    expect(error.detail.upstream).toEqual({ status: 401, code: "invalid_token", message: 'The "tok" expired' });
    expect(error.message).toContain('(401): The "tok" expired');
  });
  test("says nothing beside the words of a body, nor without an error", () => {
    const said = json({ code: "E1", message: "Gone" });
    expect(explain(401, said, { headers: challenge }).detail.upstream).toEqual({
      status: 401,
      code: "E1",
      message: "Gone",
    });
    const bare = explain(401, empty, { headers: { "www-authenticate": 'Basic realm="error"' } });
    expect(bare.detail.upstream).toEqual({ status: 401 });
  });
});

describe("the upstream's own words", () => {
  const cases: readonly [title: string, body: ReplyBody, code: string | undefined, message: string | undefined][] = [
    [
      "problem+json",
      json({
        type: "about:blank",
        title: "Invalid",
        detail: "Two faults.",
        errors: [{ field: "email", msg: "required" }],
      }),
      undefined,
      "Invalid – Two faults. – email: required",
    ],
    ["an error object", json({ error: { code: "bad_thing", message: "No." } }), "bad_thing", "No."],
    [
      "an error as text",
      json({ error: "not_allowed", message: "Ask first." }),
      "not_allowed",
      "Ask first. – not_allowed",
    ],
    ["OAuth's", json({ error: "invalid_grant", error_description: "Gone." }), "invalid_grant", "Gone. – invalid_grant"],
    ["a list of objects", json({ errors: [{ code: 12, message: "A" }, { message: "B" }] }), undefined, "A; B"],
    ["a list of texts", json({ errors: ["A", "B"] }), undefined, "A; B"],
    ["a map of fields", json({ errors: { email: ["is taken", "is short"] } }), undefined, "email: is taken, is short"],
    ["a list at the root", json([{ message: "A" }]), undefined, "A"],
    [
      "places of a validator",
      json({ detail: [{ loc: ["body", "x"], msg: "missing", type: "m" }] }),
      undefined,
      "body.x: missing",
    ],
    [
      "JSON:API's",
      json({ errors: [{ source: { pointer: "/data/a" }, detail: "Wrong." }] }),
      undefined,
      "/data/a: Wrong.",
    ],
    ["many errors", json({ errors: ["1", "2", "3", "4", "5", "6", "7"] }), undefined, "1; 2; 3; 4; 5; and 2 more"],
    ["a JSON text", json("No."), undefined, "No."],
    ["unknown JSON", json({ a: 1 }), undefined, '{"a":1}'],
    [
      "an HTML page",
      text(
        "<!DOCTYPE html><html><head><title>502 Bad Gateway</title><style>b{}</style></head><body><script>x()</script><h1>Sorry &amp; bye</h1></body></html>",
        "text/html",
      ),
      undefined,
      "502 Bad Gateway: Sorry & bye",
    ],
    ["plain text", text("line 1\n\n  line 2"), undefined, "line 1 line 2"],
    ["nothing", { kind: "empty" }, undefined, undefined],
  ];
  test.each(cases)("%s", (_, body, code, message) => {
    const { upstream } = explain(422, body).detail;
    expect([upstream?.code, upstream?.message]).toEqual([code, message]);
  });

  test("are where the curation says, before anything else", () => {
    const errors = { message: expression("fault.why"), code: expression("fault.no") };
    const body = json({ message: "usual", code: "usual", fault: { why: "Because.", no: 42 } });
    expect(explain(400, body, { errors }).detail.upstream).toEqual({ status: 400, code: "42", message: "Because." });
    expect(explain(400, json({ message: "usual" }), { errors }).detail.upstream).toEqual({
      status: 400,
      message: "usual",
    });
  });

  test("never hold what cannot be seen", () => {
    const hidden = "a\u0000b\u200Bc\u202Ed\u{E0041}e\uE000f\u001B[31mg\u2066h\u00ADi";
    expect(explain(400, json({ message: hidden })).detail.upstream?.message).toBe("abcdef[31mghi");
    expect(readableText("👩\u200D💻 a\u200Db", 100)).toBe("👩\u200D💻 ab");
  });
});

describe("the curation's rules", () => {
  const rule = (more: Partial<ErrorRule>): ErrorRule => ({ error: "mine", recover: "Do that.", ...more });
  const body = json({ code: "UNKNOWN_FIELD", message: "Unknown field: x", fields: ["x"] });

  test.each([
    ["the exact status", rule({ status: "400" }), "mine"],
    ["the class of the status", rule({ status: "4XX" }), "mine"],
    ["another status", rule({ status: "404" }), "upstream_rejected"],
    ["another class", rule({ status: "5XX" }), "upstream_rejected"],
    ["any failure", rule({}), "mine"],
    ["a condition on the code", rule({ when: expression("code == 'UNKNOWN_FIELD'") }), "mine"],
    ["a condition on the body", rule({ when: expression("length(body.fields) == `1`") }), "mine"],
    ["a condition on status and arguments", rule({ when: expression("status == `400` && $.input.id == '7'") }), "mine"],
    ["a condition that does not hold", rule({ when: expression("code == 'OTHER'") }), "upstream_rejected"],
    [
      "a condition that cannot be evaluated",
      rule({ when: expression("contains(body.missing, 'x')") }),
      "upstream_rejected",
    ],
  ])("%s", (_, given, code) => {
    const error = explain(400, body, { rules: [given] });
    expect(error.code).toBe(code);
    expect(error.detail.recover === "Do that.").toBe(code === "mine");
    expect(error.detail.upstream).toMatchObject({ code: "UNKNOWN_FIELD", message: "Unknown field: x" });
  });

  test("the first that fits counts", () => {
    expect(
      explain(400, body, { rules: [rule({ status: "404", error: "a" }), rule({ error: "b" }), rule({ error: "c" })] })
        .code,
    ).toBe("b");
  });

  test("an answer of 200 that says it failed is an error where a rule says so by status and condition", () => {
    const failed = json({ ok: false, error: "channel_not_found" });
    const fits = rule({ status: "200", when: expression("body.ok == `false`") });
    expect(explainSuccess(failure(200, failed, { rules: [fits] }))).toMatchObject({
      code: "mine",
      detail: { upstream: { code: "channel_not_found" } },
    });
    expect(explainSuccess(failure(200, json({ ok: true }), { rules: [fits] }))).toBeUndefined();
    expect(explainSuccess(failure(200, failed, { rules: [rule({})] }))).toBeUndefined();
  });

  test("only a rule whose status is one of success has an answer of 200 read for it", () => {
    const when = expression("body.ok == `false`");
    const rules = ["400", "4XX", "200", "2XX"].map((status) => rule({ status, when }));
    expect(ruleSuccesses([...rules, rule({ status: "200" }), rule({ when })])).toEqual(rules.slice(2));
  });
});

describe("an error's text", () => {
  const keep = (one: string) => one;

  test("is one JSON object with its keys in the contract's order", () => {
    const error = new ToolError("unknown_fields", {
      upstream: { status: 400, code: "UNKNOWN_FIELD" },
      nearest: ["FOCUS/ServiceName"],
      got: "Service",
      path: "dimensions[0]",
      recover: "Call `ledger_list_dimensions`.",
      message: "Unknown fields: Service.",
    });
    expect(writeError(error, keep)).toEqual({
      isError: true,
      error: "unknown_fields",
      text: '{"error":"unknown_fields","message":"Unknown fields: Service.","recover":"Call `ledger_list_dimensions`.","path":"dimensions[0]","got":"Service","nearest":["FOCUS/ServiceName"],"retryable":false,"upstream":{"status":400,"code":"UNKNOWN_FIELD"}}',
    });
  });

  test("takes secrets out of everything that came from outside", () => {
    const hide = (one: string) => one.replaceAll("s3cret", "[hidden]");
    const error = new ToolError("upstream_rejected", {
      message: "Bad key s3cret",
      recover: "Not s3cret.",
      got: { key: "s3cret" },
      allowed: ["s3cret"],
      nearest: ["s3cret"],
      path: "s3cret",
      upstream: { code: "s3cret", message: "key s3cret is bad" },
    });
    expect(writeError(error, hide).text).not.toContain("s3cret");
  });

  test("has at most 2 kB, whatever is in it", () => {
    const long = fc.string({ unit: "binary", maxLength: 3_000 });
    const json = fc.jsonValue({ stringUnit: "binary" }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
    const detail = fc.record({
      message: long,
      recover: long,
      path: long,
      got: json,
      allowed: fc.array(fc.oneof(json, long), { maxLength: 100 }),
      nearest: fc.array(long, { maxLength: 10 }),
      retryAfterMs: fc.nat(),
      upstream: fc.record({ status: fc.nat(999), code: long, message: long, step: long }),
    });
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...TOOL_ERROR_CODES), long), detail, (code, given) => {
        const reply = writeError(new ToolError(code, given), keep);
        expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(2_000);
        const written = JSON.parse(reply.text);
        for (const key of ["error", "message", "recover", "retryable"]) expect(written).toHaveProperty(key);
      }),
    );
    const wide = '\\"😀'.repeat(1_000);
    const worst = new ToolError(wide, {
      message: wide,
      recover: wide,
      path: wide,
      got: wide,
      allowed: [wide, wide, wide],
      nearest: [wide, wide, wide, wide, wide],
      retryAfterMs: 1,
      upstream: { status: 500, code: wide, message: wide, step: wide },
    });
    expect(Buffer.byteLength(writeError(worst, keep).text)).toBeLessThanOrEqual(2_000);
  });
});
