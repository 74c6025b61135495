import { LEVELS } from "./console.ts";
import { showEntry } from "./network.ts";
import { findRecording, type Recording, showReport } from "./report.ts";
import { PROJECTS, STATUSES, type Task, tasks } from "./tasks.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What the tracker answers to a request of someone whom it knows. */
export function answer(method: string, url: URL): Answer {
  try {
    return { status: 200, body: route(method, url) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { status: error.status, body: { error: { code: error.code, message: error.message } } };
  }
}

const notFound = (what: string) => new Refused(404, "not_found", `There is no such ${what} in this project.`);

function route(method: string, { pathname, searchParams }: URL): unknown {
  const [, version, , project = "", kind, id = "", list, entry] = pathname.split("/").map(decodeURIComponent);
  if (method !== "GET" || version !== "v1" || !PROJECTS.some((one) => one === project)) throw notFound("project");
  if (kind === "tasks" && id === "") return listTasks(project, searchParams);
  if (kind === "tasks") return showDetail(project, id);
  if (kind !== "reports") throw notFound("thing");
  const recording = findRecording(project, id);
  if (recording === undefined) throw notFound("report");
  if (list === undefined) return showReport(recording);
  if (list !== "network" || entry === undefined) return listEntries(recording, list, searchParams);
  const found = recording.network.find((one) => one.id === entry);
  if (found === undefined) throw notFound("entry");
  return showEntry(found);
}

function listTasks(project: string, query: URLSearchParams): unknown {
  const [number, title, status] = ["number", "q", "status"].map((name) => query.get(name));
  oneOf("status", status ?? null, STATUSES);
  const found = tasks
    .filter((task) => task.project === project)
    .filter((task) => number == null || task.number === Number(number))
    .filter((task) => title == null || task.title.toLowerCase().includes(title.toLowerCase()))
    .filter((task) => status == null || task.status === status)
    .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  return pageOf("tasks", found.map(showTask), query);
}

function showTask({ project: _, description: __, reports, ...task }: Task) {
  return { ...task, reportCount: reports.length, latestReportId: reports[0] };
}

function showDetail(project: string, id: string): unknown {
  const task = tasks.find((one) => one.project === project && one.id === id);
  if (task === undefined) throw notFound("task");
  const reports = task.reports.map((report) => showReport(findRecording(project, report)!));
  return { ...showTask(task), description: task.description, reports };
}

function listEntries(recording: Recording, list: string, query: URLSearchParams): unknown {
  const [level, outcome, url, order] = ["level", "outcome", "url", "order"].map((name) => query.get(name) ?? null);
  oneOf("level", level ?? null, LEVELS);
  oneOf("outcome", outcome ?? null, ["ok", "failed"]);
  oneOf("order", order ?? null, ["asc", "desc"]);
  const hasFailed = ({ status }: { readonly status: number }) => status === 0 || status >= 400;
  const lists = {
    console: () => recording.console.filter((one) => level === null || one.level === level),
    network: () =>
      recording.network
        .filter((one) => outcome === null || hasFailed(one) === (outcome === "failed"))
        .filter((one) => typeof url !== "string" || one.url.includes(url)),
    actions: () => recording.actions,
  };
  if (!Object.hasOwn(lists, list)) throw notFound("list");
  const [since, until] = [momentOf(query, "since"), momentOf(query, "until")];
  const entries: readonly { readonly at: string }[] = lists[list as keyof typeof lists]();
  const inside = entries.filter(
    ({ at }) => Date.parse(at) >= since && Date.parse(at) < (until || Number.POSITIVE_INFINITY),
  );
  const name = list === "actions" ? "actions" : "entries";
  return pageOf(name, order === "asc" ? inside : inside.toReversed(), query);
}

function momentOf(query: URLSearchParams, name: string): number {
  const text = query.get(name);
  const moment = text === null ? 0 : Date.parse(text);
  if (Number.isNaN(moment)) throw new Refused(400, "bad_parameter", `${name} is no moment.`);
  return moment;
}

function oneOf(name: string, value: string | null, known: readonly string[]): void {
  if (value !== null && !known.includes(value)) throw new Refused(400, "bad_parameter", `${name} cannot be ${value}.`);
}

/** Tokens are positions, written so that none can be guessed from another by an agent. */
function pageOf(name: string, rows: readonly unknown[], query: URLSearchParams): unknown {
  const size = Number(query.get("pageSize") ?? 100);
  if (!Number.isInteger(size) || size < 1 || size > 500)
    throw new Refused(400, "bad_parameter", "pageSize must be from 1 to 500.");
  const token = query.get("pageToken");
  const start = token === null ? 0 : Number(Buffer.from(token, "base64url").toString().replace("at:", ""));
  if (!Number.isInteger(start)) throw new Refused(400, "bad_parameter", "pageToken is of no page.");
  const end = start + size;
  const next = end < rows.length && { nextPageToken: Buffer.from(`at:${end}`).toString("base64url") };
  return { [name]: rows.slice(start, end), ...next };
}
