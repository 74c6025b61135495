import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { applyOverlays } from "../../src/spec/overlay/apply-overlays.ts";
import { openRepository, type Repository } from "../cli/diff/a-repository.ts";
import { repository as root, vitrine } from "../setup/program.ts";
import { specsFolder } from "../specs/published-specs.ts";

// Two published documents as they were before and after a version that broke callers, under the curations that are shipped: what is told of the tools.
// The other version is made by an overlay of test/fixtures/histories, which names the entry of the changelog for each of its actions.

const SHARED = join(specsFolder(), "github-3.0/api.github.com.json");

/** A document as an overlay makes it. */
async function derive(spec: string, overlay: string): Promise<string> {
  const document = JSON.parse(readFileSync(spec, "utf8")) as JsonObject;
  const name = join(root, "test/fixtures/histories", `${overlay}.overlay.yaml`);
  const { root: derived, problems } = await applyOverlays(document, spec, [name], undefined);
  expect(problems).toStrictEqual([]);
  return JSON.stringify(derived);
}

/** Where a line with this text stands in a tool of a curation. */
function lineIn(text: string, tool: string, wanted: string): number {
  const lines = text.split("\n");
  const start = lines.indexOf(`  ${tool}:`);
  return lines.findIndex((line, at) => at >= start && line.includes(wanted)) + 1;
}

interface Told {
  readonly rule: string;
  readonly class: string;
  readonly tool: string;
  readonly path: string;
  readonly cause: string;
  readonly file: string;
  readonly line: number;
}

/** What `vitrine diff` tells, each finding in a line. */
async function diff(cwd: string, base: string, head: string) {
  const ran = await vitrine(["diff", base, head, "--format", "json"], { cwd });
  const told = ran.stdout === "" ? [] : (JSON.parse(ran.stdout) as Told[]);
  return {
    ...ran,
    told: told.map((one) => `${one.class} ${one.rule} ${one.tool}${one.path} ${one.cause} ${one.file}:${one.line}`),
  };
}

describe("Stripe's version 2025-03-31.basil", () => {
  const FILE = "curation/stripe.yaml";
  const shipped = readFileSync(join(root, FILE), "utf8");
  const TAX = '        tax: { path: tax, as: minor, unit: "${currency}" }\n';
  const taxLine = lineIn(shipped, "get_invoice", "tax: {");
  const fieldsLine = lineIn(shipped, "get_invoice", "fields:");
  // It also added two kinds of movements to those that `type` names.
  const kinds = `BEHAVIOUR output_enum_widened stripe_list_transactions/conduct/said/properties/type/enum spec ${FILE}:${lineIn(shipped, "list_transactions", "type: type")}`;
  // Within what is shown whole and outlined in part.
  const charges = "stripe_search_charges/conduct/said/properties/customer/properties/default_source";
  const below = [
    `stripe_list_refunds/conduct/said/properties/charge/below spec ${FILE}:${lineIn(shipped, "list_refunds", "charge.id ||")}`,
    `${charges}/below spec ${FILE}:${lineIn(shipped, "search_charges", "customer.id ||")}`,
  ].map((told) => `UNKNOWN output_below_changed ${told}`);
  let git: Repository;
  beforeAll(async () => {
    git = openRepository();
    const spec = join(root, "specs/stripe.json");
    git.commit({ "specs/stripe.json": readFileSync(spec, "utf8"), [FILE]: shipped });
    git.git("tag", "before");
    git.commit({ "specs/stripe.json": await derive(spec, "stripe-basil") });
    git.git("tag", "after");
  });
  afterAll(() => rmSync(git.folder, { recursive: true }));

  test("breaks one of the shipped tools, where it read the tax of an invoice", async () => {
    const { code, told, stderr } = await diff(git.folder, `git:before:${FILE}`, `git:after:${FILE}`);
    expect(told).toStrictEqual([
      `BREAKING output_field_removed stripe_get_invoice/outputSchema/properties/tax spec ${FILE}:${taxLine}`,
      ...below,
      kinds,
    ]);
    expect(stderr).toContain(`git:after:${FILE}:${taxLine}:`);
    expect(code).toBe(1);
  });

  test("and after the curation followed it agents still see that the field is gone, by both together", async () => {
    const taxes = '        taxes_in_minor_units: "total_taxes[].{type: type, amount: amount}"\n';
    git.write({ [FILE]: shipped.replace(TAX, taxes) });
    const { code, told, stderr } = await diff(git.folder, `git:before:${FILE}`, FILE);
    const property = "stripe_get_invoice/outputSchema/properties";
    expect(told).toStrictEqual([
      `BREAKING output_field_removed ${property}/tax spec+curation ${FILE}:${fieldsLine}`,
      ...below,
      kinds,
      `COMPATIBLE output_field_added ${property}/taxes_in_minor_units spec+curation ${FILE}:${taxLine}`,
    ]);
    expect([code, stderr]).toStrictEqual([1, ""]);
  });
});

describe.skipIf(!existsSync(SHARED))("GitHub's document, 13 MB", () => {
  const shipped = readFileSync(join(root, "curation/github.yaml"), "utf8");
  const local = shipped.replace(/^ {2}spec: .*$/m, "  spec: ../specs/github.json");
  const folder = mkdtempSync(join(tmpdir(), "vitrine-histories-"));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  /** The shipped curation at one version, with an edit or as it is. */
  const at = (version: string, name = "github", edit = (text: string) => text) => {
    write(`${version}/curation/${name}.yaml`, edit(local));
    return `${version}/curation/${name}.yaml`;
  };
  beforeAll(async () => {
    write("2022-11-28/specs/github.json", readFileSync(SHARED, "utf8"));
    for (const version of ["2020-11", "2026-03-10"])
      write(`${version}/specs/github.json`, await derive(SHARED, `github-${version}`));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("breaks none of the shipped tools with version 2026-03-10, of whose changes they read nothing", async () => {
    const { code, told, stderr } = await diff(folder, at("2022-11-28"), at("2026-03-10"));
    expect([code, told, stderr]).toStrictEqual([0, [], ""]);
  });

  test("breaks those with that version that were made to read what it took away", async () => {
    const reads = (text: string) =>
      text
        .replace(/^( {2}get_issue:\n(?:.*\n)*?.*fields: \{ )/m, "$1assignee: assignee.login, ")
        .replace(
          "        state: steps.pull.state\n",
          "        state: steps.pull.state\n        merged_as: steps.pull.merge_commit_sha\n",
        );
    const [base, head] = [at("2022-11-28", "reads", reads), at("2026-03-10", "reads", reads)];
    const { code, told, stderr } = await diff(folder, base, head);
    const lineOf = (tool: string, column: string) => `${head}:${lineIn(reads(local), tool, column)}`;
    const said = "conduct/said/properties";
    expect(told).toStrictEqual([
      `BREAKING output_field_removed gh_get_issue/${said}/assignee spec ${lineOf("get_issue", "assignee:")}`,
      `BREAKING output_field_removed gh_review_pull/${said}/merged_as spec ${lineOf("review_pull", "merged_as:")}`,
    ]);
    expect(stderr).toContain(`${lineOf("get_issue", "assignee:")}:`);
    expect(stderr).toContain(`${lineOf("review_pull", "merged_as:")}:`);
    expect(code).toBe(1);
  });

  test("broke the listing of workflow runs when its statuses were put right, which the curation took from the document", async () => {
    const head = at("2022-11-28");
    const { code, told, stderr } = await diff(folder, at("2020-11"), head);
    const status = `gh_list_runs/inputSchema/properties/status/enum spec ${head}:${lineIn(local, "list_runs", "status:")}`;
    const files = "gh_get_commit/conduct/said/properties/files/items/properties/status/enum";
    expect(told).toStrictEqual([
      `BREAKING input_enum_narrowed ${status}`,
      `COMPATIBLE output_enum_narrowed ${files} spec ${head}:${lineIn(local, "get_commit", "files:")}`,
      `COMPATIBLE input_enum_widened ${status}`,
    ]);
    expect([code, stderr]).toStrictEqual([1, ""]);
  });
});
