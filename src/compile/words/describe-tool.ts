import type { Curation, ToolEntry } from "../../curation/format.ts";
import type { OperationEntry } from "../../model/api.ts";
import { capitalize } from "../../model/capitalize.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Problem } from "../../model/problem.ts";
import { type EntryPath, hintFor, openReport, type Report } from "../open-report.ts";
import { clipWords } from "./clip-words.ts";
import { asSentence, firstSentence, stripHidden } from "./plain-text.ts";
import { emittedName, replaceToolNames, type ToolNames } from "./tool-names.ts";

export interface DescriptionContext {
  readonly curation: Curation;
  readonly names: ToolNames;
  /** Its words are used where the curation has none. */
  readonly operation?: OperationEntry & { readonly description?: string };
}

export interface ToolDescription {
  readonly title: string;
  readonly description: string;
  readonly problems: readonly Problem[];
}

/** Clients cut beyond these (contract section 2, Descriptions). */
const LONGEST = 1_024;
const PURPOSE_WITHIN = 200;

/** What callers read of a tool: `use`, `notFor`, `returns`, `next`, in this order, with tool names as callers see them. */
export function describeTool(
  name: string,
  tool: ToolEntry,
  at: EntryPath,
  context: DescriptionContext,
): ToolDescription {
  const report = openReport(context.curation);
  const say = (key: "title" | "use" | "notFor" | "returns", text: string) =>
    replaceToolNames(visible(text, [...at, key], report), [...at, key], context.names, report);
  const use = tool.use === undefined ? purposeOf(context.operation, name) : say("use", tool.use);
  const parts = [
    asSentence(use),
    ...(tool.notFor === undefined ? [] : [`Not for: ${asSentence(say("notFor", tool.notFor))}`]),
    ...(tool.returns === undefined ? [] : [`Returns: ${asSentence(say("returns", tool.returns))}`]),
    ...describeNext(tool, at, context, report),
  ];
  // Alone it is one line and no sentence among others.
  const description = parts.length === 1 ? use.trim() : parts.join(" ");
  checkLength(description, use, tool, at, report);
  const title = tool.title === undefined ? titleOf(name) : say("title", tool.title);
  const isShort = context.curation.content.server.descriptions === "compact";
  return { title, description: isShort ? inShort(use, parts) : description, problems: report.problems };
}

/** For clients that load tools on demand: what the tool is for, and not for; the order of calls stands in the instructions. */
function inShort(use: string, parts: readonly string[]): string {
  const notFor = parts.filter((part) => part.startsWith("Not for: "));
  const purpose = firstSentence(use.trim());
  return notFor.length === 0 ? purpose : [asSentence(purpose), ...notFor].join(" ");
}

/** The author's own text is shown as it is but for what nobody can see in it. */
function visible(text: string, at: EntryPath, report: Report): string {
  const seen = stripHidden(text);
  if (seen !== text.replace(/\r\n?/g, "\n"))
    report.add(
      "warning",
      "hidden_characters",
      at,
      "The text holds characters that cannot be seen; they are left out.",
      "Type the text anew.",
    );
  return seen.replace(/\s*\n\s*/g, " ").trim();
}

function purposeOf(operation: DescriptionContext["operation"], name: string): string {
  const words = [operation?.summary, operation?.description].map((text) => clipWords(text ?? "", PURPOSE_WITHIN));
  const found = words.find((text) => text !== "");
  if (found !== undefined) return found;
  return operation === undefined ? titleOf(name) : `Sends ${operation.method} ${operation.path}`;
}

function describeNext(tool: ToolEntry, at: EntryPath, { names }: DescriptionContext, report: Report): string[] {
  const steps = Object.entries(tool.next ?? {}).map(([name, reason]) => {
    const here = [...at, "next", name];
    const emitted = emittedName(name, names);
    if (emitted === undefined) {
      const known = [...names.keys()];
      report.add(
        "error",
        "unknown_tool",
        here,
        `There is no tool "${name}".`,
        hintFor(nearestNames(name, known), known),
      );
    }
    const why = replaceToolNames(visible(reason, here, report), here, names, report).replace(/[.\s]+$/, "");
    return `\`${emitted ?? name}\` ${/^(to|for|when|where|if|with|once|after|before) /i.test(why) ? why : `to ${why}`}`;
  });
  return steps.length === 0 ? [] : [`Next: ${steps.join("; ")}.`];
}

function checkLength(description: string, use: string, tool: ToolEntry, at: EntryPath, report: Report): void {
  const here = tool.use === undefined ? at : [...at, "use"];
  if (description.length > LONGEST) {
    const message = `The description has ${description.length} characters, and clients cut it at ${LONGEST}.`;
    report.add("error", "description_too_long", here, message, "Shorten `use`, `notFor`, `returns` or `next`.");
  }
  const purpose = firstSentence(use).length;
  if (tool.use !== undefined && purpose > PURPOSE_WITHIN) {
    const message = `The first sentence has ${purpose} characters; the purpose must be said within ${PURPOSE_WITHIN}.`;
    report.add("warning", "purpose_too_late", here, message, "Begin with one short sentence on what the tool is for.");
  }
}

/** `billing.get_invoice` is `Get invoice`. */
function titleOf(name: string): string {
  return capitalize((name.split(".").at(-1) ?? name).replaceAll("_", " ").trim());
}
