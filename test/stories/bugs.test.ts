import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAILING } from "../bugs/network.ts";
import { findRecording } from "../bugs/report.ts";
import { type Bugs, startBugs, TOKEN } from "../bugs/start-bugs.ts";
import { PAYMENT, taskId, tasks } from "../bugs/tasks.ts";
import { type Answer, openSession, type Session } from "../setup/clients.ts";
import { vitrine } from "../setup/program.ts";
import { walk } from "./lists/walk.ts";

let bugs: Bugs;
let session: Session;

const ID = taskId("shop", PAYMENT.number);
const task = tasks.find(({ id }) => id === ID)!;
const recording = findRecording("shop", task.reports[0]!)!;

/** A server for the key of one project. */
function openProject(projectId: string): Promise<Session> {
  const file = join(mkdtempSync(join(tmpdir(), "vitrine-bugs-")), "as.yaml");
  writeFileSync(file, `claims: { projectId: ${projectId} }\n`);
  return openSession(["curation/bugs.yaml", "--as", file], { BUGS_URL: bugs.url, BUGS_TOKEN: TOKEN });
}

beforeAll(async () => {
  bugs = await startBugs();
  session = await openProject("shop");
});
afterAll(async () => {
  await session?.close();
  await bugs?.stop();
});

test("the curation has no finding, and its seven tools and describe_access only read", async () => {
  const { code, stdout } = await vitrine(["check", "curation/bugs.yaml", "--json"]);
  expect({ code, findings: JSON.parse(stdout) }).toStrictEqual({ code: 0, findings: [] });
  const { tools } = await session.client.listTools();
  expect(tools.map(({ name }) => name)).toStrictEqual([
    "bugs_describe_access",
    "bugs_get_report",
    "bugs_get_request",
    "bugs_get_task",
    "bugs_list_actions",
    "bugs_list_console",
    "bugs_list_network",
    "bugs_list_tasks",
  ]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
});

test("look at task #42 and find the failing request: five calls, under 12 kB", async () => {
  const answers: Answer[] = [];
  const call = async (tool: string, args: Record<string, unknown>) => {
    const answer = await session.call(`bugs_${tool}`, args);
    answers.push(answer);
    expect(answer.isError, answer.text).toBe(false);
    return answer.json;
  };

  const found = await call("get_task", { task: "#42" });
  expect(found).toMatchObject({ number: 42, title: PAYMENT.title });
  const { report } = (found["reports"] as { report: string }[])[0]!;

  const summary = await call("get_report", { report });
  const [rarest] = summary["failed_requests"] as { url: string; status: number; request: string; at: string }[];
  expect(rarest).toMatchObject({ url: FAILING.url, status: 500 });

  const listed = await call("list_network", { report, outcome: "failed", url: "/api/" });
  expect(listed).toMatchObject({ rowCount: 1, hasMore: false, data: [{ request: rarest!.request }] });

  const request = await call("get_request", { report, request: rarest!.request });
  expect(request["response_body"]).toContain("The terminal of merchant m-204 takes EUR, the basket is in CHF.");

  const [since, until] = [-1_000, 1_000].map((ms) => new Date(Date.parse(rarest!.at) + ms).toISOString());
  const around = await call("list_console", { report, level: "error", since, until });
  expect(JSON.stringify(around.data)).toContain("PaymentError: currency_mismatch");

  expect(answers).toHaveLength(5);
  const bytes = answers.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  expect(bytes).toBeLessThan(12_000);
});

test.each([
  ["its number as people write it", "#42", 1],
  ["its number alone", "42", 1],
  ["its ID", ID, 0],
  ["its address in the browser", task.url, 0],
  ["its address with what browsers add", `${task.url}?tab=reports#latest`, 0],
  ["words of its title", "swiss francs", 1],
  ["its whole title, with space around", ` ${PAYMENT.title} `, 1],
])("a task is named by %s", async (_, written, lookUps) => {
  // Of its own, so that nothing is remembered from other calls.
  const fresh = await openProject("shop");
  try {
    bugs.forget();
    const { json } = await fresh.call("bugs_get_task", { task: written });
    expect(json).toMatchObject({ id: ID, number: 42 });
    expect(bugs.asked).toHaveLength(lookUps + 1);
    await fresh.call("bugs_get_task", { task: written });
    expect(bugs.asked).toHaveLength(lookUps + 2);
  } finally {
    await fresh.close();
  }
});

test.each([
  ["#42", 1],
  [task.url, 1],
  [task.reports[0]!, 0],
])("a recording is named by %s", async (written) => {
  const { json } = await session.call("bugs_list_actions", { report: written, limit: 1 });
  expect(json.data).toMatchObject([{ at: recording.actions[0]!.at }]);
});

describe("an identifier that names no one thing", () => {
  test("several tasks: up to five, with what tells them apart, and nothing is read", async () => {
    bugs.forget();
    const { json, isError } = await session.call("bugs_get_task", { task: "shows the wrong price" });
    expect(isError).toBe(true);
    expect(json).toMatchObject({ error: "ambiguous_id", path: "task", retryable: false });
    const matching = tasks.filter(
      ({ project, title }) => project === "shop" && title.includes("shows the wrong price"),
    );
    expect(matching.length).toBeGreaterThan(5);
    const allowed = json["allowed"] as Record<string, unknown>[];
    expect(allowed).toHaveLength(5);
    for (const { id, number, ...more } of allowed) {
      expect(matching.some((one) => one.id === id && one.number === number)).toBe(true);
      expect(Object.keys(more).length).toBeGreaterThan(0);
    }
    expect(bugs.asked.filter((path) => /tasks\/./.test(path))).toStrictEqual([]);
  });

  test.each([
    ["a number that no task has", "#4242"],
    ["words that no title holds", "perpetual motion"],
    ["the ID of another project's task", taskId("admin", 42)],
    ["an ID of nothing", "00000000-0000-4000-8000-000000000000"],
  ])("%s is an unknown ID, with the tool that lists them", async (_, written) => {
    const { json } = await session.call("bugs_get_task", { task: written });
    expect(json).toMatchObject({ error: "unknown_id", path: "task", retryable: false });
    expect(json["recover"]).toContain("`bugs_list_tasks`");
  });

  test("a request that the recording has not leads to the list of those that it has", async () => {
    const { json } = await session.call("bugs_get_request", { report: "#42", request: "n-99999" });
    expect(json).toMatchObject({ error: "unknown_request", recover: expect.stringContaining("`bugs_list_network`") });
  });
});

describe("one project a key", () => {
  test("the same number is another task for another key", async () => {
    const other = await openProject("admin");
    try {
      const { json } = await other.call("bugs_get_task", { task: "#42" });
      expect(json).toMatchObject({ id: taskId("admin", 42), number: 42 });
      expect(json["title"]).not.toBe(PAYMENT.title);
      expect((await other.call("bugs_describe_access")).text).toContain('"admin"');
    } finally {
      await other.close();
    }
  });

  test("no argument leads into another project", async () => {
    bugs.forget();
    const refused = await session.call("bugs_get_task", { task: "#42", projectId: "admin" });
    expect(refused.json.error).toBe("pinned_argument");
    await session.call("bugs_get_report", { report: findReportOf("admin") });
    await session.call("bugs_get_request", { report: "../../admin/reports/x", request: "n-1" });
    expect(bugs.asked.filter((path) => !path.startsWith("/v1/projects/shop/"))).toStrictEqual([]);
  });

  test("describe_access says which it is", async () => {
    expect((await session.call("bugs_describe_access")).text).toContain('"projectId":"shop"');
  });
});

const findReportOf = (project: string) => tasks.find((one) => one.project === project)!.reports[0]!;

interface Cut {
  readonly what: string;
  readonly path: string;
  readonly kept: string;
  readonly get?: string;
}

describe("the summary and the rest", () => {
  test("what the summary cuts it says, with how many there are and the call for the rest", async () => {
    const { json, text } = await session.call("bugs_get_report", { report: "#42" });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5_000);
    expect(json["counts"]).toMatchObject({ console: recording.console.length, network: recording.network.length });
    const distinct = new Set(recording.console.filter(({ level }) => level === "error").map(({ message }) => message));
    const report = recording.id;
    expect(json["omitted"]).toStrictEqual([
      {
        what: "items",
        path: "errors",
        kept: `8 of ${distinct.size}`,
        get: `\`bugs_list_console\` with ${JSON.stringify({ report, level: "error" })}`,
      },
      {
        what: "items",
        path: "last_actions",
        kept: `6 of ${recording.actions.length}`,
        get: `\`bugs_list_actions\` with ${JSON.stringify({ report })}`,
      },
    ]);
  });

  test("the calls that it names give all of it, in the order of time, and say where it ends", async () => {
    const { json } = await session.call("bugs_get_report", { report: "#42" });
    const errors = recording.console.filter(({ level }) => level === "error");
    const wants = [errors, recording.actions];
    for (const [index, cut] of (json["omitted"] as Cut[]).entries()) {
      const [, tool, args] = /^`(\w+)` with (.*)$/.exec(cut.get!)!;
      const { rows, replies } = await walk(session, tool!, JSON.parse(args!), [100]);
      expect(rows.map((row) => row["at"])).toStrictEqual(wants[index]!.map(({ at }) => at));
      expect(replies.at(-1)?.json).toMatchObject({ hasMore: false });
    }
  });

  test.each([
    ["bugs_list_console", () => recording.console, "id"],
    ["bugs_list_network", () => recording.network, "request"],
    ["bugs_list_actions", () => recording.actions, undefined],
  ] as const)("%s pages through thousands of entries, each once, and says where they end", async (tool, all, id) => {
    const { rows, replies } = await walk(session, tool, { report: "#42" }, [500, 37, 120]);
    const wants = all();
    expect(rows.map((row) => row["at"])).toStrictEqual(wants.map(({ at }) => at));
    if (id !== undefined) expect(rows.map((row) => row[id])).toStrictEqual(wants.map((one) => one.id));
    expect(rows.map((row) => String(row["at"]))).toStrictEqual(rows.map((row) => String(row["at"])).toSorted());
    expect(
      replies.slice(0, -1).every(({ json: { hasMore, nextPageToken } }) => hasMore === true && nextPageToken),
    ).toBe(true);
    expect(replies.at(-1)?.json["hasMore"]).toBe(false);
    expect(replies.at(-1)?.json).not.toHaveProperty("nextPageToken");
  });

  test("a page token of one recording leads nowhere in another", async () => {
    const { json } = await session.call("bugs_list_console", { report: "#42" });
    const other = await session.call("bugs_list_console", { report: "#43", pageToken: json["nextPageToken"] });
    expect(other.json.error).toBe("invalid_cursor");
  });

  test("what cannot be read is said, and the rest of the summary stands", async () => {
    bugs.failing.set(/\/console$/, 404);
    try {
      const { json, isError } = await session.call("bugs_get_report", { report: "#42" });
      expect(isError).toBe(false);
      expect(json["failed_requests"]).toMatchObject([{ url: FAILING.url }, {}, {}]);
      expect(json["errors"]).toBeNull();
      expect(json["omitted"]).toContainEqual(expect.objectContaining({ what: "step", path: "errors" }));
    } finally {
      bugs.failing.clear();
    }
  });
});
