import { afterEach, describe, expect, test } from "vitest";
import { openEgress } from "../../../src/egress/open-egress.ts";
import type { Call } from "../../../src/model/call.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Input, ValueSource } from "../../../src/model/tool.ts";
import { checkListedValues } from "../../../src/run/filter/check-listed-values.ts";
import { openAccess } from "../../../src/run/open-access.ts";
import { serve } from "../../egress/serve.ts";
import {
  argumentsOf,
  askingOf,
  bind,
  dimensions,
  expression,
  filled,
  type Given,
  input,
  NOW,
  operation,
  query,
  refusalOf,
  type Script,
  scripted,
} from "./fixture.ts";

const names = (...all: Json[]) => ({ dimensions: all.map((schemaFieldName) => ({ schemaFieldName })) });
const LISTED = names("FOCUS/ServiceName", "FOCUS/RegionName", "FOCUS/BilledCost", 7);

const listOf = (name: string, valuesFrom: ValueSource = dimensions()): Input =>
  input(name, { kind: "array", items: { kind: "string" } }, { valuesFrom });

interface Check {
  readonly given?: Given;
  readonly inputs?: readonly Input[];
}

function check(
  values: JsonObject,
  script: Script | Json = LISTED,
  { given = {}, inputs = [listOf("dimensions")] }: Check = {},
) {
  const { egress, sent } = scripted(script);
  const tool = { ...given.tool, inputs };
  const asking = askingOf({ ...given, tool, input: values }, egress);
  return { run: () => checkListedValues(argumentsOf(values), asking), sent, asking };
}

describe("a value that the upstream must list", () => {
  test.each([
    ["one", ["FOCUS/ServiceName"]],
    ["several", ["FOCUS/ServiceName", "FOCUS/BilledCost"]],
    ["none of a list", []],
    ["a number by its text", ["7"]],
  ])("passes where it is listed: %s", async (_, values) => {
    await check({ dimensions: values }).run();
  });

  test("is refused as the contract shows it", async () => {
    const shape = { kind: "list", rows: expression("rows"), budget: 1, fields: [] } as const;
    const spread = {
      kind: "columns",
      names: { kind: "expression", expression: expression("input.dimensions") },
    } as const;
    const { run } = check({ dimensions: ["Service", "FOCUS/BilledCost"] }, LISTED, {
      given: { tool: { shape: { ...shape, fields: [spread] } } },
    });
    expect(await refusalOf(run)).toStrictEqual({
      error: "unknown_fields",
      message: "Unknown fields: Service.",
      recover: "Call `ledger_list_dimensions` and use exact name values.",
      path: "dimensions[0]",
      got: "Service",
      nearest: ["FOCUS/ServiceName"],
      allowed: ["FOCUS/ServiceName", "FOCUS/RegionName", "FOCUS/BilledCost", "7"],
      retryable: false,
    });
  });

  test("is refused with all others, of several inputs too", async () => {
    const { run } = check({ region: "x", tags: [["a"], "FOCUS/RegionName", "b"] }, LISTED, {
      inputs: [input("region", { kind: "string" }, { valuesFrom: dimensions() }), listOf("tags")],
    });
    expect(await refusalOf(run)).toMatchObject({
      path: "region",
      message: "2 arguments are wrong: (1) Unknown values of `region`: x. (2) Unknown values of `tags`: a, b.",
    });
  });

  test("of names from nowhere has no tool to be found with", async () => {
    const { tool: _, ...nameless } = dimensions();
    const { run } = check({ dimensions: ["zzz"] }, LISTED, { inputs: [listOf("dimensions", nameless)] });
    expect(await refusalOf(run)).toMatchObject({ recover: "Use exact names and call the tool again." });
  });

  test.each([
    ["no input has such values", [input("dimensions", { kind: "string" })], { dimensions: "x" }],
    ["none is given", [listOf("dimensions")], {}],
    ["null is given", [listOf("dimensions")], { dimensions: null }],
    ["an empty list is given", [listOf("dimensions")], { dimensions: [] }],
  ] as const)("asks nothing where %s", async (_, inputs, values) => {
    const { run, sent } = check(values, LISTED, { inputs });
    await run();
    expect(sent).toHaveLength(0);
  });

  test("cannot be judged where the upstream answers nothing, and passes", async () => {
    await check({ dimensions: ["zzz"] }, async () => ({ status: 204 })).run();
  });

  test("is refused with a word where the list was not read whole", async () => {
    const { run } = check({ dimensions: ["zzz"] }, { ...LISTED, has_more: true });
    expect((await refusalOf(run)).message).toContain("lists more of them than were read");
  });

  test.each([
    ["an answer without the list", { items: [] }, "upstream_bad_response"],
    ["an answer that is no JSON", async () => ({ status: 200, body: "<html>" }), "upstream_bad_response"],
    ["a failure", async () => ({ status: 500, body: "{}" }), "upstream_unavailable"],
    ["a refusal", async () => ({ status: 403, body: "{}" }), "upstream_unauthorized"],
  ] as const)("cannot be checked by %s", async (_, script, error) => {
    const { run } = check({ dimensions: ["x"] }, script as Script | Json);
    expect(await refusalOf(run)).toMatchObject({
      error,
      message: expect.stringMatching(/^The upstream's list of what `dimensions` can hold was not read\./),
    });
  });

  test("is not explained by the tool's own rules of errors", async () => {
    const errors = [{ status: "400", error: "bad_query", recover: "Change the query." }];
    const { run } = check({ dimensions: ["x"] }, async () => ({ status: 400, body: "{}" }), {
      given: { tool: { errors } },
    });
    expect(await refusalOf(run)).toMatchObject({ error: "upstream_rejected" });
  });

  test("is listed under the pins and by other arguments", async () => {
    const call: Call = {
      operation: 1,
      bindings: [bind(query("account"), "input.account"), bind(query("tenant"), "pins.tenant", { pinned: true })],
    };
    const { run, sent } = check({ account: "a 1", dimensions: ["FOCUS/ServiceName"] }, LISTED, {
      given: { pins: { tenant: "t-1" } },
      inputs: [input("account", { kind: "string" }), listOf("dimensions", dimensions({ call }))],
    });
    await run();
    expect(sent.map(({ url }) => new URL(url).search)).toStrictEqual(["?account=a%201&tenant=t-1"]);
  });
});

describe("pages of such a list", () => {
  const paged = dimensions({
    call: {
      operation: 1,
      bindings: [],
      pages: { style: "token", send: filled(query("pageToken"), "string"), next: expression("next") },
    },
  });
  const script: Script = async ({ url }) => {
    const page = Number(new URL(url).searchParams.get("pageToken") ?? 0);
    return { ...names(`field-${page}`), ...(page < 4 && { next: String(page + 1) }) };
  };

  test("are all read", async () => {
    const { run, sent } = check({ dimensions: ["field-0", "field-4"] }, script, {
      inputs: [listOf("dimensions", paged)],
    });
    await run();
    expect(sent).toHaveLength(5);
  });

  test("are read up to a bound, and beyond it nothing is called unknown without saying so", async () => {
    const endless: Script = async ({ url }) => {
      const page = Number(new URL(url).searchParams.get("pageToken") ?? 0);
      return { ...names(`field-${page}`), next: String(page + 1) };
    };
    const { run, sent } = check({ dimensions: ["zzz"] }, endless, { inputs: [listOf("dimensions", paged)] });
    expect((await refusalOf(run)).message).toContain("lists more of them than were read");
    expect(sent.length).toBeLessThanOrEqual(101);
  });
});

describe("what was read once", () => {
  const ask = { dimensions: ["FOCUS/ServiceName"] };
  const again = (first: ReturnType<typeof check>, more: Partial<Given> = {}, values: JsonObject = ask) => {
    const given = { access: first.asking.access, tool: { inputs: [listOf("dimensions")] }, ...more };
    const asking = askingOf({ ...given, input: values }, first.asking.outside.egress);
    return checkListedValues(argumentsOf(values), asking);
  };

  test("is not asked for again for five minutes", async () => {
    const first = check(ask);
    await first.run();
    await again(first, { now: new Date(NOW.getTime() + 299_000) });
    expect(first.sent).toHaveLength(1);
    await again(first, { now: new Date(NOW.getTime() + 300_000) });
    expect(first.sent).toHaveLength(2);
  });

  test("is another caller's own affair", async () => {
    const first = check(ask);
    await first.run();
    await again(first, { access: openAccess(first.asking.toolset, {}, { key: {} }) });
    expect(first.sent).toHaveLength(2);
  });

  test("is one for each request and each reading of it", async () => {
    const first = check(ask);
    await first.run();
    const other = dimensions({ field: expression("other") });
    await again(first, { tool: { inputs: [listOf("dimensions", other)] } }).catch(() => {});
    const call = { operation: 1, bindings: [bind(query("q"), { literal: "x" })] };
    await again(first, { tool: { inputs: [listOf("dimensions", dimensions({ call }))] } });
    expect(first.sent).toHaveLength(3);
  });

  test("is read once for those who ask at the same time", async () => {
    const first = check(ask);
    await Promise.all([first.run(), again(first), again(first), again(first)]);
    expect(first.sent).toHaveLength(1);
  });

  test("is not a failure: the next call asks again", async () => {
    const answers: (Json | { status: number })[] = [{ status: 500 }, LISTED];
    const first = check(ask, async () => answers.shift()!);
    await expect(first.run()).rejects.toThrow();
    await again(first);
    expect(first.sent).toHaveLength(2);
  });
});

describe("callers who wait for one reading, over a socket", () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
  });

  /** An upstream whose first answer is held back until the test lets it go. */
  async function slow() {
    const held: (() => void)[] = [];
    let count = 0;
    const served = await serve((_, response) => {
      count += 1;
      const answer = () => response.setHeader("content-type", "application/json").end(JSON.stringify(LISTED));
      if (count === 1) held.push(answer);
      else answer();
    });
    const egress = openEgress({ trustedHosts: ["127.0.0.1"], allowPrivate: [] });
    open.push(served, egress);
    const operations = [operation("/things"), operation("/dimensions", { server: served.url })];
    const first = askingOf({ operations }).access;
    const start = (more: Partial<Given> = {}) => {
      const asking = askingOf({ operations, access: first, tool: { inputs: [listOf("dimensions")] }, ...more }, egress);
      return checkListedValues(argumentsOf({ dimensions: ["FOCUS/ServiceName"] }), asking);
    };
    const arrived = async () => {
      while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    return { start, arrived, letGo: () => held[0]?.(), count: () => count };
  }

  test("go on where the one who reads goes away", async () => {
    const { start, arrived, count } = await slow();
    const leaving = new AbortController();
    const reader = start({ signal: leaving.signal });
    await arrived();
    const others = [start(), start()];
    leaving.abort();
    expect(await refusalOf(() => reader)).toMatchObject({ error: "cancelled" });
    await Promise.all(others);
    expect(count()).toBe(2);
  });

  test("leave at once where they go away themselves, and the reading goes on", async () => {
    const { start, arrived, letGo, count } = await slow();
    const reader = start();
    await arrived();
    const leaving = new AbortController();
    const waiting = start({ signal: leaving.signal });
    leaving.abort();
    expect(await refusalOf(() => waiting)).toMatchObject({ error: "cancelled" });
    letGo();
    await reader;
    expect(count()).toBe(1);
  });

  test("wait no longer than their own call may take", async () => {
    const { start, arrived, letGo } = await slow();
    const reader = start();
    await arrived();
    expect(await refusalOf(() => start({ deadlineMs: 50 }))).toMatchObject({ error: "upstream_timeout" });
    letGo();
    await reader;
  });
});
