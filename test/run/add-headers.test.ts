import { describe, expect, test } from "vitest";
import type { UpstreamRequest } from "../../src/model/exchange.ts";
import { addHeaders } from "../../src/run/exchange/add-headers.ts";

const request = (headers: UpstreamRequest["headers"]): UpstreamRequest => ({
  operation: "GET /a",
  method: "GET",
  url: "https://a.example/a",
  headers,
  safe: true,
});

describe("further headers", () => {
  test("come behind those of the request", () => {
    expect(addHeaders(request([["accept", "*/*"]]), [["traceparent", "1"]]).headers).toStrictEqual([
      ["accept", "*/*"],
      ["traceparent", "1"],
    ]);
  });

  test("do not take the place of one that the curation or a pin has set", () => {
    const own = request([["Traceparent", "own"]]);
    expect(addHeaders(own, [["traceparent", "1"]])).toBe(own);
  });

  test("may be none", () => {
    const own = request([]);
    expect(addHeaders(own, [])).toBe(own);
  });
});
