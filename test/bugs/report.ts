import { type ConsoleEntry, makeConsole } from "./console.ts";
import { pick, roll } from "./dice.ts";
import { makeNetwork, type NetworkEntry } from "./network.ts";
import { makePerson, PAYMENT, type Task, tasks } from "./tasks.ts";

export interface Action {
  readonly id: string;
  readonly at: string;
  readonly kind: "navigate" | "click" | "input" | "submit" | "scroll";
  readonly target: string;
  readonly selector: string;
  readonly page: string;
}

export interface Recording {
  readonly id: string;
  readonly task: Task;
  readonly recordedAt: string;
  readonly durationMs: number;
  /** Each in the order of time. */
  readonly console: readonly ConsoleEntry[];
  readonly network: readonly NetworkEntry[];
  readonly actions: readonly Action[];
}

const recordings = new Map<string, Recording>();

/** The recording of this report of the project, made when it is first asked for. */
export function findRecording(project: string, id: string): Recording | undefined {
  const known = recordings.get(id);
  if (known !== undefined) return known.task.project === project ? known : undefined;
  const task = tasks.find((one) => one.project === project && one.reports.includes(id));
  if (task === undefined) return undefined;
  const recording = record(task, id);
  recordings.set(id, recording);
  return recording;
}

function record(task: Task, id: string): Recording {
  const start = Date.parse(task.createdAt) - 600_000 * (1 + task.reports.indexOf(id));
  const isStory = task.project === "shop" && task.number === PAYMENT.number;
  const durationMs = isStory ? 512_340 : 60_000 + Math.floor(roll(id, "duration") * 540_000);
  const span = { id, start, durationMs, isStory };
  return {
    id,
    task,
    recordedAt: new Date(start).toISOString(),
    durationMs,
    console: makeConsole({ ...span, count: isStory ? 3_120 : 200 + Math.floor(roll(id, "console") * 2_000) }),
    network: makeNetwork({ ...span, count: isStory ? 1_874 : 100 + Math.floor(roll(id, "network") * 1_000) }),
    actions: makeActions(span, isStory ? 164 : 20 + Math.floor(roll(id, "actions") * 100)),
  };
}

const TARGETS = [
  "link Shop",
  "button Add to basket",
  "field Search",
  "link Basket",
  "menu Currency",
  "button Continue",
];
const KINDS = ["navigate", "click", "click", "input", "scroll"] as const;

function makeActions({ id, start, durationMs, isStory }: Span, count: number): Action[] {
  return Array.from({ length: count }, (_, index) => {
    const isPay = isStory && index === count - 2;
    return {
      id: `a-${index + 1}`,
      at: new Date(start + Math.floor((durationMs * index) / count)).toISOString(),
      kind: isPay ? "click" : pick(KINDS, id, index, "kind"),
      target: isPay ? "button Pay" : pick(TARGETS, id, index, "target"),
      selector: `#root > main > section:nth-child(${1 + (index % 5)}) > div.card > *:nth-child(${1 + (index % 7)})`,
      page: isStory && index > count - 20 ? "https://shop.example.com/checkout" : "https://shop.example.com/",
    };
  });
}

export interface Span {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly durationMs: number;
  /** It is the recording that the story is about. */
  readonly isStory: boolean;
}

/** The report as the API shows it. */
export function showReport({ id, task, recordedAt, durationMs, console, network, actions }: Recording) {
  return {
    id,
    taskId: task.id,
    recordedAt,
    durationMs,
    recordedBy: makePerson(task.reporter.name),
    page: actions.at(-1)!.page,
    appVersion: "2026.41.3",
    browser: {
      name: "Firefox",
      version: "143.0",
      os: "Windows 11",
      userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0",
      viewport: { width: 1536, height: 730 },
    },
    counts: {
      console: console.length,
      consoleErrors: console.filter(({ level }) => level === "error").length,
      network: network.length,
      networkFailed: network.filter(({ status }) => status === 0 || status >= 400).length,
      actions: actions.length,
    },
  };
}
