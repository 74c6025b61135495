import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { readIdentity } from "../../src/telemetry/read-identity.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;
const SHA = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const cases: [title: string, meta: JsonObject, want: Partial<ReturnType<typeof readIdentity>>][] = [
  ["nothing said", {}, {}],
  ["a run", { "io.vitrine/run-id": "run-7:a/b.c+d=" }, { runId: "run-7:a/b.c+d=" }],
  ["an attempt", { "io.vitrine/attempt": 3 }, { attempt: 3 }],
  ["a prompt", { "io.vitrine/prompt-sha": SHA }, { promptSha: SHA }],
  ["a prompt with its algorithm", { "io.vitrine/prompt-sha": `sha256:${SHA}` }, { promptSha: `sha256:${SHA}` }],
  ["a trace", { traceparent: PARENT }, { runId: TRACE }],
  ["a trace of a later version", { traceparent: `cc-${PARENT.slice(3)}-what-comes` }, { runId: TRACE }],
  ["a run and a trace", { "io.vitrine/run-id": "r", traceparent: PARENT }, { runId: "r" }],
  ["a malformed run and a trace", { "io.vitrine/run-id": "r\n", traceparent: PARENT }, { runId: TRACE }],
  ["a run of 128 characters", { "io.vitrine/run-id": "r".repeat(128) }, { runId: "r".repeat(128) }],
  ["a run of more", { "io.vitrine/run-id": "r".repeat(129) }, {}],
  ["a run of a megabyte", { "io.vitrine/run-id": "r".repeat(1_000_000) }, {}],
  ["a run that is a sentence", { "io.vitrine/run-id": "Ada Lovelace asked" }, {}],
  ["a run that is an address of mail", { "io.vitrine/run-id": "ada@example.com" }, {}],
  ["a run that is no text", { "io.vitrine/run-id": 7 }, {}],
  ["attempt zero", { "io.vitrine/attempt": 0 }, {}],
  ["half an attempt", { "io.vitrine/attempt": 1.5 }, {}],
  ["an attempt as text", { "io.vitrine/attempt": "2" }, {}],
  ["an attempt beyond counting", { "io.vitrine/attempt": 1e300 }, {}],
  ["a prompt in place of its digest", { "io.vitrine/prompt-sha": "You are a helpful assistant" }, {}],
  ["a trace of zeros", { traceparent: `00-${"0".repeat(32)}-b7ad6b7169203331-01` }, {}],
  ["a trace without a parent", { traceparent: `00-${TRACE}-${"0".repeat(16)}-01` }, {}],
  ["a trace in capitals", { traceparent: PARENT.toUpperCase() }, {}],
  ["a trace of version ff", { traceparent: `ff-${PARENT.slice(3)}` }, {}],
  ["a trace of version 00 with more behind it", { traceparent: `${PARENT}-more` }, {}],
  ["a trace that is no text", { traceparent: { id: TRACE } }, {}],
];

describe("a caller's run is read from _meta", () => {
  test.each(cases)("%s", (_, meta, want) => {
    expect(readIdentity(meta)).toStrictEqual({ runId: null, attempt: 1, promptSha: null, ...want });
  });
});
