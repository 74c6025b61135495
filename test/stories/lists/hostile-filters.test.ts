import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { offerOps } from "../../../src/filter/offer-ops.ts";
import type { Condition } from "../../../src/model/filter.ts";
import { CONTROLS, conditionOf, conditions, HOSTILE, means, rows as randomRows } from "../../filter/conditions.ts";
import { UPSTREAMS, type Upstream } from "../../filter/dialects.ts";
import type { Row } from "../../filter/selects.ts";
import { openSession, type Session } from "../../setup/clients.ts";
import { type SqlUpstream, startSqlUpstream } from "../../setup/sql-upstream.ts";
import { arrived, hiddenToolOf, toolOf, writeDialects } from "./dialects-curation.ts";

// Every dialect through the built program: what arrives at the upstream is read by parsers that share no code with the writers, and selects.

const TEXTS = [...new Set([...HOSTILE, ...CONTROLS, "x", "active", "other", "O"])];
const DRAWN: readonly Row[] = fc.sample(randomRows, { numRuns: 40, seed: 7 });
const TABLE: readonly Row[] = [...DRAWN, ...TEXTS.map((code, at) => ({ ...DRAWN[at % DRAWN.length]!, code }))];

const tableOf = ({ always = {} }: Upstream): readonly Row[] =>
  TABLE.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? always[name] ?? null])),
  );

let server: SqlUpstream;
let session: Session;

beforeAll(async () => {
  server = await startSqlUpstream([], async (asked) => {
    const upstream = UPSTREAMS.find(({ title }) => asked.path === `/${title}`);
    if (upstream === undefined) return undefined;
    const written = arrived(upstream, asked);
    const table = tableOf(upstream);
    const select = written === undefined ? () => true : upstream.open(written);
    // Where its language leaves open what negation does with no value, both readings must select the same.
    const readings = upstream.models.map((nulls) => table.flatMap((row, id) => (select(row, nulls) ? [id] : [])));
    if (new Set(readings.map(String)).size !== 1) throw new Error("Its readings differ");
    return { body: { rows: readings[0]!.map((id) => ({ id })) } };
  });
  session = await openSession([writeDialects(UPSTREAMS), "--root", "/"], { DIALECTS_URL: server.url });
}, 60_000);
afterAll(async () => {
  await session?.close();
  await server?.stop();
});

type CallerNode = { kind: string } & Record<string, unknown>;

function asCallersWrite(condition: Condition): CallerNode {
  switch (condition.kind) {
    case "group":
      return { kind: "composite", match: condition.match, conditions: condition.conditions.map(asCallersWrite) };
    case "member":
      return {
        kind: "single",
        field: condition.field.name,
        op: condition.op,
        values: condition.values.map(({ text }) => text),
      };
    case "null":
      return { kind: "single", field: condition.field.name, op: condition.op };
    case "compare":
      return { kind: "single", field: condition.field.name, op: condition.op, value: condition.value.text };
  }
}

/** Whether the upstream was asked; then the rows are those that the filter means. Else the refusal names the place, and nothing was sent. */
async function selectsPlainly(upstream: Upstream, condition: Condition): Promise<boolean> {
  server.forget();
  const filter = asCallersWrite(condition);
  const answer = await session.call(toolOf(upstream), { filter });
  if (answer.isError) {
    expect([filter, answer.json.error]).toStrictEqual([
      filter,
      expect.stringMatching(/^(filter_not_expressible|invalid_arguments)$/),
    ]);
    expect(answer.json["path"]).toMatch(/^filter/);
    expect(answer.json["recover"]).toMatch(/\w/);
    expect(server.asked).toStrictEqual([]);
    return false;
  }
  const want = tableOf(upstream).flatMap((row, id) => (means(condition, row) ? [id] : []));
  expect([filter, answer.json.data?.map(({ id }) => id)]).toStrictEqual([filter, want]);
  return true;
}

/** The fields that its language can say anything about. */
const offered = ({ fields, target }: Upstream) => fields.filter((field) => offerOps(field, target).length > 0);

const OPS = ["eq", "ne", "contains", "in", "not_in"] as const;

describe.each(UPSTREAMS)("through the program, in $title", (upstream) => {
  const code = upstream.fields.find(({ name }) => name === "code")!;
  const hostile = (text: string, op: (typeof OPS)[number]) =>
    conditionOf(code, op, op === "in" || op === "not_in" ? [text, "other"] : [text]);

  test("hostile text selects what it plainly means, or is refused", async () => {
    let written = 0;
    for (const text of [...HOSTILE, ...CONTROLS])
      for (const op of ["eq", "ne", "contains"] as const)
        if (await selectsPlainly(upstream, hostile(text, op))) written += 1;
    expect(written).toBeGreaterThan(5);
  }, 60_000);

  test("so it does in a condition that no caller sees, and the argument is named where it is refused", async () => {
    let written = 0;
    for (const text of [...HOSTILE, ...CONTROLS]) {
      server.forget();
      const answer = await session.call(hiddenToolOf(upstream), { text });
      if (answer.isError) {
        expect([text, answer.json.error]).toStrictEqual([text, "filter_not_expressible"]);
        expect(answer.json["path"]).toBe("text");
        expect(answer.text).not.toContain("always");
        expect(server.asked).toStrictEqual([]);
        continue;
      }
      written += 1;
      const want = tableOf(upstream).flatMap((row, id) => (row["code"] === text ? [id] : []));
      expect([text, answer.json.data?.map(({ id }) => id)]).toStrictEqual([text, want]);
    }
    expect(written).toBeGreaterThan(5);
  }, 60_000);

  test("so does text of any characters", async () => {
    const text = fc.string({
      minLength: 1,
      maxLength: 6,
      unit: fc.constantFrom(..."\"'\\,;:()[]{}<>=!~*%_?&|+-/#@$ .aO\n\u00a0\uff07"),
    });
    const law = fc.asyncProperty(text, fc.constantFrom(...OPS), async (one, op) => {
      await selectsPlainly(upstream, hostile(one, op));
    });
    await fc.assert(law, { numRuns: 30, endOnFailure: true });
  }, 60_000);

  test("filters of any shape select the rows that they mean, or are refused with their place", async () => {
    const law = fc.asyncProperty(conditions(offered(upstream)), async (condition) => {
      await selectsPlainly(upstream, condition);
    });
    await fc.assert(law, { numRuns: 40, endOnFailure: true });
  }, 60_000);
});

test("without a filter every row comes", async () => {
  for (const upstream of UPSTREAMS) {
    const { json } = await session.call(toolOf(upstream));
    expect([upstream.title, json["rowCount"]]).toStrictEqual([upstream.title, TABLE.length]);
  }
});
