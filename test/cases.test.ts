import { describe, expect, test } from "vitest";
import type { JsonObject } from "../src/model/json.ts";
import type { Mode } from "./cases-runner/expose-operation.ts";
import { readCases } from "./cases-runner/read-case.ts";
import { layOver, modesOf, runCase } from "./cases-runner/run-case.ts";

// Public bugs of other tools, one kind each, through the whole of ours: curation compiled, MCP call made, request caught at a socket.

interface Deviation {
  readonly mode?: Mode;
  /** Laid over what the case expects; null takes a key away. */
  readonly instead: JsonObject;
  /** Where the contract says so. */
  readonly reason: string;
}

/** Where a case and the contract disagree, and what we do instead. */
const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  "030-nullable-30": {
    mode: "apart",
    instead: { body_json: { name: "a", note: null } },
    reason: "section 1: null leaves an optional place out; it is sent to a required one whose schema allows it",
  },
  "034-exclusive-minimum-boolean": {
    instead: { property_schema: { ttl: { type: "integer", minimum: 1, maximum: 100 } } },
    reason: "section 2: the portable subset has no exclusive bounds; between integers the next one says the same",
  },
  "063-relative-server-url": {
    instead: { url: "https://api.example.com/pet/1", from_url_without_base_url: "load error" },
    reason: "section 1, api: a spec that was read from a URL does not decide where requests go, so baseUrl is required",
  },
  "104-non-json-response": {
    instead: { text: '{"text":"203.0.113.7"}' },
    reason: "section 4: a reply is compact JSON, the same in structuredContent and in the text block",
  },
};

const cases = await Promise.all(readCases().map(async (one) => ({ ...one, modes: await modesOf(one) })));

test("there are the 67 cases", () => {
  expect(cases).toHaveLength(67);
});

test("an expectation that the runner does not know fails", async () => {
  const [first] = cases;
  await expect(runCase({ ...first!, expect: { ...first!.expect, unheard_of: true } }, "whole")).rejects.toThrow(
    "unheard_of",
  );
  await expect(runCase({ ...first!, expect: { load_ok: true, input_has: ["nowhere"] } }, "whole")).rejects.toThrow();
});

describe.each(cases)("$name", ({ modes, ...original }) => {
  test.each(modes)("is right with the body %s", async (mode) => {
    const deviation = DEVIATIONS[original.name];
    const applies = deviation !== undefined && (deviation.mode ?? mode) === mode;
    const given = applies ? { ...original, expect: layOver(original.expect, deviation.instead) } : original;
    await runCase(given, mode);
  });
});
