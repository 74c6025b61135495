import fc from "fast-check";
import { REPLIES } from "../../fixtures/mcp/front-server.ts";

export const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  oneOf<unknown>(null, {}, [], "", 0, -1, 1.5, 2 ** 53, 1e308, "2026-07-28", true),
);
const names = oneOf<unknown>(...REPLIES.keys(), "sample_boom", "sample_gone", "nobody", "", 7, null, undefined);
/** Mostly as it should be: of what is wrong everywhere little is learned. */
export const often = <T, U>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 14, arbitrary: usual }, { weight: 1, arbitrary: odd });
const capabilities = oneOf<unknown>(
  {},
  { elicitation: {} },
  { elicitation: { form: {} }, roots: { listChanged: true } },
  { sampling: 7 },
  { made: "up" },
  null,
  "x",
);
const info = oneOf<unknown>(
  { name: "a", version: "1" },
  { name: "a", version: "1", title: "A", websiteUrl: "https://a.example" },
  { name: "a" },
  undefined,
  null,
  { name: "a", version: "1", icons: [{ src: "x" }] },
);
const envelope = fc.record(
  {
    "io.modelcontextprotocol/protocolVersion": often(
      oneOf<unknown>("2026-07-28"),
      oneOf<unknown>("2026-07-29", "2025-11-25", 7, null),
    ),
    "io.modelcontextprotocol/clientInfo": info,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  },
  { requiredKeys: ["io.modelcontextprotocol/protocolVersion"] },
);
const extras = fc.dictionary(
  oneOf(
    "progressToken",
    "traceparent",
    "__proto__",
    "constructor",
    "io.modelcontextprotocol/related-task",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/clientInfo",
    "vnd/x",
  ),
  json,
  { maxKeys: 1 },
);
const meta = fc.oneof(
  oneOf<unknown>(undefined),
  fc.tuple(envelope, often(oneOf({}), extras)).map(([first, second]) => ({ ...first, ...second })),
  extras,
  json,
);
const args = often(
  fc.oneof(oneOf<unknown>(undefined), fc.dictionary(fc.string(), json, { maxKeys: 3 })),
  fc.oneof(json, fc.dictionary(oneOf("__proto__", "constructor", "toString", "2", "1"), json)),
);
const params = often(
  fc
    .record({
      name: names,
      arguments: args,
      _meta: meta,
      more: often(
        oneOf({}),
        fc.dictionary(oneOf("cursor", "task", "requestState", "inputResponses", "x", "__proto__"), json, {
          maxKeys: 1,
        }),
      ),
    })
    .map(({ more, ...rest }) => ({ ...rest, ...more })),
  json,
);
/** Messages as a client may send them, and as one would not. */
export const messages = fc
  .record({
    jsonrpc: often(oneOf<unknown>("2.0"), json),
    id: often(fc.oneof(fc.integer(), fc.string()), json),
    method: often(
      oneOf<unknown>("tools/call", "tools/list"),
      oneOf<unknown>("ping", "server/discover", "Tools/call", "tools/call ", 7),
    ),
    params,
    more: often(oneOf({}), fc.dictionary(oneOf("result", "error", "x", "__proto__", "Method"), json, { maxKeys: 1 })),
  })
  .map(({ more, ...message }) => ({ ...message, ...more }));
