import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { Group } from "../../../src/cli/report/summarize.ts";
import { run } from "../fake-shell.ts";
import { crash, knownMix, line, protocolFault, toolError, write } from "./events.ts";

type Line = Readonly<Record<string, never>>;

const json = async (...args: string[]): Promise<Group[]> => {
  const { code, out, err } = await run(["report", ...args, "--json"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
};

/** The figures of some lines by plain arithmetic. */
function figuresOf(lines: readonly Line[], all: number): object {
  const sum = (name: string) => lines.reduce((total, { [name]: value }) => total + (value ?? 0), 0);
  const through = (channel: string | null) => lines.filter(({ error_channel }) => error_channel === channel).length;
  const answered = lines.filter(({ is_error }) => is_error !== null).map(({ latency_ms }) => Number(latency_ms));
  const ranked = answered.toSorted((a, b) => a - b);
  const at = (share: number) => ranked[Math.ceil(ranked.length * share) - 1] ?? null;
  return {
    calls: lines.length,
    share: lines.length / all,
    ok: through(null),
    tool_errors: through("tool_result"),
    error_rate: answered.length === 0 ? null : through("tool_result") / answered.length,
    protocol_faults: through("protocol"),
    crashes: through("crash"),
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    upstream_ms: Math.round(sum("upstream_ms") * 1000) / 1000,
    upstream_calls: sum("upstream_calls"),
    bytes_in: sum("bytes_in"),
    bytes_out: sum("bytes_out"),
    bytes_upstream: sum("bytes_upstream"),
    bytes_kept: sum("bytes_upstream") - sum("bytes_out"),
    rows_omitted: sum("rows_omitted"),
  };
}

describe("a known mix is reported exactly", () => {
  const mix = knownMix();
  const file = write(mix);
  const parsed: Line[] = mix.map((text) => JSON.parse(text));
  const of = (name: string, value: string) => parsed.filter((event) => String(event[name]).startsWith(value));

  test("one object a tool, the most called first, and nothing that the lines do not say", async () => {
    const names = ["ledger_run_cost_query", "ledger_list_dimensions"];
    const groups = await json(file);
    expect(groups).toMatchObject(
      names.map((tool) => ({ server: "ledger", tool, ...figuresOf(of("tool", tool), parsed.length) })),
    );
    const errors = groups.flatMap((group) => group.errors);
    const count = (channel: string) =>
      errors.filter((error) => error.channel === channel).reduce((total, { calls }) => total + calls, 0);
    expect([count("tool_result"), count("protocol"), count("crash")]).toEqual([20, 5, 3]);
    expect(new Set(errors.map(({ code }) => code)).size).toBe(6);
  });

  test("by day", async () => {
    const days = ["2026-11-27", "2026-11-28", "2026-11-29"];
    expect(await json(file, "--by", "day")).toMatchObject(
      days.map((day) => ({ day, ...figuresOf(of("ts", day), parsed.length) })),
    );
  });

  test("over several files and patterns as over one, each file once", async () => {
    const half = write(mix.slice(0, 60), "half.jsonl");
    const rest = write(mix.slice(60), "half.jsonl");
    expect(await json(half, rest, rest.replace(/half/, "h*"))).toEqual(await json(file));
  });

  test("in words", async () => {
    const { out } = await run(["report", file]);
    expect(out).toContain(
      "128 calls from 2026-11-27 00:00 to 2026-11-29 15:30 UTC: 100 ok, 20 tool errors (16.7 %), 5 protocol faults, 3 crashes.\n1 file\n",
    );
    expect(out).toMatch(/^ledger_list_dimensions +43 +33\.6 % /m);
    expect(out).toMatch(/^2026-11-28 +48 +37\.5 % /m);
    expect(out).toMatch(/^ledger_run_cost_query +protocol +unknown_tool +\d+$/m);
  });

  test("as a table of a program", async () => {
    const { out } = await run(["report", file, "--csv", "--by", "tools_sha"]);
    const [head = "", row = "", end] = out.split("\n");
    expect(head).toMatch(/^tools_sha,calls,share,ok,tool_errors,error_rate,.*,errors$/);
    expect(row).toMatch(/^aaaa,128,1,100,20,0\.16666666666666666,5,3,/);
    expect(row).toContain("tool_result unknown_id: 5; ");
    expect(end).toBe("");
  });

  test("to a query", async () => {
    const query = "SELECT outcome, count(*) AS n, sum(bytes_in) AS b FROM events GROUP BY 1 ORDER BY n DESC";
    expect(JSON.parse((await run(["report", file, "--json", "--sql", query])).out)).toEqual([
      { outcome: "ok", n: 100, b: 12800 },
      { outcome: "tool_error", n: 20, b: 2560 },
      { outcome: "protocol", n: 5, b: 640 },
      { outcome: "crash", n: 3, b: 384 },
    ]);
    expect((await run(["report", file, "--sql", query])).out).toMatch(/^outcome +n +b\nok +100 +12800\n/);
    expect((await run(["report", file, "--csv", "--sql", query])).out).toMatch(/^outcome,n,b\nok,100,12800\n/);
  });
});

test("the figures are those of plain arithmetic, whatever the lines", async () => {
  const text = fc.string({ unit: "binary", maxLength: 6 });
  const count = fc.nat(1_000_000);
  const end = fc.constantFrom({}, toolError("a"), toolError("b"), protocolFault, crash);
  const event = fc
    .record({
      tool: text,
      latency_ms: fc.integer({ min: 0, max: 9 }),
      upstream_ms: count,
      bytes_out: count,
      bytes_upstream: count,
      rows_omitted: count,
    })
    .chain((figures) => end.map((ended) => ({ ...ended, ...figures })));
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1 }), async (events) => {
      const lines: Line[] = events.map((more) => JSON.parse(line(more)));
      const groups = await json(write(lines.map((one) => JSON.stringify(one))));
      for (const group of groups)
        expect(group).toMatchObject(
          figuresOf(
            lines.filter(({ tool }) => tool === group.tool),
            lines.length,
          ),
        );
      expect(groups.length).toBe(new Set(lines.map(({ tool }) => tool)).size);
    }),
    { numRuns: 30 },
  );
});

test("tools of one name on two servers are two tools, and calls without a name are shown", async () => {
  const file = write([line(), line({ server: "other" }), line({ ...protocolFault, tool: null })]);
  expect((await json(file)).map(({ server, tool }) => [server, tool])).toEqual([
    ["ledger", "ledger_run_cost_query"],
    ["ledger", null],
    ["other", "ledger_run_cost_query"],
  ]);
  const { out } = await run(["report", file]);
  expect(out).toMatch(/^other: ledger_run_cost_query +1 /m);
  expect(out).toMatch(/^ledger: \(no name\) +1 /m);
});

describe("a tool that is called again within a run", () => {
  const attempt = (run_id: string | null, at: number, more: object = {}) => line({ run_id, attempt: at, ...more });
  const failed = toolError("unknown_id");
  test.each([
    ["once", [attempt("a", 1, failed)], [0, 0]],
    ["twice, and then it went well", [attempt("a", 1, failed), attempt("a", 2)], [1, 0]],
    ["twice in vain", [attempt("a", 1, failed), attempt("a", 2, failed)], [1, 1]],
    ["in vain at the end", [attempt("a", 1), attempt("a", 2), attempt("a", 3, crash)], [1, 1]],
    ["several calls in the last attempt, one went well", [attempt("a", 2, failed), attempt("a", 2)], [1, 0]],
    ["the lines in another order", [attempt("a", 2, failed), attempt("a", 1)], [1, 1]],
    ["in two runs", [attempt("a", 2, failed), attempt("b", 2)], [2, 1]],
    ["without a run", [attempt(null, 2, failed)], [0, 0]],
  ])("%s", async (_, lines, want) => {
    const [group] = await json(write(lines));
    expect([group?.retried, group?.retried_without_success]).toEqual(want);
  });
  test("is shown, the most often in vain first", async () => {
    const again = (tool: string) => [attempt("a", 2, { tool }), attempt("b", 2, { tool, ...failed })];
    const { out } = await run(["report", write([...again("x_one"), attempt("c", 3, { tool: "x_two" })])]);
    expect(out).toContain(
      "called again  runs  without success\nx_one            2                1\nx_two            1                0\n",
    );
  });
});

test("lists of tools come in the order of their first call, so that a change can be judged", async () => {
  const at = (day: number, tools_sha: string | null) => line({ ts: `2026-11-0${day}T00:00:00Z`, tools_sha });
  const file = write([at(3, "aaa"), at(1, "ccc"), at(2, "bbb"), at(4, "ccc"), at(5, null)]);
  expect((await json(file, "--by", "tools_sha")).map(({ tools_sha }) => tools_sha)).toEqual([
    "ccc",
    "bbb",
    "aaa",
    null,
  ]);
  expect((await json(file, "--by", "day, tool")).map(({ tool, day }) => [tool, day])).toHaveLength(5);
});

describe("what cannot be read", () => {
  test("lines that are no events are named, counted and left out", async () => {
    const lines = [line(), "torn {", ...Array.from({ length: 12 }, () => "x"), line()];
    const { code, out, err } = await run(["report", write(lines), "--json"]);
    expect([code, JSON.parse(out)[0].calls]).toEqual([0, 2]);
    expect(err).toMatch(
      /^13 lines of the files are no events:\n {2}\S+events\.jsonl:2: it is torn, or no JSON object\n/,
    );
    expect(err).toMatch(/:11: .*\n {2}and 3 more\n$/);
  });
  test("events of other methods are no calls", async () => {
    const others = write([line({ mcp_method: "tools/list" })]);
    expect(await json(others)).toEqual([]);
    expect((await run(["report", others])).out).toBe("No calls (1 file).\n");
    expect((await run(["report", others, "--html"])).out).toContain("<p>No calls.</p>");
  });
  test.each([
    ["no file", ["/none/e.jsonl"], "/none/e.jsonl: there is no such file."],
    ["no file of a pattern", ["/none/*.jsonl"], "/none/*.jsonl: no file fits."],
    ["a file of something else", [write(["vitrine: 1"])], "There is no event in what was read."],
    ["an empty file", [write([])], "There is no event in what was read."],
    ["a file of blank lines", [write(["", " "])], "There is no event in what was read."],
    ["two formats", ["e", "--json", "--csv"], "--json and --csv exclude each other."],
    ["an unknown key", ["e", "--by", "hour"], `--by takes tool, tools_sha, day, not "hour".`],
    ["a query that says nothing", [write([line()]), "--sql", " ; "], "--sql: A query is missing."],
    ["a query for a page", ["e", "--html", "--sql", "x"], "--sql has its own columns"],
  ])("%s ends with 2", async (_, args, said) => {
    const { code, out, err } = await run(["report", ...args]);
    expect({ code, out, err }).toEqual({ code: 2, out: "", err: expect.stringContaining(said) });
  });
});

describe("a query reaches nothing but the events", () => {
  const file = write([line()]);
  test("and nothing is written beside it", async () => {
    const names = ["enable_external_access", "autoload_known_extensions", "lock_configuration", "temp_directory"];
    const query = `SELECT ${names.map((name) => `current_setting('${name}')::VARCHAR AS ${name}`).join()}`;
    expect(JSON.parse((await run(["report", file, "--json", "--sql", query])).out)).toEqual([
      {
        enable_external_access: "false",
        autoload_known_extensions: "false",
        lock_configuration: "true",
        temp_directory: "",
      },
    ]);
  });
  test.each([
    "SELECT * FROM read_text('/etc/hostname')",
    "SELECT * FROM '/etc/hostname'",
    `SELECT * FROM read_json('${file}')`,
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM read_csv('http://127.0.0.1:1/x')",
    "COPY events TO '/tmp/vitrine-stolen.csv'",
    "ATTACH '/tmp/vitrine-stolen.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "PRAGMA enable_profiling",
    "DROP TABLE events",
    "SELECT 1; SELECT 2",
    "SELECT nope FROM events",
    "",
  ])("%s", async (query) => {
    const { code, out, err } = await run(["report", file, "--sql", query]);
    expect({ code, out, err }).toEqual({ code: 2, out: "", err: expect.stringMatching(/^vitrine: --sql: /) });
  });
});

describe("moments are of UTC, wherever the report is made", () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  test.each(["Pacific/Auckland", "America/Los_Angeles"])("%s", async (place) => {
    process.env.TZ = place;
    const file = write([line({ ts: "2026-03-02T23:59:59.000Z" })]);
    const query =
      "SELECT day::VARCHAR AS day, ts::TIMESTAMPTZ AS moment, current_setting('TimeZone') AS zone FROM events";
    expect(JSON.parse((await run(["report", file, "--json", "--sql", query])).out)).toEqual([
      { day: "2026-03-02", moment: "2026-03-02 23:59:59+00", zone: "UTC" },
    ]);
  });
});
