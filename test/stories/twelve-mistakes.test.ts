import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository, vitrine } from "../setup/program.ts";

/** Each line with a mistake is marked with its code. */
const WITH_MISTAKES = `vitrine: 1
api:
  spec: ./specs/ledger.yaml
  baseUrl: \${env.LEDGER_URL}
  auth:
    ledgerKeys: { apiKey: "\${env.LEDGER_KEY}" } #! unknown_scheme
  timeuot: 20s #! unknown_key
server:
  name: Ledger #! bad_value
pins:
  region: eu
tools:
  list_tenants:
    operation: listTenant #! unknown_operation
    use: List the tenants.
    result: { rows: tenants }
  list_dimensions:
    operation: listDimensions #! pin_unreached
    use: Find the exact field names of a tenant's data.
    input:
      tenantID: {}
      serach: {} #! unknown_place
    result:
      rows: dimension #! path_not_in_spec
      fields:
        name: schemaFieldName
        type: "dataType[" #! bad_expression
      limit: { default: 500, max: 50 } #! bad_value
  query:
    operation: queryCosts #! required_unfilled
    effect: read
    use: Ask what was spent.
    input: { tenantID: {}, start: { type: date-time } }
    args: { body/range/from: "\${input.begin}" } #! unknown_input
    filter: { to: body/filters, dialect: json, fields: { a: { type: string } } } #! unknown_place
`;

test("a curation with twelve mistakes shows each at its line with a hint, all at once", async () => {
  const text = WITH_MISTAKES.replace("./specs/ledger.yaml", join(repository, "specs/ledger.yaml"));
  const file = join(mkdtempSync(join(tmpdir(), "vitrine-mistakes-")), "curation.yaml");
  writeFileSync(file, text.replaceAll(/ #! .*/g, ""));
  const marked = text.split("\n").flatMap((line, index) => {
    const code = / #! (\S+)/.exec(line)?.[1];
    return code === undefined ? [] : [{ line: index + 1, code }];
  });
  expect(marked.length).toBeGreaterThanOrEqual(12);
  const { code, stdout } = await vitrine(["check", file, "--root", "/", "--json"]);
  const findings = (
    JSON.parse(stdout) as { severity: string; line: number; code: string; hint?: string; column: number }[]
  ).filter(({ severity }) => severity === "error");
  for (const mark of marked) expect(findings).toContainEqual(expect.objectContaining(mark));
  for (const finding of findings)
    expect(finding).toMatchObject({ hint: expect.stringMatching(/\w/), column: expect.any(Number) });
  expect(code).toBe(1);
});

test("a spec that is not there is one more finding beside the others", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "vitrine-mistakes-")), "curation.yaml");
  writeFileSync(file, "vitrine: 1\napi: { spec: ./no.yaml, timeout: soon }\nserver: { name: a }\ntools: {}\n");
  const { code, stdout } = await vitrine(["check", file, "--json"]);
  const findings = (JSON.parse(stdout) as { code: string; line: number; column: number }[]).map(
    (one) => `${one.line}:${one.column} ${one.code}`,
  );
  expect(findings).toEqual(["2:14 unreadable_spec", "2:34 bad_value"]);
  expect(code).toBe(1);
});

const unreadable: [title: string, text: string][] = [
  ["YAML that does not parse", "vitrine: 1\napi: {spec: [}\n"],
  [
    "a spec that is no OpenAPI document",
    "vitrine: 1\napi: { spec: ./curation.yaml, baseUrl: 'https://a.test' }\nserver: { name: a }\ntools: { list_all: { operation: a, use: A. } }\n",
  ],
  [
    "a spec that is not there",
    "vitrine: 1\napi: { spec: ./no.yaml, baseUrl: 'https://a.test' }\nserver: { name: a }\ntools: { list_all: { operation: a, use: A. } }\n",
  ],
];
test.each(unreadable)("%s → exit 2 and one clear line", async (_, text) => {
  const file = join(mkdtempSync(join(tmpdir(), "vitrine-unreadable-")), "curation.yaml");
  writeFileSync(file, text);
  const { code, stdout, stderr } = await vitrine(["check", file]);
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).toContain("yaml");
});
