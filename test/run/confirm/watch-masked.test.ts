import { describe, expect, test } from "vitest";
import type { UpstreamRequest } from "../../../src/model/exchange.ts";
import { watchMasked } from "../../../src/run/confirm/watch-masked.ts";
import { value } from "../shape-fixture.ts";
import { read, startFlow, write } from "../steps/fixture.ts";

const SECRET = "k-123456";

/** A flow that reads a note and writes it somewhere else, behind a header with a secret. */
function copy(note: string, confirm?: string) {
  const upstream = {
    headers: [{ name: "x-key", value: value("key.k") }],
    credentials: [],
    timeoutMs: 20_000,
    retries: 0,
    maxResponseBytes: 1_000_000,
    concurrency: 16,
    redirects: [],
    errors: {},
  };
  return startFlow({
    steps: [read("a"), write("b", { needs: [0], args: { note: "steps.a.note" } })],
    script: () => ({ body: { note } }),
    toolset: { upstream },
    ...(confirm !== undefined && { tool: { confirm: { text: { kind: "literal", value: confirm }, human: false } } }),
  });
}

describe("what is hidden in what was read", () => {
  test.each<[note: string, confirm: string | undefined, sent: readonly string[], want: object]>([
    ["plain", undefined, ["GET /a", "POST /b?note=plain"], { b: {} }],
    ["three *** of its own", undefined, ["GET /a", "POST /b?note=three%20%2A%2A%2A%20of%20its%20own"], { b: {} }],
    [`with ${SECRET}`, undefined, ["GET /a"], { error: "upstream_bad_response", upstream: { step: "b" } }],
    [`with ${SECRET}`, "Sure?", ["GET /a"], { error: "upstream_bad_response" }],
  ])("%s (asks: %s) is not written back as its mask", async (note, confirm, sent, want) => {
    const flow = copy(note, confirm);
    expect(await flow.ask({}, { key: { k: SECRET } })).toMatchObject(want);
    expect(flow.sent).toEqual(sent);
  });

  test.each<[where: string, request: Partial<UpstreamRequest>, isRefused: boolean]>([
    ["nowhere", {}, false],
    ["in the URL", { url: "https://a/x%2A**" }, true],
    ["in a header", { headers: [["x", "a***"]] }, true],
    ["in a text", { body: '{"a":"***"}' }, true],
    ["in bytes", { body: Buffer.from("a***b") }, true],
  ])("is found %s", (_, request, isRefused) => {
    const whole: UpstreamRequest = {
      operation: "o",
      method: "POST",
      url: "https://a/",
      headers: [],
      safe: false,
      ...request,
    };
    const masked = watchMasked();
    expect(() => masked.check(whole)).not.toThrow();
    masked.note();
    if (isRefused) expect(() => masked.check(whole)).toThrow(/hidden/);
    else expect(() => masked.check(whole)).not.toThrow();
  });
});
