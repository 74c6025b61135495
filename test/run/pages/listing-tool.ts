import type { Call } from "../../../src/model/call.ts";
import type { Shape } from "../../../src/model/shape.ts";
import type { Tool, Toolset } from "../../../src/model/tool.ts";
import { input, toolOf } from "../validate-fixture.ts";
import { callOf, LISTING } from "./scripted-list.ts";

/** A tool that lists `LISTING`, page by page. */
export function listingTool(shape: Shape, pages?: Call["pages"], more: Partial<Tool> = {}): Tool {
  return {
    ...toolOf([input("q", { kind: "string" })], shape),
    inputSchema: {
      type: "object",
      properties: { q: { type: "string" }, limit: { type: "integer" }, pageToken: { type: "string" } },
    },
    plan: { kind: "call", call: callOf(pages) },
    ...more,
  };
}

/** Without any tool yet. */
export const TOOLSET: Toolset = {
  version: 1,
  server: { name: "t", instructions: "", structured: true },
  upstream: {
    headers: [],
    credentials: [],
    timeoutMs: 20_000,
    retries: 0,
    maxResponseBytes: 10_000_000,
    concurrency: 4,
    redirects: [],
    errors: {},
  },
  operations: [LISTING],
  pins: [],
  entities: [],
  tools: [],
};
