import { describe, expect, test } from "vitest";
import type { ToolReply } from "../../../src/model/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { Toolset } from "../../../src/model/tool.ts";
import { compileDesk, openDesk } from "./desk.ts";

const flat = await compileDesk({ expose: "flat" });
const grouped = await compileDesk({ expose: "grouped" });

/** Without what is another in every call, and in groups other by design: page and confirm tokens, and the names of tools. */
function comparable(reply: ToolReply, toolset: Toolset): string {
  const whole = { ...reply, text: JSON.parse(reply.text) as Json };
  return JSON.stringify(named(JSON.parse(JSON.stringify(whole)) as Json, toolset));
}

const TOKENS = new Set(["nextPageToken", "confirm", "token"]);

/** Texts and suggestions with the flat names of tools. */
function named(value: Json, toolset: Toolset): Json {
  if (typeof value === "string") return flatText(value, toolset);
  if (Array.isArray(value)) return value.map((one: Json) => named(one, toolset));
  if (!isJsonObject(value)) return value;
  if (typeof value.tool === "string" && isJsonObject(value.args)) return flatCall(value, toolset);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, TOKENS.has(name) ? "…" : named(one, toolset)]),
  );
}

function flatText(text: string, { tools }: Toolset): string {
  return tools.reduce((told, { name, group }) => {
    if (group === undefined) return told;
    return told
      .replaceAll(`\`${group.tool}\` with action \`${group.action}\``, `\`${name}\``)
      .replaceAll(`\`${group.tool}\` with {"action":"${group.action}",`, `\`${name}\` with {`);
  }, text);
}

function flatCall({ tool, args, why }: JsonObject, { tools }: Toolset): Json {
  if (!isJsonObject(args ?? null)) throw new Error("A suggestion has no arguments.");
  const { action, ...rest } = args as JsonObject;
  const found = tools.find(({ group }) => group?.tool === tool && group?.action === action);
  return { tool: found?.name ?? tool!, args: found === undefined ? args! : rest, why: why! };
}

const CALLS: readonly (readonly [name: string, args: JsonObject])[] = [
  ["billing_list", {}],
  ["billing_list", { status: "open", limit: 1 }],
  ["billing_list", { status: "opne" }],
  ["billing_list", { limit: 51 }],
  ["billing_list", { pageToken: "made up" }],
  ["billing_get", { invoiceId: "i1" }],
  ["billing_get", { invoiceId: "i2" }],
  ["billing_get", { invoiceId: "none" }],
  ["billing_get", {}],
  ["billing_get", { invoiceID: "i1" }],
  ["billing_get", { invoiceId: "i1", org: "other" }],
  ["billing_lines", { invoiceId: "i1", limit: 2 }],
  ["billing_lines", { invoiceId: "i5" }],
  ["billing_currencies", {}],
  ["billing_create", { customer: "Ann", currency: "currencies-a" }],
  ["billing_create", { customer: "Ann", currency: "XXX" }],
  ["billing_refund", { invoiceId: "i1", amount: 3 }],
  ["billing_refund", { invoiceId: "i1", amount: -3 }],
  ["billing_send", { invoiceId: "i1" }],
  ["billing_void", { invoiceId: "i1", reason: "a mistake" }],
  ["billing_void", { invoiceId: "i1", reason: "a mistake", confirm: "made up" }],
  ["support_tickets_list", { status: "closed" }],
  ["support_tickets_list", { status: "merged" }],
  ["support_tickets_search", { q: "late", status: "merged" }],
  ["support_tickets_search", { q: "late", limit: 26 }],
  ["support_tickets_get", { ticketId: "tickets-a" }],
  ["support_tickets_get", { ticketId: "none" }],
  ["support_tickets_events", { ticketId: "tickets-a", limit: 1 }],
  ["support_tickets_reply", { ticketId: "tickets-a", text: "Sorry." }],
  ["support_tickets_assign", { ticketId: "tickets-a", personId: "none" }],
  ["support_tickets_close", { ticketId: "tickets-a" }],
  ["support_tickets_merge", { ticketId: "tickets-a", into: "tickets-b" }],
  ["people_list", {}],
  ["people_get", { personId: "people-a" }],
  ["people_history", { personId: "people-a" }],
  ["people_teams", {}],
  ["people_hire", { name: "Bo", team: "teams-a" }],
  ["people_hire", { name: "B".repeat(81), team: "teams-a" }],
  ["people_update", { personId: "people-a", name: "B".repeat(81) }],
  ["people_remove", { personId: "people-a" }],
  ["storage_list", { folder: "x" }],
  ["storage_get", { fileId: "files-a" }],
  ["storage_versions", { fileId: "files-a" }],
  ["storage_usage", {}],
  ["storage_rename", { fileId: "files-a", name: "b" }],
  ["storage_restore", { fileId: "files-a", version: "2" }],
  ["storage_restore", { fileId: "files-a", version: 0 }],
  ["storage_delete", { fileId: "files-a" }],
  ["describe_access", {}],
];

/** The same call where tools are shown in groups. */
function inGroup(name: string, args: JsonObject): [tool: string, args: JsonObject] {
  const group = grouped.tools.find((tool) => tool.name === name)?.group;
  return group === undefined ? [name, args] : [group.tool, { action: group.action, ...args }];
}

describe("the same call, flat and in a group", () => {
  test("every action is called", () => {
    const called = new Set(CALLS.map(([name]) => `desk_${name}`));
    expect(flat.tools.map(({ name }) => name).filter((name) => !called.has(name))).toStrictEqual([]);
    expect(flat.tools).toHaveLength(31);
  });

  test.each(CALLS)("%s %j sends the same and is answered in the same bytes", async (short, args) => {
    const name = `desk_${short}`;
    const [one, other] = [openDesk(flat), openDesk(grouped)];
    const before = await one.call(name, args);
    const after = await other.call(...inGroup(name, args));
    expect(comparable(after, grouped)).toBe(comparable(before, flat));
    expect(other.sent).toStrictEqual(one.sent);
    if (!/nextPageToken|"confirm"|desk_/.test(before.text)) expect(after.text).toBe(before.text);
    for (const tool of grouped.tools.filter(({ group }) => group !== undefined))
      expect(JSON.stringify(after)).not.toMatch(new RegExp(`\\b${tool.name}\\b`));
  });

  test("a list goes on from page to page with the same rows", async () => {
    const [one, other] = [openDesk(flat), openDesk(grouped)];
    let [token, tokenInGroup]: (Json | undefined)[] = [undefined, undefined];
    const pages: Json[] = [];
    do {
      const before = await one.call("desk_billing_list", token === undefined ? {} : { pageToken: token });
      const after = await other.call("desk_billing", {
        action: "list",
        ...(tokenInGroup !== undefined && { pageToken: tokenInGroup }),
      });
      expect(comparable(after, grouped)).toBe(comparable(before, flat));
      if (before.isError || after.isError) throw new Error("A page failed.");
      pages.push(after.structured?.data ?? null);
      [token, tokenInGroup] = [before.structured?.nextPageToken, after.structured?.nextPageToken];
    } while (token !== undefined);
    expect(pages.flat()).toHaveLength(5);
    expect(tokenInGroup).toBeUndefined();
  });

  test("what asks first is done once it was agreed to", async () => {
    const desk = openDesk(grouped);
    const args = { action: "void", invoiceId: "i1", reason: "a mistake" };
    const asked = await desk.call("desk_billing_write", args);
    expect(desk.sent.filter((line) => line.startsWith("DELETE"))).toStrictEqual([]);
    const { confirmation } = JSON.parse(asked.text) as { confirmation: { confirm: string } };
    const done = await desk.call("desk_billing_write", { ...args, confirm: confirmation.confirm });
    expect(done).toMatchObject({ isError: false, text: '{"done":true}' });
    expect(desk.sent.filter((line) => line.startsWith("DELETE"))).toHaveLength(1);
  });
});
