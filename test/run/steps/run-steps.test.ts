import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import { expression, list, value } from "../shape-fixture.ts";
import { input } from "../validate-fixture.ts";
import { compute, hang, query, read, type Script, type Scripted, startFlow, values, write } from "./fixture.ts";

/** Answers by path. */
const answers =
  (bodies: Readonly<Record<string, Scripted>>): Script =>
  ({ path }) =>
    bodies[path.slice(1)] ?? { status: 500, body: { message: `nobody asked for ${path}` } };

/** Every answer waits until as many requests as `together` are there at the same time. */
function gather(together: number, of: Script): Script {
  let waiting: (() => void)[] = [];
  return async (asked) => {
    await new Promise<void>((go) => {
      waiting.push(go);
      if (waiting.length < together) return;
      for (const one of waiting) one();
      waiting = [];
    });
    return of(asked);
  };
}

const NOT_FOUND: Scripted = { status: 404, body: { message: "no such thing" } };

describe("steps", () => {
  test("read what those before them gave, and the reply reads all", async () => {
    const { ask, sent } = startFlow({
      steps: [
        read("pull", { args: { id: "input.q" } }),
        read("commit", { needs: [0], args: { sha: "steps.pull.head.sha" } }),
        compute("big", "steps.commit.files[?size > `10`]", [1]),
      ],
      script: answers({
        pull: { body: { title: "T", head: { sha: "abc" } } },
        commit: {
          body: {
            files: [
              { name: "a", size: 1 },
              { name: "b", size: 20 },
            ],
          },
        },
      }),
      shape: values({ title: "steps.pull.title", asked: "input.q", big: "steps.big[].name" }),
    });
    expect(await ask({ q: "7" })).toEqual({ title: "T", asked: "7", big: ["b"] });
    expect(sent).toEqual(["GET /pull?id=7", "GET /commit?sha=abc"]);
  });

  test("that do not use each other run at the same time", async () => {
    const together = gather(3, ({ path }) => ({ body: path }));
    const { ask } = startFlow({
      steps: [read("a"), read("b"), read("c"), read("d", { needs: [0, 1, 2] })],
      script: (asked) => (asked.path === "/d" ? { body: 4 } : together(asked)),
    });
    expect(await ask()).toEqual({ a: "/a", b: "/b", c: "/c", d: 4 });
  });

  test("that write run alone and in their turn, whatever the toolset says they need", async () => {
    let running = 0;
    const most: number[] = [];
    const { sent, ask } = startFlow({
      steps: [read("a"), read("b"), write("w"), read("c"), read("d"), write("x")],
      script: async () => {
        running += 1;
        await new Promise((go) => setImmediate(go));
        most.push(running);
        running -= 1;
        return {};
      },
    });
    await ask();
    expect(sent).toEqual(["GET /a", "GET /b", "POST /w", "GET /c", "GET /d", "POST /x"]);
    expect(most).toEqual([2, 1, 1, 2, 1, 1]);
  });

  test("whose condition does not hold are null, which is no omission, and send nothing", async () => {
    const { ask, sent } = startFlow({
      steps: [read("deep", { when: "input.deep" }), compute("after", "steps.deep.x", [0])],
      script: answers({ deep: { body: { x: 1 } } }),
    });
    expect(await ask({ deep: false })).toEqual({ deep: null, after: null });
    expect(sent).toEqual([]);
    expect(await ask({ deep: true })).toEqual({ deep: { x: 1 }, after: 1 });
  });

  test.each<[string, Scripted, unknown, unknown]>([
    [
      "a text",
      { type: "text/plain", body: Buffer.from("one\ntwo\nthree\n") },
      "two\nthree\n",
      { what: "lines", path: "log", kept: "last 2 of 3" },
    ],
    ["nothing", { status: 204, body: new Uint8Array() }, null, undefined],
    [
      "what was made",
      { status: 201, body: new Uint8Array(), headers: { location: "/log/7" } },
      null,
      { what: "value", path: "log", kept: "nothing: the answer has no body; see /log/7" },
    ],
    [
      "what is accepted only",
      { status: 202, headers: { "operation-location": "/jobs/7", "retry-after": "2" } },
      null,
      { what: "step", path: "log", kept: "nothing: accepted (202), and not completed yet; see /jobs/7, in 2000 ms" },
    ],
    [
      "bytes",
      { type: "image/png", body: new Uint8Array(7) },
      { mediaType: "image/png", bytes: 7 },
      { what: "binary", path: "log", kept: "nothing of 7 bytes" },
    ],
    [
      "a list that goes on",
      { body: [1, 2], headers: { link: '<https://api.example.com/log?page=2>; rel="next"' } },
      [1, 2],
      { what: "rows", path: "log", kept: "2, and the upstream has more" },
    ],
    [
      "a list that a header counts more rows of",
      { body: [1, 2], headers: { "x-total-count": "9" } },
      [1, 2],
      { what: "rows", path: "log", kept: "2, and the upstream has more" },
    ],
  ])("take %s for what it is", async (_, answer, want, left) => {
    const { ask } = startFlow({ steps: [read("log", { text: { tail: 2 } })], script: answers({ log: answer }) });
    expect(await ask()).toEqual({ ...(left !== undefined && { omitted: [left] }), log: want });
  });

  test("refuse a page of HTML where JSON was promised", async () => {
    const page = { type: "text/html", body: Buffer.from("<html><title>Log in</title>") };
    const { ask } = startFlow({ steps: [read("pull")], script: answers({ pull: page }) });
    expect(await ask()).toMatchObject({
      error: "upstream_bad_response",
      message: expect.stringMatching(/^Step `pull`:.*Log in/),
    });
  });

  test("tell after each how far the call is, and a listener that fails fails nothing", async () => {
    const heard: [number, number, string][] = [];
    const { ask } = startFlow({ steps: [read("a"), read("b", { needs: [0] })], script: () => ({}) });
    await ask({}, { progress: (...one) => void heard.push(one) });
    expect(heard).toEqual([
      [1, 2, "a"],
      [2, 2, "b"],
    ]);
    const progress = () => {
      throw new Error("gone");
    };
    expect(await ask({}, { progress })).toEqual({ a: {}, b: {} });
  });

  test("send inputs in the upstream's form, and show them in the caller's", async () => {
    const tool = { inputs: [input("since", { kind: "date-time" }, { form: { as: "unix" } })] };
    const { ask, sent } = startFlow({
      tool,
      steps: [
        compute("moments", "[input.since]"),
        read("log", { needs: [0], each: "steps.moments", args: { at: "item", too: "input.since" } }),
        read("last", { needs: [1], args: { at: "steps.log[0].item" } }),
      ],
      script: () => ({ body: 1 }),
    });
    const reply = await ask({ since: "1970-01-01T00:01:00Z" });
    expect(sent).toEqual(["GET /log?at=60&too=60", "GET /last?at=60"]);
    expect(reply).toEqual({
      moments: ["1970-01-01T00:01:00Z"],
      log: [{ item: "1970-01-01T00:01:00Z", reply: 1 }],
      last: 1,
    });
  });
});

describe("a step with all", () => {
  const pages = {
    style: "page",
    send: { place: query("page", "x").place, type: "integer" },
    first: 1,
    sizeMax: 2,
    size: { place: query("size", "x").place, type: "integer" },
  } as const;
  const rows = [1, 2, 3, 4, 5].map((id) => ({ id }));
  const script: Script = ({ query }) => {
    const page = Number(query.get("page") ?? 1);
    return { body: { items: rows.slice((page - 1) * 2, page * 2) } };
  };
  const files = (max: number) => read("files", { all: { rows: expression("items"), max }, call: { pages } });

  test("gives the rows of all its pages", async () => {
    const { ask, sent } = startFlow({ steps: [files(5)], script });
    expect(await ask()).toEqual({ files: rows });
    expect(sent).toHaveLength(3);
  });

  test("refuses more rows than it may read", async () => {
    const { ask } = startFlow({ steps: [files(4)], script });
    expect(await ask()).toMatchObject({
      error: "response_too_large",
      message: "Step `files`: There are more than the 4 rows that are read at most.",
      upstream: { step: "files" },
    });
  });

  test("says that rows moved while their pages were read", async () => {
    const again: Script = ({ query }) => {
      const page = Number(query.get("page") ?? 1);
      return { body: { items: [rows.slice(0, 2), rows.slice(1, 3)][page - 1] ?? [] } };
    };
    const { ask } = startFlow({ steps: [files(5)], script: again });
    expect(await ask()).toMatchObject({
      omitted: [{ what: "rows", path: "files", kept: expect.stringContaining("SNAPSHOT_DRIFT") }],
    });
  });

  test("says where the upstream has more and tells no way to it", async () => {
    const step = read("files", { all: { max: 10 } });
    const more = { body: [1, 2], headers: { link: '</files?page=2>; rel="next"' } };
    const { ask } = startFlow({ steps: [step], script: answers({ files: more }) });
    expect(await ask()).toEqual({
      omitted: [{ what: "rows", path: "files", kept: "2, and the upstream has more" }],
      files: [1, 2],
    });
  });

  test.each([{ status: 204, body: new Uint8Array() }, { body: null }])("has no rows in %j", async (answer) => {
    const { ask } = startFlow({ steps: [read("files", { all: { max: 10 } })], script: answers({ files: answer }) });
    expect(await ask()).toEqual({ files: [] });
  });
});

describe("a step with forEach", () => {
  const ids = compute("ids", "`[1, 2, 3]`");
  const each = (more: Parameters<typeof read>[1] = {}) =>
    read("one", { needs: [0], each: "steps.ids", args: { id: "item" }, ...more });
  const failSecond: Script = ({ query }) => (query.get("id") === "2" ? NOT_FOUND : { body: query.get("id") });

  test("sends one request for each, at the same time, and pairs items with replies", async () => {
    const { ask } = startFlow({ steps: [ids, each()], script: gather(3, ({ query }) => ({ body: query.get("id") })) });
    expect((await ask())["one"]).toEqual([
      { item: 1, reply: "1" },
      { item: 2, reply: "2" },
      { item: 3, reply: "3" },
    ]);
  });

  test("goes no further than its bound, and says so", async () => {
    const many = compute("ids", `\`${JSON.stringify([...Array(37).keys()])}\``);
    const { ask, sent } = startFlow({ steps: [many, each()], script: () => ({ body: 1 }) });
    const reply = await ask();
    expect(reply["omitted"]).toEqual([{ what: "items", path: "one", kept: "10 of 37" }]);
    expect(sent).toHaveLength(10);
  });

  test("ends the tool with the first failure, and names what that one was given", async () => {
    const { ask } = startFlow({ steps: [ids, each()], script: failSecond });
    expect(await ask()).toEqual({
      error: "upstream_not_found",
      message: "Step `one`: The upstream has nothing there (404): no such thing",
      recover: "Check the identifiers in the arguments: take them from a tool that lists them.",
      got: { id: 2 },
      retryable: false,
      upstream: { status: 404, message: "no such thing", step: "one" },
    });
  });

  test("ends the tool with that failure too where another step, which was stopped, has ended before its other items", async () => {
    const script: Script = async (asked) => {
      if (asked.query.get("id") === "2") return NOT_FOUND;
      await hang(asked).catch(() => undefined);
      // The items take longer to give up than the step beside them.
      for (let turn = 0; asked.path === "/one" && turn < 200; turn += 1) await Promise.resolve();
      if (asked.signal.aborted) throw asked.signal.reason;
      return {};
    };
    const { ask } = startFlow({ steps: [ids, each(), read("beside")], script });
    expect(await ask()).toMatchObject({ error: "upstream_not_found", upstream: { step: "one" } });
  });

  test("that is optional has the failure in its place, and in `omitted`", async () => {
    const { ask } = startFlow({ steps: [ids, each({ optional: true })], script: failSecond });
    const message = "The upstream has nothing there (404): no such thing";
    expect(await ask()).toMatchObject({
      omitted: [{ what: "step", path: "one", kept: `2 of 3: ${message}` }],
      one: [{ item: 1, reply: "1" }, { item: 2, error: { error: "upstream_not_found", message } }, { item: 3 }],
    });
  });

  test("takes a declared status as null", async () => {
    const { ask } = startFlow({ steps: [ids, each({ optional: 404 })], script: failSecond });
    const reply = await ask();
    expect(reply["omitted"]).toBeUndefined();
    expect((reply["one"] as JsonObject[])[1]).toEqual({ item: 2, reply: null });
  });

  test("has nothing to do over nothing, and refuses what is no list", async () => {
    const none = startFlow({ steps: [compute("ids", "steps.nobody"), each()], script: () => ({}) });
    expect(await none.ask()).toEqual({ ids: null, one: [] });
    const text = startFlow({ steps: [compute("ids", "'abc'"), each()], script: () => ({}) });
    expect(await text.ask()).toMatchObject({
      error: "upstream_bad_response",
      message: expect.stringContaining("Step `one`: `steps.ids` gives no list"),
    });
  });

  test("that writes goes one by one, and stops at a failure", async () => {
    const step = write("one", { needs: [0], each: "steps.ids", args: { id: "item" } });
    const { ask, sent } = startFlow({ steps: [ids, step], script: failSecond });
    const reply = await ask();
    expect(sent).toEqual(["POST /one?id=1", "POST /one?id=2"]);
    expect(reply["message"]).toBe(
      "Step `one`: `one` (POST /{name}) took effect before, and nothing of it was undone. The upstream has nothing there (404): no such thing",
    );
  });
});

describe("a list", () => {
  const rows = [1, 2, 3, 4].map((id) => ({ id, cost: id }));
  const shape = list({ rows: expression("steps.all[].reply[]"), limit: { default: 3, max: 10 } });
  const schema = { type: "object", properties: { limit: {}, pageToken: {} } } as const;
  const start = (script: Script, more: Partial<Parameters<typeof list>[0]> = {}, max = 10) =>
    startFlow({
      steps: [
        compute("halves", "`[0, 2]`"),
        read("all", { needs: [0], each: "steps.halves", max, optional: true, args: { from: "item" } }),
      ],
      script,
      shape: { ...shape, ...more } as typeof shape,
      tool: { inputSchema: schema },
    });
  const halves: Script = ({ query }) => {
    const from = Number(query.get("from"));
    return { body: rows.slice(from, from + 2) };
  };

  test("of rows that steps gave goes on by a page token, for which the steps run again", async () => {
    const { ask, sent } = start(halves);
    const first = await ask({ q: "x" });
    expect(first).toMatchObject({ rowCount: 3, hasMore: true, data: rows.slice(0, 3) });
    const next = await ask({ q: "x", pageToken: first["nextPageToken"]! });
    expect(next).toMatchObject({ rowCount: 1, hasMore: false, data: rows.slice(3) });
    expect(await ask({ q: "y", pageToken: first["nextPageToken"]! })).toMatchObject({ error: "invalid_cursor" });
    expect(sent).toHaveLength(4);
  });

  test("says what its steps left out, and that there are more rows", async () => {
    const { ask } = start(halves, {}, 1);
    expect(await ask()).toMatchObject({
      rowCount: 2,
      hasMore: true,
      note: expect.not.stringContaining("upstream"),
      omitted: [{ what: "items", path: "all", kept: "1 of 2" }],
    });
  });

  describe("of one step's body that says that it has more says so too", () => {
    const totals = { kind: "walk", measure: "id", maxPages: 1, additive: true, caveats: [] } as const;
    const told = {
      hasMore: true,
      omitted: [{ what: "rows" }],
      summary: { totalWithheld: { code: "PARTIAL_PAGES" } },
    };
    const body = {
      items: [
        { id: 1, jobs: [{ id: 7 }] },
        { id: 2, jobs: [] },
      ],
      total: 5,
    };
    test.each([
      ["the list itself", "steps.a.items", body, told],
      ["selected rows", "steps.a.items[?id > `1`]", body, told],
      ["what all its rows hold", "steps.a.items[].jobs[]", body, told],
      ["a list that is all", "steps.a.items", { ...body, total: 2 }, { hasMore: false, summary: { total: 3 } }],
      ["the first rows alone", "steps.a.items[:1]", body, { hasMore: false, summary: { total: 1 } }],
      ["what one row holds", "steps.a.items[0].jobs", body, { hasMore: false, summary: { total: 7 } }],
    ])("%s", async (_, path, answer, want) => {
      const fields = [{ kind: "column", name: "id", path: expression("id") }] as const;
      const shape = list({ rows: expression(path), fields, totals });
      const { ask } = startFlow({ steps: [read("a")], script: () => ({ body: answer }), shape });
      expect(await ask()).toMatchObject(want);
    });
  });

  test("adds up its rows, unless a step that gives some failed", async () => {
    const totals = { kind: "walk", measure: "cost", maxPages: 1, additive: true, caveats: [] } as const;
    const fields = [{ kind: "column", name: "cost", path: expression("cost") }] as const;
    const whole = start(halves, { totals, fields });
    expect((await whole.ask())["summary"]).toMatchObject({ total: 10, returned: 3 });
    const torn = start((asked) => (asked.query.get("from") === "2" ? NOT_FOUND : halves(asked)), { totals, fields });
    expect(await torn.ask()).toMatchObject({
      summary: { returned: 2, totalWithheld: { code: "PART_FAILED" } },
      hasMore: false,
      omitted: [{ what: "step", path: "all" }],
    });
  });
});

describe("a reply", () => {
  test("without expressions holds what each step gave, and no pin", async () => {
    const toolset = { pins: [{ name: "tenant", value: { kind: "literal", value: "t-1" } as const }] };
    const { ask } = startFlow({ steps: [read("a")], script: () => ({ body: { x: 1 } }), toolset });
    expect(await ask()).toEqual({ a: { x: 1 } });
  });

  test("stays within its budget, however much the steps left out", async () => {
    const steps = [...Array(20).keys()].map((at) => read(`s${at}`, { optional: true }));
    const script: Script = () => ({ status: 500, body: { message: "é".repeat(300) } });
    const { call } = startFlow({ steps, script, shape: values({ text: `'${"x".repeat(5_000)}'` }, 1_500) });
    const { text } = await call();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_500);
    expect(JSON.parse(text).omitted[0]).toMatchObject({ what: "step", path: "s0" });
  });

  test("has columns that steps name", async () => {
    const { ask } = startFlow({
      steps: [read("names"), read("rows")],
      script: answers({ names: { body: ["b"] }, rows: { body: [{ a: 1, b: 2 }] } }),
      shape: list({ rows: expression("steps.rows"), fields: [{ kind: "columns", names: value("steps.names") }] }),
    });
    expect((await ask())["data"]).toEqual([{ b: 2 }]);
  });
});

test("a step that hangs takes no more than the deadline, and leaves nothing running", async () => {
  const { ask } = startFlow({
    steps: [read("a"), read("b", { optional: true })],
    script: (asked) => (asked.path === "/b" ? hang(asked) : { body: 1 }),
    tool: { deadlineMs: 50 },
  });
  expect(await ask()).toMatchObject({ a: 1, b: null, omitted: [{ what: "step", path: "b" }] });
});
