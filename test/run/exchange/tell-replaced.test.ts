import { describe, expect, test } from "vitest";
import type { Shape } from "../../../src/model/shape.ts";
import { column, list } from "../shape-fixture.ts";
import { values } from "../steps/fixture.ts";
import { startCall } from "./start-call.ts";

const latin = (value: unknown): Buffer => Buffer.from(JSON.stringify(value), "latin1");
const KEPT = "bytes that are no text in the answer's charset stand as U+FFFD";
const object: Shape = { kind: "object", budget: 25_000 };
const names = list({ fields: [column("id"), column("name")], limit: { default: 2, max: 5 } });
const rows = [1, 2, 3].map((id) => ({ id, name: `caf\xe9 ${id}`, note: "caf\xe9" }));
const long = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `caf\xe9 ${id}`, note: "x".repeat(40) }));

describe("where bytes of an answer are no UTF-8, the reply says so", () => {
  test.each<[what: string, shape: Shape, body: Buffer, path: string]>([
    ["of an object", object, latin({ a: { b: "caf\xe9" } }), "a.b"],
    ["of a list", names, latin({ rows }), "data[].name"],
    ["of a list whose rows are looked through", names, latin({ rows: long }), "data[].name"],
    ["of what is too large to be held", names, latin({ rows: Array(30).fill(long).flat() }), "data[].name"],
    ["of a value", values({ n: "rows[0].name" }), latin({ rows }), "n"],
  ])("%s", async (_, shape, body, path) => {
    const reply = await startCall(shape, { body });
    expect(reply.omitted).toContainEqual({ what: "text", path, kept: KEPT });
    expect(JSON.stringify(reply)).toContain("caf\ufffd");
  });

  test("of a text, first", async () => {
    const reply = await startCall(object, {
      headers: { "content-type": "text/plain" },
      body: Buffer.from("caf\xe9", "latin1"),
    });
    expect(JSON.stringify(reply)).toBe(
      JSON.stringify({ omitted: [{ what: "text", path: "text", kept: KEPT }], text: "caf\ufffd" }),
    );
  });

  test("of several places, in one word, between the facts of a list and its rows", async () => {
    const reply = await startCall(list(), { body: latin({ rows }) });
    expect(reply.omitted).toEqual([
      { what: "text", path: "data[].name", kept: `${KEPT}, and likewise in 1 more places` },
    ]);
    expect(Object.keys(reply)).toEqual(["rowCount", "hasMore", "omitted", "data"]);
  });

  test.each([512, 700, 1_000])("within a budget of %i bytes", async (budget) => {
    const reply = await startCall({ ...names, budget }, { body: latin({ rows: long }) });
    expect(reply.omitted).toContainEqual({ what: "text", path: "data[].name", kept: KEPT });
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(budget);
  });
});

describe("nothing is said", () => {
  test.each<[where: string, shape: Shape, body: Buffer]>([
    ["where none of them is shown", list({ fields: [column("id")] }), latin({ rows })],
    ["of a U+FFFD that the upstream sent", names, Buffer.from(JSON.stringify({ rows: [{ id: 1, name: "\ufffd" }] }))],
  ])("%s", async (_, shape, body) => {
    expect((await startCall(shape, { body })).omitted ?? []).not.toContainEqual(
      expect.objectContaining({ kept: KEPT }),
    );
  });

  test("where the charset is said", async () => {
    const headers = { "content-type": "application/json; charset=ISO-8859-1" };
    const reply = await startCall(names, { headers, body: latin({ rows }) });
    expect(reply).toMatchObject({ data: [{ name: "café 1" }, { name: "café 2" }] });
    expect(reply.omitted).not.toContainEqual(expect.objectContaining({ kept: KEPT }));
  });
});
