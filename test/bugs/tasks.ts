import { pick, roll, uuidOf } from "./dice.ts";

export const PROJECTS = ["shop", "admin"] as const;
export const STATUSES = ["open", "in_progress", "resolved", "closed"] as const;

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly avatarUrl: string;
}

export interface Task {
  readonly id: string;
  readonly project: string;
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly status: (typeof STATUSES)[number];
  readonly priority: string;
  readonly reporter: Person;
  readonly assignee: Person;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly labels: readonly string[];
  /** The newest first. */
  readonly reports: readonly string[];
  readonly url: string;
}

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse("2026-08-01T08:00:00Z");
const TASKS_OF_PROJECT = 180;
const AREAS = ["Basket", "Search", "Login", "Invoice", "Profile", "Product page", "Newsletter", "Shipping"];
const TROUBLES = [
  "stays empty after a reload",
  "shows the wrong price",
  "does not open on a phone",
  "loses what was typed",
  "takes half a minute",
  "is cut off at the right",
  "shows a spinner for ever",
];
const NAMES = ["Ana Lind", "Bo Carter", "Chidi Okafor", "Dana Weiss", "Emre Kaya"];

/** What is told of the task of the story. */
export const PAYMENT = {
  number: 42,
  title: "Payment fails for baskets in Swiss francs",
  description:
    "Steps: switch the shop to CHF, put two items into the basket, go to checkout, choose the saved card and press Pay.\n" +
    "Expected: the order is placed.\nActual: the button turns grey, nothing happens, no message. Happens every time in CHF, never in EUR.",
} as const;

/** All tasks of both projects; numbers begin at 1 in each. */
export const tasks: readonly Task[] = PROJECTS.flatMap((project) =>
  Array.from({ length: TASKS_OF_PROJECT }, (_, index) => makeTask(project, index + 1)),
);

export function taskId(project: string, number: number): string {
  return uuidOf(`${project}/task/${number}`);
}

function makeTask(project: string, number: number): Task {
  const dice = (what: string) => roll(project, number, what);
  const id = taskId(project, number);
  const isStory = project === "shop" && number === PAYMENT.number;
  const createdAt = FIRST_DAY + Math.floor((number * DAY_MS) / 2 + dice("created") * DAY_MS);
  const reports = isStory ? 1 : 1 + Math.floor(dice("reports") * 2.3);
  const title = `${pick(AREAS, project, number, "area")} ${pick(TROUBLES, project, number, "trouble")}`;
  return {
    id,
    project,
    number,
    title: isStory ? PAYMENT.title : title,
    description: isStory ? PAYMENT.description : `${title}. Seen twice this week, see the recording.`,
    status: isStory ? "open" : pick(STATUSES, project, number, "status"),
    priority: isStory ? "urgent" : pick(["low", "normal", "high"], project, number, "priority"),
    reporter: makePerson(pick(NAMES, project, number, "reporter")),
    assignee: makePerson(pick(NAMES, project, number, "assignee")),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(createdAt + Math.floor(dice("updated") * 5 * DAY_MS)).toISOString(),
    labels: ["web", pick(["regression", "customer", "beta"], project, number, "label")],
    reports: Array.from({ length: reports }, (_, at) => uuidOf(`${id}/report/${reports - at}`)),
    url: `https://bugs.example.com/p/${project}/tasks/${id}`,
  };
}

export function makePerson(name: string): Person {
  const id = `u-${NAMES.indexOf(name) + 1}`;
  const email = `${name.toLowerCase().replace(" ", ".")}@example.com`;
  return { id, name, email, avatarUrl: `https://bugs.example.com/avatars/${id}.png?size=64` };
}
