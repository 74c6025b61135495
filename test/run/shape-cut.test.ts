import { describe, expect, test } from "vitest";
import type { Shape } from "../../src/model/shape.ts";
import { shapeReply } from "../../src/run/shape/shape-reply.ts";
import { list, replyWith, whole } from "./shape-fixture.ts";

describe("a sequence that was not read to its end is said to be one", () => {
  const value = Array.from({ length: 50 }, (_, id) => ({ id, text: "x".repeat(50) }));
  const body = { kind: "json", value, cut: "the time was up while more came" } as const;
  const shape = (of: Exclude<Shape, { kind: "list" }>) =>
    shapeReply({ name: "t" }, of, undefined, body, { input: {}, pins: {} }).structured;
  const told = { what: "items", kept: "the first 50 of the upstream's: the time was up while more came" };

  test("in a list, which then has more", () => {
    const read = whole(value, { unreachable: true, cut: body.cut });
    const { structured } = replyWith(list({ budget: 25_000 }), read);
    expect(structured).toMatchObject({ rowCount: 50, hasMore: true, omitted: [told] });
    expect(structured.note).toContain("was not read to its end: the time was up while more came");
    expect(Object.keys(structured).at(-1)).toBe("data");
  });

  test("in an object, within the budget together with what else was cut", () => {
    const reply = shape({ kind: "object", budget: 1_000 });
    expect(reply["omitted"]).toEqual([told, expect.objectContaining({ what: "items" })]);
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(1_000);
  });
});
