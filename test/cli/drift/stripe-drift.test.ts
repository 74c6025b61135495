import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Problem } from "../../../src/model/problem.ts";
import { run } from "../fake-shell.ts";

const FILE = "curation/stripe.yaml";
const lines = readFileSync(FILE, "utf8").split("\n");
/** The first line with this text at or below the one that starts the tool. */
const lineIn = (tool: string, text: string) => {
  const start = lines.indexOf(`  ${tool}:`);
  return lines.findIndex((line, at) => at >= start && line.includes(text)) + 1;
};

interface Spec {
  readonly components: { readonly schemas: Record<string, { properties: Record<string, object> }> };
  readonly paths: Record<
    string,
    { get: { deprecated?: boolean; parameters: { name: string; schema: { enum?: string[] } }[] } }
  >;
}

test("changes all over a real document are told each where the shipped curation meets them, also those within a tool that breaks", async () => {
  const spec = JSON.parse(readFileSync("specs/stripe.json", "utf8")) as Spec;
  const { invoice, balance_transaction: moved } = spec.components.schemas;
  delete invoice!.properties.amount_paid;
  moved!.properties.available_on = { type: "string" };
  const transactions = spec.paths["/v1/balance_transactions"]!.get;
  transactions.parameters = transactions.parameters.filter(({ name }) => name !== "currency");
  const status = spec.paths["/v1/invoices"]!.get.parameters.find(({ name }) => name === "status")!.schema;
  status.enum = status.enum!.filter((one) => one !== "uncollectible");
  spec.paths["/v1/payouts"]!.get.deprecated = true;
  const newer = join(mkdtempSync(join(tmpdir(), "stripe-")), "newer.json");
  writeFileSync(newer, JSON.stringify(spec));

  const { code, out } = await run(["check", "--json", FILE, "--spec", newer]);
  expect(code).toBe(1);
  const found = (JSON.parse(out) as Problem[]).map(({ line, severity, code: name }) => `${line} ${severity} ${name}`);
  expect(found).toStrictEqual([
    `${lineIn("list_transactions", "      currency: {")} error drift_unknown_place`,
    `${lineIn("list_transactions", "available_on:")} error drift_output_type_changed`,
    `${lineIn("sum_transactions", "      currency: {")} error drift_unknown_place`,
    `${lineIn("list_invoices", "      status: {")} error drift_input_enum_narrowed`,
    `${lineIn("list_invoices", "amount_paid:")} error drift_path_not_in_spec`,
    `${lineIn("get_invoice", "amount_paid:")} error drift_path_not_in_spec`,
    `${lineIn("list_payouts", "operation:")} warning drift_deprecated_operation`,
    // What they show may be the whole thing, in which an invoice stands somewhere.
    `${lineIn("list_refunds", "charge.id ||")} error drift_output_below_changed`,
    `${lineIn("search_charges", "customer.id ||")} error drift_output_below_changed`,
  ]);
}, 60_000);
