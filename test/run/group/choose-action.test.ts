import { describe, expect, test } from "vitest";
import { UnknownTool } from "../../../src/model/errors.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { compileDesk, openDesk } from "./desk.ts";

const grouped = await compileDesk({ expose: "grouped" });

async function refusal(tool: string, args: unknown): Promise<JsonObject> {
  const desk = openDesk(grouped);
  const reply = await desk.call(tool, args);
  expect(reply.isError).toBe(true);
  expect(desk.sent).toStrictEqual([]);
  return JSON.parse(reply.text) as JsonObject;
}

describe("a call of a group names its action", () => {
  const cases: readonly (readonly [title: string, args: unknown, want: JsonObject])[] = [
    [
      "no action",
      { invoiceId: "i1" },
      { message: "`action` is required: it chooses what is done. There is currencies, get, lines, list." },
    ],
    ["nothing at all", undefined, { path: "action", allowed: ["currencies", "get", "lines", "list"] }],
    ["an action that is misspelt", { action: "lists" }, { got: "lists", nearest: ["list"] }],
    [
      "an action of the other half",
      { action: "refund" },
      { message: "`action` must be one of currencies, get, lines, list." },
    ],
    ["an action that is no text", { action: ["get"] }, { got: ["get"] }],
    ["the name of something that every object has", { action: "constructor" }, { got: "constructor" }],
    ["no object", "[1]", { message: "The arguments must be an object with the tool's inputs by name." }],
  ];
  test.each(cases)("%s is refused", async (_, args, want) => {
    expect(await refusal("desk_billing", args)).toMatchObject({ error: "invalid_arguments", ...want });
  });

  test("its arguments may come as JSON text", async () => {
    const reply = await openDesk(grouped).call("desk_billing", '{"action":"get","invoiceId":"i2"}');
    expect(JSON.parse(reply.text)).toMatchObject({ id: "i2" });
  });
});

describe("the arguments of an action", () => {
  test("an argument of another action is named as such", async () => {
    expect(await refusal("desk_billing", { action: "get", invoiceId: "i1", status: "open" })).toMatchObject({
      error: "unknown_argument",
      path: "status",
      message: "`status` is an argument of action `list`, not of `get`, which takes invoiceId.",
    });
    expect((await refusal("desk_billing", { action: "get", invoiceId: "i1", limit: 3 })).message).toBe(
      "`limit` is an argument of action `currencies`, `lines`, `list`, not of `get`, which takes invoiceId.",
    );
  });

  test("an argument of no action is unknown as ever, and what a pin sets is pinned", async () => {
    expect((await refusal("desk_billing", { action: "get", invoiceId: "i1", nope: 1 })).message).toBe(
      "The tool has no argument `nope`. It has: invoiceId.",
    );
    expect((await refusal("desk_billing", { action: "get", invoiceId: "i1", org: "x" })).error).toBe("pinned_argument");
  });

  test("each action has its own values, whatever the enum of the group holds", async () => {
    expect(await refusal("desk_support_tickets", { action: "list", status: "merged" })).toMatchObject({
      path: "status",
      allowed: ["open", "closed"],
    });
  });

  test("nulls for what only other actions take are as good as nothing", async () => {
    const desk = openDesk(grouped);
    const args = { action: "get", invoiceId: "i1", status: null, limit: null, pageToken: null };
    expect((await desk.call("desk_billing", args)).isError).toBe(false);
    expect(desk.sent).toStrictEqual(["GET /v1/invoices/i1?org=acme "]);
  });
});

describe("the names of tools", () => {
  test("an old name of an action is understood, as an action and as the tool that it was", async () => {
    for (const [tool, args] of [
      ["desk_storage", { action: "read", fileId: "files-a" }],
      ["desk_storage_read", { fileId: "files-a" }],
    ] as const)
      expect(JSON.parse((await openDesk(grouped).call(tool, args)).text)).toMatchObject({ id: "files-a" });
  });

  test("an action is no tool by itself, and a group no tool where tools are flat", async () => {
    await expect(openDesk(grouped).call("desk_billing_get", { invoiceId: "i1" })).rejects.toThrow(UnknownTool);
    const flat = await compileDesk({ expose: "flat" });
    await expect(openDesk(flat).call("desk_billing", { action: "get" })).rejects.toThrow(UnknownTool);
  });
});
