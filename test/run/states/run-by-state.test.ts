import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { openAuthorizer } from "../../../src/auth/open-authorizer.ts";
import { UnknownTool } from "../../../src/model/errors.ts";
import type { ToolReply } from "../../../src/model/exchange.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Toolset } from "../../../src/model/tool.ts";
import { countWrites } from "../../../src/model/writes.ts";
import { createRunner, createRunners, type Outside, type Runner } from "../../../src/run/run-tool.ts";
import { runByState } from "../../../src/run/states/run-by-state.ts";
import { watchStates } from "../../../src/run/states/watch-states.ts";
import { apiOfText, compileText, curationText, shown } from "../../compile/compile-text.ts";

// States (contract section 1): tools come and go with what the upstream says.

const DOOR = "{type: object, properties: {open: {type: boolean}, rooms: {type: array, items: {type: string}}}}";
const SPEC = `
paths:
  /door:
    parameters: [{name: org, in: query, required: true, schema: {type: string}}]
    get: {operationId: getDoor, responses: {'200': {description: ok, content: {application/json: {schema: ${DOOR}}}}}}
    put: {operationId: turnDoor, responses: {'200': {description: ok, content: {application/json: {schema: ${DOOR}}}}}}
  /rooms:
    parameters: [{name: org, in: query, required: true, schema: {type: string}}]
    get: {operationId: listRooms, responses: {'200': {description: ok, content: {application/json: {schema: ${DOOR}}}}}}
`;
const TOOLS = `
turn: {operation: turnDoor, use: Turn it. Then call \`enter\`., suggest: [{tool: enter, why: It may be open.}]}
list: {operation: listRooms, use: List rooms., result: {rooms: rooms}}
enter: {operation: listRooms, use: Enter., states: [open], aliases: [go_in]}
`.replace("result: {rooms: rooms}", "result: {rows: rooms, limit: {default: 1, max: 2}}");

let toolset: Toolset;
let outside: Outside;
let runner: Runner;
let clock: number;
let isOpen: boolean;
let answers: (method: string) => number;
const asked: string[] = [];
const told: unknown[] = [];

beforeEach(async () => {
  const text = `${curationText(TOOLS, { server: "writes: true", pins: '{org: "${key.org}"}' })}states: {open: {operation: getDoor, when: open}}\n`;
  const compiled = compileText(await apiOfText(SPEC), text);
  if (compiled.toolset === undefined) throw new Error(shown(compiled.problems).join("; "));
  toolset = compiled.toolset;
  [clock, isOpen, answers] = [Date.UTC(2026, 10, 29), false, () => 200];
  for (const list of [asked, told]) list.length = 0;
  outside = {
    egress: {
      request: async ({ method, url }) => {
        const { pathname, search } = new URL(url);
        asked.push(`${method} ${pathname.replace("/v1", "")}${search}`);
        const status = answers(method);
        if (method === "PUT" && status === 200) isOpen = !isOpen;
        async function* body() {
          yield Buffer.from(JSON.stringify({ open: isOpen, rooms: ["a", "b"] }));
        }
        return { status, headers: new Map([["content-type", "application/json"]]), body: body(), url };
      },
      close: async () => {},
    },
    authorize: openAuthorizer(),
    observe: () => {},
    report: (error) => told.push(error),
    now: () => new Date(clock),
  };
  runner = createRunner(toolset, { env: {} }, outside);
});

const KEY = { org: "o-1" };
const call = (tool: string, args: JsonObject = {}, key: JsonObject = KEY) =>
  runner.call(tool, args, { key, signal: new AbortController().signal });
const listed = async (key: JsonObject = KEY) => (await runner.seenBy!({ key })).tools.map(({ name }) => name);
const keys = new Map<string, JsonObject>();
/** One object for as long as the caller is known. */
const keyed = (org: string) => {
  const key = keys.get(org) ?? { org };
  keys.set(org, key);
  return { key };
};
const probes = () => asked.filter((line) => line.startsWith("GET /door"));

describe("a tool out of its state", () => {
  test("is not there: neither listed nor told of, nor callable by any of its names", async () => {
    expect(await listed()).toStrictEqual(["describe_access", "list", "turn"]);
    expect(JSON.stringify((await runner.seenBy!({ key: KEY })).tools)).not.toMatch(/enter|go_in/);
    for (const name of ["enter", "go_in", "nowhere"])
      await expect(call(name)).rejects.toStrictEqual(new UnknownTool(name));
    expect(asked).toStrictEqual(["GET /door?org=o-1"]);
  });

  test("is there once the state holds", async () => {
    isOpen = true;
    expect(await listed()).toStrictEqual(["describe_access", "enter", "list", "turn"]);
    for (const name of ["enter", "go_in"]) expect((await call(name)).isError).toBe(false);
  });

  test("is suggested only when the reply comes that makes it callable: what was seen before it was not", async () => {
    expect((await call("turn")).text).not.toContain("enter");
    expect(await listed()).toContain("enter");
    expect((await call("turn")).text).toContain('"tool":"enter"');
    expect(await listed()).not.toContain("enter");
  });
});

describe("the upstream is asked", () => {
  test("once for all who want to know at the same time", async () => {
    await Promise.all([listed(), call("list"), call("list"), listed(), call("enter").catch(() => {})]);
    expect(probes()).toHaveLength(1);
  });

  test("again after half a minute, and not before", async () => {
    await listed();
    isOpen = true;
    clock += 29_999;
    expect(await listed()).not.toContain("enter");
    clock += 1;
    expect(await listed()).toContain("enter");
    expect(probes()).toHaveLength(2);
  });

  test("again after a write of ours, also one that failed, and not after a read", async () => {
    await call("list");
    await call("list");
    expect(probes()).toHaveLength(1);
    await call("turn");
    await expect(call("enter")).resolves.toMatchObject({ isError: false });
    expect(probes()).toHaveLength(2);
    answers = (method) => (method === "PUT" ? 500 : 200);
    expect((await call("turn")).isError).toBe(true);
    await listed();
    expect(probes()).toHaveLength(3);
  });

  test("by each key for itself, with its pins", async () => {
    await listed();
    await listed({ org: "o-2" });
    expect(probes()).toStrictEqual(["GET /door?org=o-1", "GET /door?org=o-2"]);
  });

  test("and where it does not say, the tool stays away and the operator hears of it", async () => {
    isOpen = true;
    answers = (method) => (method === "GET" ? 403 : 200);
    expect(await listed()).not.toContain("enter");
    expect(told).toMatchObject([{ message: expect.stringContaining("`open`") }]);
    // A key without what the pin needs sees no more, and its calls say why.
    const keyless = {};
    expect(await listed(keyless)).not.toContain("enter");
    expect(await call("list", {}, keyless)).toMatchObject({ isError: true });
  });
});

test("a tool that writes has written nothing while it only asks whether to", async () => {
  const replies: ToolReply[] = [
    { isError: false, text: "{}", confirmation: { question: "Really?", token: "t" } },
    { isError: false, text: "{}" },
  ];
  const wrote: unknown[] = [];
  const watch = { seenBy: async () => toolset, wrote: (who: unknown) => wrote.push(who), onChange: () => () => {} };
  const asking = runByState(toolset, () => ({ ...runner, call: async () => replies.shift()! }), watch);
  const caller = { key: KEY, signal: new AbortController().signal };
  await asking.call("turn", {}, caller);
  expect(wrote).toStrictEqual([]);
  await asking.call("turn", {}, caller);
  expect(wrote).toStrictEqual([caller]);
});

test("who listens hears of a change after a write, and only then", async () => {
  let heard = 0;
  let wake = () => {};
  const change = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const stop = runner.onChange!(() => {
    heard += 1;
    wake();
  });
  await listed();
  await call("list");
  answers = (method) => (method === "PUT" ? 500 : 200);
  await call("turn");
  await listed();
  await new Promise((resolve) => setImmediate(resolve));
  expect(probes()).toHaveLength(2);
  expect(heard).toBe(0);
  answers = () => 200;
  let next = change();
  await call("turn");
  await next;
  expect(await listed()).toContain("enter");
  next = change();
  await call("turn");
  await next;
  expect(heard).toBe(2);
  stop();
  await call("turn");
  expect(probes()).toHaveLength(4);
});

describe("a write is one to the upstream, whoever may see how much of it", () => {
  test("so others have it asked again, each for themselves, also those who see another part of the tools", async () => {
    const open = createRunners(toolset, { env: {} }, outside);
    const reads = { ...toolset, tools: toolset.tools.filter(({ annotations }) => annotations.readOnlyHint) };
    const [writer, reader] = [open(toolset), open(reads)];
    const seen = async (org: string) => (await reader.seenBy!(keyed(org))).tools.map(({ name }) => name);
    expect(await seen("o-2")).not.toContain("enter");
    await writer.call("turn", {}, { key: KEY, signal: new AbortController().signal });
    expect(await seen("o-2")).toContain("enter");
    expect(await seen("o-2")).toContain("enter");
    expect(probes().filter((line) => line.endsWith("o-2"))).toHaveLength(2);
  });

  test("also where another process tells of it", async () => {
    const writes = countWrites();
    runner = createRunner(toolset, { env: {}, writes }, outside);
    expect(await listed()).not.toContain("enter");
    isOpen = true;
    expect(await listed()).not.toContain("enter");
    writes.add();
    expect(await listed()).toContain("enter");
    await call("turn");
    expect(writes.count()).toBe(2);
  });
});

test("a page token given in one state is good in another", async () => {
  const first = JSON.parse((await call("list")).text);
  await call("turn");
  expect(await listed()).toContain("enter");
  expect(JSON.parse((await call("list", { pageToken: first.nextPageToken })).text)).toMatchObject({ data: ["b"] });
});

test("what is seen is what held at the last look, whatever happens in between", async () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
    fc.record({ does: fc.constantFrom("write" as const, "look" as const, "flip" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      let [time, holds, looks, lastLook, said] = [0, false, 0, Number.NEGATIVE_INFINITY, false];
      const watch = watchStates(toolset, {
        holds: async () => {
          looks += 1;
          return holds;
        },
        writes: countWrites(),
        now: () => time,
      });
      const who = { key: {} };
      for (const one of steps) {
        if (one.does === "wait") time += one.ms;
        if (one.does === "flip") holds = !holds;
        if (one.does === "write") {
          watch.wrote(who);
          lastLook = Number.NEGATIVE_INFINITY;
        }
        if (one.does !== "look") continue;
        const isStale = time - lastLook >= 30_000;
        if (isStale) [lastLook, said] = [time, holds];
        const before = looks;
        const seen = await watch.seenBy(who);
        expect(looks - before).toBe(isStale ? 1 : 0);
        expect(seen.tools.some(({ name }) => name === "enter")).toBe(said);
      }
    }),
    { numRuns: 50 },
  );
});
