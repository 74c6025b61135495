import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Egress, openEgress } from "../../../src/egress/open-egress.ts";
import type { FilterDestination, OperationPlan } from "../../../src/model/call.ts";
import { ToolError } from "../../../src/model/errors.ts";
import type { Condition, FilterField, WrittenFilter } from "../../../src/model/filter.ts";
import type { Json } from "../../../src/model/json.ts";
import { applyFilter } from "../../../src/run/filter/apply-filter.ts";
import { planRequest } from "../../../src/run/request/plan-request.ts";
import { type Captured, type CaptureServer, startCapture } from "../../cases-runner/capture-server.ts";
import { CONTROLS, conditionOf, conditions, groupOf, HOSTILE, means, rows } from "../../filter/conditions.ts";
import { UPSTREAMS, type Upstream } from "../../filter/dialects.ts";
import { askingOf, bind, body, callOf, filled, operation, POST, parameter, query } from "./fixture.ts";

// What stands on the socket is read as a server reads it, by the readers of the filter's own tests, which share no code with the writers.

let upstream: CaptureServer;
let egress: Egress;
beforeAll(async () => {
  upstream = await startCapture();
  egress = openEgress({ trustedHosts: ["127.0.0.1"], allowPrivate: [] });
});
afterAll(async () => {
  await egress.close();
  upstream.close();
});

interface Way {
  readonly title: string;
  readonly operation: OperationPlan;
  readonly filter: Omit<FilterDestination, "target">;
  /** What came, as the dialect wrote it. */
  read(captured: Captured): WrittenFilter;
}

const urlOf = ({ target }: Captured) => new URL(target, "http://x");
const jsonOf = (captured: Captured) => JSON.parse(captured.body.toString("utf8"));

const AS_PARAMETERS: Way = {
  title: "as parameters of the query",
  operation: operation("/things"),
  filter: {},
  read: (captured) => ({
    kind: "parameters",
    parameters: [...urlOf(captured).searchParams].filter(([name]) => name !== "tenant" && name !== "sort"),
  }),
};
const AS_TEXT: Way = {
  title: "as a text in the query",
  operation: operation("/things"),
  filter: { to: filled(query("q"), "string") },
  read: (captured) => ({ kind: "text", text: urlOf(captured).searchParams.get("q")! }),
};
const AS_TEXT_IN_A_BODY: Way = {
  title: "as a text in the body",
  operation: operation("/things", POST),
  filter: { to: filled(body("search", "q"), "string") },
  read: (captured) => ({ kind: "text", text: jsonOf(captured).search.q }),
};
const AS_JSON: Way = {
  title: "as JSON in the body",
  operation: operation("/things", POST),
  filter: { to: filled(body("filter"), "any") },
  read: (captured) => ({ kind: "json", value: jsonOf(captured).filter }),
};
const AS_JSON_TEXT: Way = {
  title: "as the text of JSON in the query",
  operation: operation("/things"),
  filter: { to: filled(query("filter"), "any") },
  read: (captured) => ({ kind: "json", value: JSON.parse(urlOf(captured).searchParams.get("filter")!) }),
};

const isBounded = ({ type }: FilterField) => type === "integer" || type === "date-time";

/** Bounds in brackets, lists as repeated names. */
function asPlaces(fields: readonly FilterField[]): Way {
  const names = fields.map(({ to }) => to.slice("query.".length));
  const read = (captured: Captured): [string, Json][] => {
    const found = new Map<string, Json>();
    for (const [name, value] of urlOf(captured).searchParams) {
      const [, base = "", key] = /^(\w+)(?:\[(\w+)\])?$/.exec(name) ?? [];
      if (!names.includes(base)) continue;
      const before = found.get(base);
      if (key !== undefined) found.set(base, { ...(before as object), [key]: value });
      else found.set(base, before === undefined ? value : [before, value].flat());
    }
    return [...found];
  };
  return {
    title: "at the places of its fields",
    operation: operation("/things", {
      parameters: fields.filter(isBounded).map(({ to }) => parameter(to.slice(6), { style: "deepObject" })),
    }),
    filter: { places: fields.map(({ to }) => [to, filled(query(to.slice(6)))]) },
    read: (captured) => ({
      kind: "places",
      values: read(captured).map(([name, value]) => ({ to: `query.${name}`, value })),
    }),
  };
}

function waysOf({ target: { dialect }, fields }: Upstream): readonly Way[] {
  if (dialect === "params") return [asPlaces(fields)];
  if (["django", "postgrest", "strapi", "json-api"].includes(dialect)) return [AS_PARAMETERS];
  const isJson = ["elasticsearch", "mongo", "directus", "notion", "aws-cost-explorer", "hubspot", "json"];
  return isJson.includes(dialect) ? [AS_JSON, AS_JSON_TEXT] : [AS_TEXT, AS_TEXT_IN_A_BODY];
}

const OTHERS = [
  bind(query("tenant"), { literal: "t-1" }, { pinned: true, type: "string" }),
  bind(query("sort"), { literal: "name" }, { type: "string" }),
];

/** Sends a call with a condition and gives what came; undefined where the filter was refused by name of its place. */
async function send(condition: Condition, { target }: Upstream, way: Way): Promise<Captured | undefined> {
  const asking = askingOf({
    filter: {},
    operations: [{ ...way.operation, server: upstream.origin }],
    call: { bindings: OTHERS, filter: { target, ...way.filter } },
  });
  try {
    const call = applyFilter(callOf(asking), condition, asking);
    const request = planRequest(call, asking.toolset.operations[0]!, asking.access.upstream, asking.wire);
    const signal = AbortSignal.timeout(5_000);
    await egress.request({ ...request, signal, maxBytes: 1_000, redirects: [] });
    return upstream.requests.pop();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    expect(error.code).toBe("filter_not_expressible");
    expect(error.detail.path).toMatch(/^filter/);
    return undefined;
  }
}

/** Nothing came but the filter and what is sent beside it. */
function expectOthers(captured: Captured): void {
  const { pathname, searchParams } = urlOf(captured);
  expect([pathname, searchParams.getAll("tenant"), searchParams.getAll("sort")]).toStrictEqual([
    "/things",
    ["t-1"],
    ["name"],
  ]);
}

const CASES = UPSTREAMS.flatMap((one) =>
  waysOf(one).map((way) => ({ title: `${one.title}, ${way.title}`, one, way, models: one.models })),
);

describe.each(CASES)("a filter in $title", ({ one, way, models }) => {
  test("selects by its meaning what came over the wire, or is refused with its place", async () => {
    const table = fc.array(rows, { minLength: 3, maxLength: 3 });
    const law = fc.asyncProperty(conditions(one.fields), table, async (condition, some) => {
      const captured = await send(condition, one, way);
      if (captured === undefined) return;
      expectOthers(captured);
      const select = one.open(way.read(captured));
      const given = some.map((row) => ({ ...row, ...one.always }));
      for (const nulls of models)
        expect(given.map((row) => select(row, nulls))).toStrictEqual(given.map((row) => means(condition, row)));
    });
    await fc.assert(law, { numRuns: 30 });
  });

  test("never reads a hostile value as an operator, another value or another parameter", async () => {
    const field = one.fields.find(({ name }) => name === "code")!;
    const texts = fc.oneof(
      fc.constantFrom(
        ...HOSTILE,
        ...CONTROLS,
        "x&tenant=t-2",
        "x#",
        "a%26tenant%3Dt-2",
        "a+b",
        "tenant",
        "%2C",
        "a%2Cb",
      ),
      fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom(..."\"'\\,;:()[]{}<>=!~*%_?&|+-/#@$ .aO") }),
    );
    const law = fc.asyncProperty(texts, fc.constantFrom("eq" as const, "in" as const), async (text, op) => {
      const own = conditionOf(field, op, op === "in" ? [text, "other"] : [text]);
      const captured = await send(own, one, way);
      if (captured === undefined) return;
      expectOthers(captured);
      const select = one.open(way.read(captured));
      const at = (code: string) => ({ ...EMPTY, code, ...one.always });
      for (const nulls of models)
        for (const code of [text, `${text}x`, "other", "x", "zzz"])
          expect([text, op, code, select(at(code), nulls)]).toStrictEqual([text, op, code, means(own, at(code))]);
    });
    await fc.assert(law, { numRuns: 30 });
  });
});

const EMPTY = {
  name: null,
  code: "x",
  status: null,
  stage: "active",
  qty: null,
  size: 1,
  amount: null,
  active: null,
  day: null,
  at: null,
};

test("most of what is asked is sent, so that the laws above look at something", async () => {
  const odata = UPSTREAMS.find(({ target }) => target.dialect === "odata")!;
  const [active, other] = [conditionOf(odata.fields[0]!, "eq", ["a"]), conditionOf(odata.fields[1]!, "ne", ["b"])];
  const captured = await send(groupOf("any", [active, other]), odata, AS_TEXT);
  expect(urlOf(captured!).searchParams.get("q")).toBe("name eq 'a' or code ne 'b'");
});
