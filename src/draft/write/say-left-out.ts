import type { OperationEntry } from "../../model/api.ts";
import { counted, groupDigits } from "../../model/counted.ts";
import type { Chosen } from "../choose/choose-tools.ts";
import type { Survey } from "../survey/survey-api.ts";

/** What of a document became no tool. */
export interface LeftOut {
  readonly operations: number;
  /** Of these, what changes something. */
  readonly changing: number;
  /** Of these, what a person did not ask for. */
  readonly unasked: number;
  /** Of these, what was looked at and cannot be used. */
  readonly unusable: number;
}

export interface LeftOutOptions {
  readonly survey: Survey;
  readonly chosen: readonly Chosen[];
  /** Keys of operations that the compiler refused or that took too much room. */
  readonly dropped: ReadonlySet<string>;
  readonly writes: boolean;
  /** The list of tools takes all the tokens that it may. */
  readonly isFull: boolean;
}

export function countLeftOut({ survey, chosen, dropped }: LeftOutOptions): LeftOut {
  const writes = chosen.filter(({ fact }) => fact.kind === "write").length;
  return {
    operations: survey.operations - chosen.length,
    changing: Math.max(0, survey.changing - writes),
    unasked: survey.unasked,
    unusable: survey.unusable.length + dropped.size,
  };
}

/** Operations; whoever wants more reads the document. */
const MOST_NAMED = 6;

/** Says how many operations became no tool and why, and which would come next. */
export function sayLeftOut(options: LeftOutOptions): string[] {
  const { survey, chosen, dropped, writes, isFull } = options;
  const { operations, changing, unusable } = countLeftOut(options);
  if (operations === 0) return [];
  const taken = new Set(chosen.map(({ fact }) => fact.entry.key));
  const next = survey.facts.map(({ entry }) => entry).filter(({ key }) => !taken.has(key) && !dropped.has(key));
  const rest = operations - changing - unusable - survey.unasked;
  const lines = [
    `Left out when this was drafted: ${groupDigits(operations)} of ${counted(survey.operations, "operation")}.`,
  ];
  if (changing > 0) lines.push(sayChanging(changing, writes));
  if (survey.unasked > 0) lines.push(`- ${groupDigits(survey.unasked)} are not among those asked for.`);
  if (rest > 0) lines.push(sayRest(rest, next, isFull));
  for (const [why, entries] of groupByWhy(survey, dropped))
    lines.push(
      `- ${groupDigits(entries.length)} of those looked at cannot be used, because ${why}: ${listNames(entries)}.`,
    );
  return lines;
}

function sayChanging(changing: number, writes: boolean): string {
  const offer = writes ? "" : "; `--writes` drafts those of what is read here";
  return `- ${groupDigits(changing)} ${changing === 1 ? "changes" : "change"} something${offer}.`;
}

function sayRest(rest: number, next: readonly OperationEntry[], isFull: boolean): string {
  const why = isFull ? "found no room in the list of tools" : "promised less or tell much the same";
  const offer = next.length === 0 ? "" : ` Next would come ${listNames(next)}.`;
  return `- ${groupDigits(rest)} that may read ${why}; \`--tags\`, \`--paths\` and \`--operations\` draft others.${offer}`;
}

function groupByWhy({ unusable, facts }: Survey, dropped: ReadonlySet<string>): ReadonlyMap<string, OperationEntry[]> {
  const groups = new Map<string, OperationEntry[]>();
  for (const { entry, why } of unusable) groups.set(why, [...(groups.get(why) ?? []), entry]);
  const gone = facts.map(({ entry }) => entry).filter(({ key }) => dropped.has(key));
  if (gone.length > 0) groups.set("they do not compile, or take the room of several others", gone);
  return groups;
}

function listNames(entries: readonly OperationEntry[]): string {
  const more = entries.length - MOST_NAMED;
  const names = entries.slice(0, MOST_NAMED).map(({ id, key, path }) => (path.includes("#") ? (id ?? key) : key));
  return `${names.join(", ")}${more > 0 ? ` and ${groupDigits(more)} more` : ""}`;
}
