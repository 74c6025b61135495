import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openSession, type Session } from "../setup/clients.ts";

// Identifiers over the built program: a task by its number, by an address from the browser, by its name, and what names none or several.

const CURATION = "test/fixtures/stories/entities/tasks.curation.yaml";
const TASKS = [
  { id: "0000000a-0001", number: 41, title: "open doors", status: "open" },
  { id: "0000000a-0002", number: 42, title: "checkout fails", status: "open" },
  { id: "0000000a-0003", number: 43, title: "checkout fails", status: "done" },
  { id: "0000000a-0004", number: 44, title: "gone since", status: "open" },
];
/** Listed, and not there any more. */
const GONE = "0000000a-0004";
const heard: string[] = [];
let upstream: Server;
let env: Record<string, string>;
let session: Session;

function answer(url: URL): readonly [status: number, body?: unknown] {
  const [, , , what, id, inner] = url.pathname.split("/");
  const task = TASKS.find((one) => one.id === id && one.id !== GONE);
  if (what === "merge") return [200, { same: new Set(url.searchParams.getAll("ids")).size === 1 }];
  if (id !== undefined && task === undefined) return [404, { message: "No such task." }];
  if (inner === "reports") {
    const page = Number(url.searchParams.get("page") ?? 1);
    return [200, page > 3 ? [] : [1, 2].map((at) => ({ id: page * 10 + at, text: `Report of ${task!.number}` }))];
  }
  if (id !== undefined) return [200, task];
  const { number, title, page } = Object.fromEntries(url.searchParams);
  if (Number(page ?? 1) > 1) return [200, { items: [] }];
  const words = title ?? "";
  return [
    200,
    {
      items: TASKS.filter(
        (one) => (number === undefined || one.number === Number(number)) && one.title.includes(words),
      ),
    },
  ];
}

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://x");
    heard.push(`${request.method} ${request.url}`);
    const [status, body] = request.method === "DELETE" ? [204] : answer(url);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  env = { TASKS_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, PROJECT: "shop" };
});
beforeEach(async () => {
  session = await openSession([CURATION], env);
  heard.length = 0;
  return () => session.close();
});
afterAll(() => void upstream.close());

const SECOND = "0000000a-0002";
const task = (id: string) => `GET /projects/shop/tasks/${id}`;
const byNumber = "GET /projects/shop/tasks?number=42&page=1";

describe("one task is found", () => {
  test.each([
    ["by its ID", SECOND, [task(SECOND)]],
    ["by the number that people say", "#42", [byNumber, task(SECOND)]],
    ["by an address out of the browser", `https://bugs.example.com/shop/tasks/${SECOND}?tab=console#log`, []],
    ["by an address that fits", `https://bugs.example.com/tasks/${SECOND}?tab=console#log`, [task(SECOND)]],
    [
      "by its name",
      "open doors",
      [
        "GET /projects/shop/tasks?title=open%20doors&page=1",
        "GET /projects/shop/tasks?title=open%20doors&page=2",
        task("0000000a-0001"),
      ],
    ],
  ])("%s", async (_, written, want) => {
    const { json, isError } = await session.call("t_get_task", { taskId: written });
    expect(heard.filter((url) => !url.includes("page=") || want.some((one) => one === url))).toStrictEqual(want);
    if (want.length > 0) expect([isError, typeof json.title]).toStrictEqual([false, "string"]);
    // No alias takes this one, and no ID looks so: nothing is sent but the list of what there is.
    else expect(json).toMatchObject({ error: "unknown_id", path: "taskId" });
  });

  test("among others of a list, in a workflow, and for what writes", async () => {
    expect((await session.call("t_compare_tasks", { ids: ["#42", SECOND] })).json).toMatchObject({ same: true });
    expect((await session.call("t_review_task", { task: "#42" })).json).toMatchObject({
      title: "checkout fails",
      reports: 6,
    });
    expect((await session.call("t_delete_task", { taskId: "#42" })).json).toMatchObject({ done: true });
    expect(heard).toContain(`DELETE /projects/shop/tasks/${SECOND}`);
  });

  test("once a minute, but for what writes", async () => {
    const looked = () => heard.filter((url) => url === byNumber).length;
    for (const _ of [1, 2]) await session.call("t_get_task", { taskId: "#42" });
    expect(looked()).toBe(1);
    await session.call("t_delete_task", { taskId: "#42" });
    expect(looked()).toBe(2);
  });

  test("page by page, also by another of its names, and no page of another's", async () => {
    const first = await session.call("t_list_reports", { taskId: "#42" });
    const pageToken = first.json.nextPageToken;
    const second = await session.call("t_list_reports", { taskId: SECOND, pageToken });
    expect(second.json.data).toStrictEqual([21, 22].map((id) => ({ id, text: "Report of 42" })));
    const other = await session.call("t_list_reports", { taskId: "#41", pageToken });
    expect(other.json).toMatchObject({ error: "invalid_cursor" });
  });
});

describe("what names no one task is refused", () => {
  test("several: with what tells them apart", async () => {
    const { json } = await session.call("t_get_task", { taskId: "checkout fails" });
    expect(json).toMatchObject({
      error: "ambiguous_id",
      path: "taskId",
      allowed: [
        { id: SECOND, number: 42, status: "open" },
        { id: "0000000a-0003", number: 43, status: "done" },
      ],
    });
    expect(heard.some((url) => url === task(SECOND))).toBe(false);
  });

  test("none: with the tool that lists them, and what there is", async () => {
    const { json } = await session.call("t_get_task", { taskId: "#99" });
    expect(json).toMatchObject({
      error: "unknown_id",
      message: "There is no task `#99`.",
      recover: "Call `t_list_tasks` and use exact taskId values. See `allowed`.",
      path: "taskId",
      got: "#99",
      allowed: TASKS.map(({ id }) => id),
      retryable: false,
    });
  });

  test.each([
    ["t_get_task", { taskId: GONE }, ""],
    ["t_review_task", { task: "#44" }, "Step `task`: "],
  ])("one that is not there any more, by %s", async (tool, args, lead) => {
    const { json } = await session.call(tool, args);
    expect(json).toMatchObject({
      error: "unknown_id",
      message: `${lead}There is no task \`${GONE}\`.`,
      recover: expect.stringMatching(/^Call `t_list_tasks` and use exact taskId values\./),
      path: Object.keys(args)[0],
      upstream: { status: 404, message: "No such task." },
    });
  });
});

test("no caller leaves the pinned project by what they write", async () => {
  const written = ["../../other/tasks/0000000a-0001", "https://x/tasks/../other", "#42&project=other", "x/y"];
  for (const taskId of written) await session.call("t_get_task", { taskId });
  expect(heard.filter((url) => !url.includes(" /projects/shop/tasks"))).toStrictEqual([]);
});
