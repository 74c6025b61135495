import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UpstreamUnreachable } from "../../../src/model/errors.ts";
import type { UpstreamRequest } from "../../../src/model/exchange.ts";
import type { Tool } from "../../../src/model/tool.ts";
import { digestRequest } from "../../../src/run/confirm/digest-request.ts";
import { openWrites } from "../../../src/run/confirm/open-writes.ts";
import { prepareRequest } from "../../../src/run/confirm/prepare-request.ts";
import { showInvisible } from "../../../src/run/confirm/show-invisible.ts";
import { call, confirmTool, contentOf, patchCall, readCall, start, tokenOf, toolsetOf } from "./confirm-fixture.ts";

function request(more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  const headers = [["content-type", "application/json"]] as const;
  return {
    operation: "POST /a",
    method: "POST",
    url: "https://x.example/a",
    headers,
    body: "{}",
    safe: false,
    ...more,
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("what was agreed to", () => {
  test("is sent as often as it was shown, and nothing else is", () => {
    const one = { kind: "certain", request: request() } as const;
    const writes = openWrites([one, one, { kind: "open", operation: "POST /b", step: "b" }], "id");
    writes.permit(request());
    writes.permit(request());
    expect(() => writes.permit(request())).toThrow("was to be sent unconfirmed");
    for (const other of [{ url: "https://x.example/b" }, { method: "PUT" }, { body: '{"a":1}' }, { headers: [] }])
      expect(() => writes.permit(request(other))).toThrow("was to be sent unconfirmed");
    expect(() => openWrites([], "id").permit(request())).toThrow("was to be sent unconfirmed");
    for (let time = 0; time < 3; time += 1) writes.permit(request({ operation: "POST /b", body: String(time) }));
  });

  test("guards every write of a tool that asks first, and no read", () => {
    const { operations } = toolsetOf([]);
    const access = { upstream: { headers: [], credentials: new Map(), secrets: [] } } as never;
    const wire = { input: { zone: "z", address: "a" }, pins: { account: "a-1" } };
    const prepare = (tool: Tool, made = patchCall) =>
      prepareRequest(made, operations[made.operation]!, { tool, access, wire });
    expect(() => prepare(confirmTool())).toThrow("was never asked about");
    expect(prepare(confirmTool(), readCall).method).toBe("GET");
    const { confirm: _, ...unasked } = confirmTool();
    expect(prepare(unasked).method).toBe("PATCH");
    const agreed = (writes: ReturnType<typeof openWrites>) =>
      prepareRequest(patchCall, operations[1]!, { tool: confirmTool(), access, wire, writes });
    expect(() => agreed(openWrites([{ kind: "certain", request: request() }], "id"))).toThrow("sent unconfirmed");
    expect(agreed(openWrites([{ kind: "certain", request: prepare(unasked) }], "id")).method).toBe("PATCH");
  });

  test("has one digest however often it is planned, a multipart body too", () => {
    const multipart = (boundary: string, text: string) =>
      request({
        headers: [["content-type", `multipart/form-data; boundary=${boundary}`]],
        body: Buffer.from(`--${boundary}\r\n\r\n${text}\r\n--${boundary}--`),
      });
    expect(digestRequest(multipart("one", "text"))).toBe(digestRequest(multipart("another", "text")));
    expect(digestRequest(multipart("one", "text"))).not.toBe(digestRequest(multipart("one", "texts")));
    expect(digestRequest(request({ body: "a" }))).not.toBe(digestRequest(request({ body: Buffer.from("a") })));
  });
});

describe("idempotency keys", () => {
  test("of a confirmation are the same for the same request in its turn, and otherwise never", () => {
    const body = fc.constantFrom("a", "b", "c");
    fc.assert(
      fc.property(fc.array(body), fc.string(), fc.string(), (bodies, id, other) => {
        const keysOf = (of: string) => {
          const writes = openWrites([], of);
          return bodies.map((one) => writes.keyFor(request({ body: one })));
        };
        const keys = keysOf(id);
        expect(keysOf(id)).toStrictEqual(keys);
        expect(new Set(keys).size).toBe(bodies.length);
        for (const key of keys) expect(key).toMatch(UUID);
        if (id !== other) expect(keysOf(other).filter((key) => keys.includes(key))).toStrictEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  const idempotencyKey = { place: { in: "header", name: "Idempotency-Key", pointer: [] }, type: "string" } as const;
  const keyed = { ...patchCall, idempotencyKey };
  const ARGS = { zone: "example.org", address: "192.0.2.7" };
  const keysOf = (sent: readonly { headers: Record<string, string> }[]) =>
    sent.map(({ headers }) => headers["idempotency-key"] ?? "");

  test("are laid on after the question, which does not show them", async () => {
    const { run, sent } = start([confirmTool({ plan: { kind: "call", call: keyed } })]);
    const asked = await run(ARGS);
    expect(asked.text).not.toMatch(/idempotency/i);
    await run({ ...ARGS, confirm: tokenOf(asked) });
    expect(keysOf(sent)).toStrictEqual([expect.stringMatching(UUID)]);
  });

  test("are another for each call that nobody is asked about, and for each request of one", async () => {
    const { confirm: _, ...tool } = confirmTool({
      plan: { kind: "steps", steps: [call("a", keyed), call("b", keyed, { needs: [0] })] },
    });
    const { run, sent } = start([tool]);
    await run(ARGS);
    await run(ARGS);
    expect(new Set(keysOf(sent)).size).toBe(4);
    for (const key of keysOf(sent)) expect(key).toMatch(UUID);
  });

  test.each<[what: string, made: typeof patchCall, retries: number, wantSent: number, wantError: string | undefined]>([
    ["with a key is sent again with the same one", keyed, 2, 2, undefined],
    ["with a key is not sent again where the API allows no retries", keyed, 0, 1, "outcome_unknown"],
    ["without a key is sent once", patchCall, 2, 1, "outcome_unknown"],
  ])("a write whose answer is lost %s", async (_, made, retries, wantSent, wantError) => {
    const { confirm: _asked, ...tool } = confirmTool({ plan: { kind: "call", call: made } });
    let lost = 0;
    const answer = () => {
      lost += 1;
      return lost === 1 ? new UpstreamUnreachable("reset", "gone") : { ok: true };
    };
    const { run, sent } = start([tool], answer, {}, { retries });
    const reply = contentOf(await run(ARGS));
    expect(reply.error).toBe(wantError);
    expect(sent).toHaveLength(wantSent);
    expect(new Set(keysOf(sent)).size).toBe(1);
  });

  test.each<[second: number | "refused", want: string]>([
    [409, "outcome_unknown"],
    [429, "outcome_unknown"],
    [503, "outcome_unknown"],
    ["refused", "outcome_unknown"],
    [422, "upstream_rejected"],
  ])("after a lost answer the last attempt ends with %s: %s", async (second, want) => {
    const { confirm: _asked, ...tool } = confirmTool({ plan: { kind: "call", call: keyed } });
    let attempts = 0;
    const answer = () => {
      attempts += 1;
      if (attempts === 1) return new UpstreamUnreachable("reset", "gone");
      return second === "refused" ? new UpstreamUnreachable("refused", "gone") : { status: second };
    };
    const { run, sent } = start([tool], answer, {}, { retries: 1 });
    expect(contentOf(await run(ARGS)).error).toBe(want);
    expect(sent).toHaveLength(2);
  });
});

describe("a text for a person", () => {
  test.each([
    ["plain\n\ttext é 日本 🙂", "plain\n\ttext é 日本 🙂"],
    ["a\u202eb", "a<U+202E>b"],
    ["zero\u200bwidth", "zero<U+200B>width"],
    ["bell\u0007", "bell<U+0007>"],
    ["line\u2028", "line<U+2028>"],
    ["tag\u{e0041}", "tag<U+E0041>"],
  ])("%j shows all that is in it", (text, want) => {
    expect(showInvisible(text)).toBe(want);
  });
});
