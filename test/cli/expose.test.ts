import { expect, test } from "vitest";
import { run } from "./fake-shell.ts";

const DESK = "test/fixtures/groups/desk.yaml";

test("--expose shows the same curation flat or in groups", async () => {
  const names = async (...options: string[]) => {
    const { code, out } = await run(["tools", "--json", ...options, DESK]);
    expect(code).toBe(0);
    return (JSON.parse(out) as { tools: { name: string }[] }).tools.map(({ name }) => name);
  };
  const flat = await names();
  expect(flat).toHaveLength(31);
  expect(await names("--expose", "flat")).toStrictEqual(flat);
  expect(await names("--expose=grouped")).toStrictEqual([
    "desk_billing",
    "desk_billing_write",
    "desk_describe_access",
    "desk_people",
    "desk_people_write",
    "desk_storage",
    "desk_storage_write",
    "desk_support_tickets",
    "desk_support_tickets_write",
  ]);
  expect((await run(["tools", "--expose", "grouped", DESK])).out).toMatch(/the list of 9 tools/);
});

test("a tool of a group is called as a caller would", async () => {
  const args = ["call", "--expose", "grouped", "--dry-run", DESK];
  const { code, out } = await run([...args, "desk_billing", '{"action":"list","status":"paid"}']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject([
    { method: "GET", url: "https://desk.example.com/v1/invoices?org=acme&status=paid" },
  ]);
  const unknown = await run([...args, "desk_bling", "{}"]);
  expect([unknown.code, unknown.err]).toStrictEqual([2, expect.stringContaining("Did you mean desk_billing?")]);
});
