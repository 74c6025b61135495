import { MissingSetting } from "../../model/errors.ts";
import type { ToolReply } from "../../model/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Severity } from "../../model/problem.ts";
import type { Tool, Toolset } from "../../model/tool.ts";
import { createRunner } from "../../run/run-tool.ts";
import { callAgreed } from "../commands/call-agreed.ts";
import { type Difference, findDifferences } from "./find-differences.ts";
import { type AnswerQueue, openStage, type Stage } from "./open-stage.ts";
import type { ExampleEntry, ExampleFiles } from "./read-example.ts";
import { takeOffline } from "./take-offline.ts";

/** What is wrong with an example; `at` is the key of it that says so. */
export interface ExampleFault {
  readonly code: string;
  readonly severity: Severity;
  readonly at: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

/** The moment of every example that names none. */
const MOMENT = "2026-01-01T00:00:00Z";
const MOST_SHOWN = 3;

/** Calls the tool as a caller would, with the files for the upstream's answers in the order of the requests. Whatever it asks is agreed to. */
export async function runExample(
  entry: ExampleEntry,
  { queues, reply: wanted }: ExampleFiles,
  tool: Tool,
  toolset: Toolset,
): Promise<ExampleFault[]> {
  const { args = {}, claims = {}, env = {}, now = MOMENT } = entry;
  const key = claims as JsonObject;
  const stage = openStage(queues, new Date(now));
  const runner = createRunner(takeOffline(toolset, env, key), { env }, stage.outside);
  try {
    runner.checkSettings({ key });
  } catch (error) {
    if (!(error instanceof MissingSetting)) throw error;
    const hint = "Say it in the example: `claims: {NAME: value}` for `key`, `env: {NAME: value}` for `env`.";
    return [{ code: "example_unset", severity: "error", at: [], message: error.message, hint }];
  }
  // With all loaded before, requests that go out together do so in the same order each time; nobody minds where each operation has its own answers.
  if (queues.some(({ operation, answers }) => operation === undefined && answers.length > 1)) await runner.loadRest();
  const { name, given } = asCalled(tool, args as JsonObject);
  const caller = { key, signal: new AbortController().signal };
  const reply = await callAgreed(runner, name, given, caller, stage.rewind);
  return [...judgeRequests(stage, queues), ...judgeReply(reply, wanted, stage)];
}

/** In a group a tool is called by its action. */
function asCalled({ name, group }: Tool, args: JsonObject): { readonly name: string; readonly given: JsonObject } {
  if (group === undefined) return { name, given: args };
  return { name: group.tool, given: { [group.discriminator]: group.action, ...args } };
}

function judgeRequests({ asked }: Stage, queues: readonly AnswerQueue[]): ExampleFault[] {
  const sent = asked.map(({ operation }, at) => `${at + 1}. ${operation}`).join(", ");
  const hint = sent === "" ? "The tool sends nothing." : `The tool sends ${sent}.`;
  const lost = asked.findIndex(({ given }) => given === undefined);
  if (lost !== -1) {
    const message = `Request ${lost + 1}, ${asked[lost]?.operation}, has no answer.`;
    return [{ code: "example_unanswered", severity: "error", at: ["upstream"], message, hint }];
  }
  const given = new Set(asked.map((one) => one.given));
  const unused = queues.flatMap(({ answers }) => answers).filter((one) => !given.has(one));
  return unused.map(({ name, place }) => {
    return { code: "example_unused", severity: "warning", at: place, message: `Nothing asks for ${name}.`, hint };
  });
}

function judgeReply(reply: ToolReply, wanted: Json, { asked, fault: cause }: Stage): ExampleFault[] {
  // Of what was not answered nothing can come.
  if (asked.some(({ given }) => given === undefined)) return [];
  const got = JSON.parse(reply.text) as Json;
  const differences = findDifferences(wanted, got);
  if (differences.length === 0) return [];
  const fault = { code: "example_differs", severity: "error" as const, at: ["reply"] };
  if (reply.isError && isJsonObject(got) && !(isJsonObject(wanted) && typeof wanted.error === "string")) {
    const error = cause();
    const why = error instanceof Error ? ` (${error.message})` : "";
    const message = `The tool fails in place of the reply: ${text(got.error)}: ${text(got.message)}${why}`;
    return [{ ...fault, message, hint: text(got.recover) }];
  }
  const shown = differences.slice(0, MOST_SHOWN).map(tell).join("; ");
  const further = differences.length - MOST_SHOWN;
  const message = `The reply is another one: ${shown}${further > 0 ? `; and ${further} more` : ""}.`;
  return [{ ...fault, message, hint: "Mend the curation, or, where this is meant, the reply's file." }];
}

function tell({ path, wanted, got }: Difference): string {
  return `${path === "" ? "" : `\`${path}\`: `}wanted ${show(wanted)}, got ${show(got)}`;
}

function show(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const written = JSON.stringify(value);
  return written.length > 80 ? `${[...written].slice(0, 79).join("")}…` : written;
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value.replace(/\p{Cc}+/gu, " ") : "";
}
