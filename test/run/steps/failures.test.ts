import { describe, expect, test } from "vitest";
import { UpstreamUnreachable } from "../../../src/model/errors.ts";
import { expression } from "../shape-fixture.ts";
import { input } from "../validate-fixture.ts";
import { compute, hang, query, read, type Script, type Scripted, startFlow, write } from "./fixture.ts";

const fail = (status: number): Scripted => ({ status, body: { message: "no" } });
const LOOK_FIRST = /^Do not call this tool again as it is/;

describe("a failing step", () => {
  test("ends the tool with its own error, its name, and what it was given", async () => {
    const { ask, sent } = startFlow({
      steps: [
        read("pull", { args: { owner: "input.q" } }),
        read("files", {
          needs: [0],
          args: { sha: "steps.pull.sha", owner: "input.q", fixed: { kind: "literal", value: "f" } },
          bindings: [
            query("tenant", "pins.tenant", { pinned: true }),
            query("beside", "pins.tenant"),
            query("computed", "join('', [input.q, pins.tenant])"),
            query("hidden", "input.q || @.pins.tenant"),
          ],
        }),
        read("never", { needs: [1] }),
      ],
      script: ({ path }) => (path === "/pull" ? { body: { sha: "abc" } } : fail(422)),
      toolset: { pins: [{ name: "tenant", value: { kind: "literal", value: "t-secret" } }] },
    });
    const reply = await ask({ q: "acme" });
    expect(reply).toEqual({
      error: "upstream_rejected",
      message: "Step `files`: The upstream rejected the request (422): no",
      recover: "Correct the arguments as the upstream's message says and call again.",
      got: { sha: "abc", owner: "acme" },
      retryable: false,
      upstream: { status: 422, message: "no", step: "files" },
    });
    expect(sent).toHaveLength(2);
  });

  test("takes the code and the words of the curation's rules", async () => {
    const errors = [{ status: "422", error: "bad_sha", recover: "Use a whole SHA." }];
    const { ask } = startFlow({ steps: [read("a")], script: () => fail(422), tool: { errors } });
    expect(await ask()).toMatchObject({ error: "bad_sha", recover: "Use a whole SHA.", upstream: { step: "a" } });
  });

  test("stops and awaits the others, and nothing is left unhandled", async () => {
    const ended: string[] = [];
    const { ask } = startFlow({
      steps: [read("a"), read("b"), read("c"), read("d", { needs: [0] })],
      script: async (asked) => {
        if (asked.path === "/b") return fail(500);
        try {
          return await hang(asked);
        } finally {
          ended.push(asked.path);
        }
      },
    });
    expect(await ask()).toMatchObject({ error: "upstream_unavailable", upstream: { step: "b" }, retryable: true });
    expect(ended).toEqual(["/a", "/c"]);
  });

  test.each<[string, string, string]>([
    ["what an earlier step did not give", "steps.a.sha", "upstream_bad_response"],
    ["an argument that is not there", "input.q", "invalid_arguments"],
  ])("of %s says whose fault it is", async (_, of, code) => {
    const step = read("b", { needs: [0], bindings: [query("sha", of, { required: true })] });
    const { ask, sent } = startFlow({ steps: [read("a"), step], script: () => ({ body: {} }) });
    expect(await ask()).toMatchObject({ error: code, message: expect.stringMatching(/^Step `b`: /), retryable: false });
    expect(sent).toEqual(["GET /a"]);
  });

  test.each<[string, string, string]>([
    ["an argument's items are", "input.q && ['..']", "invalid_arguments"],
    ["an earlier step's items are", "steps.a && ['..']", "upstream_bad_response"],
  ])("of each item: %s at fault", async (_, each, code) => {
    const place = { in: "path", name: "id", pointer: [] } as const;
    const step = read("b", { needs: [0], each });
    const bindings = [
      { ...step.call.bindings[0]!, place, value: { kind: "expression", expression: expression("item") } as const },
    ];
    const { ask } = startFlow({
      steps: [read("a"), { ...step, call: { ...step.call, bindings } }],
      script: () => ({ body: {} }),
    });
    expect(await ask({ q: "x" })).toMatchObject({ error: code, upstream: { step: "b" } });
  });

  test("whose expression cannot be evaluated is the answer's fault", async () => {
    const { ask } = startFlow({ steps: [read("a"), compute("b", "sum(steps.a)", [0])], script: () => ({ body: "x" }) });
    expect(await ask()).toMatchObject({ error: "upstream_bad_response", upstream: { step: "b" } });
  });

  test("that is a fault of ours is reported, and told as nothing else", async () => {
    const { ask, reported } = startFlow({
      steps: [read("a", { optional: true })],
      script: () => {
        throw new Error("a bug of ours");
      },
    });
    expect(await ask()).toMatchObject({ error: "internal", message: "Step `a`: This server failed." });
    expect(reported).toHaveLength(1);
  });
});

describe("an optional step", () => {
  const flow = (optional: boolean | number, status: number) =>
    startFlow({
      steps: [read("a", { optional }), read("b", { needs: [0], args: { x: "steps.a.x" } })],
      script: ({ path }) => (path === "/a" ? fail(status) : { body: 1 }),
    });

  test("that fails is null, and in `omitted`", async () => {
    expect(await flow(true, 500).ask()).toEqual({
      omitted: [{ what: "step", path: "a", kept: "nothing: The upstream failed (500): no" }],
      a: null,
      b: 1,
    });
  });

  test.each([
    ["may have taken effect where the upstream failed", 500, / It may have taken effect all the same\.$/],
    ["did nothing where the upstream refused it", 422, /\(422\): no$/],
  ])("that writes %s", async (_, status, want) => {
    const { ask } = startFlow({ steps: [write("a", { optional: true })], script: () => fail(status) });
    expect(await ask()).toMatchObject({ omitted: [{ path: "a", kept: expect.stringMatching(want) }] });
  });

  test("of a status takes that answer as null, and no other", async () => {
    expect(await flow(404, 404).ask()).toEqual({ a: null, b: 1 });
    expect(await flow(404, 500).ask()).toMatchObject({ error: "upstream_unavailable", upstream: { step: "a" } });
  });

  test("cannot hide that a caller would set a pin's value", async () => {
    const pinned = query("x", "pins.tenant", { pinned: true });
    const twice = { ...query("x[]", "input.q"), place: { in: "query", name: "X", pointer: [] } } as const;
    const { ask, sent } = startFlow({
      steps: [read("a", { optional: true, bindings: [pinned, twice] })],
      script: () => ({}),
      toolset: { pins: [{ name: "tenant", value: { kind: "literal", value: "t-1" } }] },
    });
    expect(await ask({ q: "t-2" })).toMatchObject({ error: "pinned_argument" });
    expect(sent).toEqual([]);
  });
});

describe("after a step that took effect", () => {
  const steps = [
    read("look"),
    write("create"),
    write("tag", { needs: [1], optional: true }),
    read("check", { needs: [2] }),
  ];
  const later =
    (tag: () => Scripted, check: Scripted): Script =>
    ({ path }) =>
      path === "/tag" ? tag() : path === "/check" ? check : {};

  test("a failure says what, and never to call again", async () => {
    const { ask } = startFlow({ steps, script: later(() => ({}), fail(503)) });
    const reply = await ask();
    expect(reply).toMatchObject({
      error: "upstream_unavailable",
      message:
        "Step `check`: `create` (POST /{name}) and `tag` (POST /{name}) took effect before, and nothing of it was undone. The upstream failed (503): no",
      recover: expect.stringMatching(LOOK_FIRST),
      retryable: false,
      upstream: { step: "check" },
    });
  });

  test.each<[string, () => Scripted, RegExp]>([
    [
      "lost",
      () => {
        throw new UpstreamUnreachable("reset", "broken");
      },
      /`create` \(POST \/\{name\}\) took effect before.*`tag` \(POST \/\{name\}\) may have taken effect\./,
    ],
    ["answered with 500", () => fail(500), /`tag` \(POST \/\{name\}\) may have taken effect\./],
  ])("one that was %s may have done so too", async (_, tag, want) => {
    const { ask } = startFlow({ steps, script: later(tag, fail(404)) });
    expect((await ask())["message"]).toMatch(want);
  });

  test("one that the upstream refused did nothing", async () => {
    const { ask } = startFlow({ steps, script: later(() => fail(409), fail(404)) });
    expect((await ask())["message"]).not.toMatch(/tag/);
  });

  test("the author's own words on a failure are kept", async () => {
    const errors = [{ status: "404", error: "not_yet_there", recover: "Wait for the index." }];
    const { ask } = startFlow({ steps, script: later(() => ({}), fail(404)), tool: { errors } });
    expect((await ask())["recover"]).toMatch(/^Do not call this tool again.* Wait for the index\.$/);
  });

  test("a write whose answer is no use has taken effect", async () => {
    const page = { type: "text/html", body: Buffer.from("<html>Thanks</html>") };
    const { ask } = startFlow({ steps: [write("create")], script: () => page });
    expect(await ask()).toMatchObject({
      error: "upstream_bad_response",
      message: expect.stringContaining("`create` (POST /{name}) took effect before"),
      recover: expect.stringMatching(LOOK_FIRST),
    });
  });
});

describe("a caller that cancels", () => {
  test("ends what runs, and nothing begins any more", async () => {
    const caller = new AbortController();
    const { ask, sent } = startFlow({
      steps: [read("a"), read("b", { optional: true }), read("c", { needs: [0, 1] }), write("w")],
      script: (asked) => {
        if (asked.path === "/b") setImmediate(() => caller.abort());
        return asked.path === "/a" ? {} : hang(asked);
      },
    });
    expect(await ask({}, { signal: caller.signal })).toMatchObject({ error: "cancelled", upstream: { step: "b" } });
    expect(sent).toEqual(["GET /a", "GET /b"]);
  });

  test("is told what had taken effect", async () => {
    const caller = new AbortController();
    const { ask, sent } = startFlow({
      steps: [write("a"), write("b")],
      script: ({ path }) => {
        if (path === "/a") caller.abort();
        return {};
      },
    });
    expect(await ask({}, { signal: caller.signal })).toMatchObject({
      error: "cancelled",
      message:
        "Step `b`: `a` (POST /{name}) took effect before, and nothing of it was undone. The call was cancelled before it was sent.",
      retryable: false,
    });
    expect(sent).toEqual(["POST /a"]);
  });
});

test("what an argument names and the upstream does not have is an unknown ID in a step too", async () => {
  const task = { name: "task", tool: "list_tasks", field: "id", aliases: [] };
  const whole = query("name", "input.q", { required: true, type: "string" });
  const named = { ...whole, place: { in: "path", name: "name", pointer: [] } } as const;
  const start = (optional: boolean | number) =>
    startFlow({
      steps: [read("a", { bindings: [named], optional })],
      script: () => fail(404),
      tool: { inputs: [input("q", { kind: "string" }, { entity: "task" })] },
      toolset: { entities: [task] },
    });
  expect(await start(false).ask({ q: "t-7" })).toMatchObject({
    error: "unknown_id",
    message: expect.stringMatching(/^Step `a`: .*t-7/),
    upstream: { status: 404, step: "a" },
  });
  expect(await start(404).ask({ q: "t-7" })).toEqual({ a: null });
});

test("nothing is sent once the time of the whole call is up", async () => {
  const { ask, sent } = startFlow({
    steps: [read("a", { optional: true }), write("w")],
    script: hang,
    tool: { deadlineMs: 30 },
  });
  expect(await ask()).toMatchObject({
    error: "upstream_timeout",
    message: "Step `w`: The 0.03 s that the whole call may take were over before it was sent.",
    upstream: { step: "w" },
  });
  expect(sent).toEqual(["GET /a"]);
});

test("names of places that any step pins cannot be arguments", async () => {
  const pinned = {
    ...query("x", "pins.tenant", { pinned: true }),
    place: { in: "query", name: "Org", pointer: [] },
  } as const;
  const { ask, sent } = startFlow({
    steps: [read("a"), read("b", { bindings: [pinned] })],
    script: () => ({}),
    toolset: { pins: [{ name: "tenant", value: { kind: "literal", value: "t-1" } }] },
  });
  expect(await ask({ org: "t-2" })).toMatchObject({ error: "pinned_argument", path: "org" });
  expect(await ask({ tenant: "t-2" })).toMatchObject({ error: "pinned_argument", path: "tenant" });
  expect(sent).toEqual([]);
});
