import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from "yaml";
import { UnreadableInput } from "../../model/errors.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Added, Remark } from "../build/build-curation.ts";
import { layOut } from "../write/write-draft.ts";

type Section = keyof Added;
const SECTIONS: readonly Section[] = ["api", "entities", "tools"];

/** Whether entries can be added to a section of a curation without touching a line of it: it is not there yet, or each of its entries has a line of its own. */
export function isOpen(text: string, section: string): boolean {
  const root = parseDocument(text, OPTIONS).contents;
  if (!isMap(root) || root.flow === true) return false;
  const pair = pairOf(root, section);
  return pair === undefined || isNothing(pair) || isBlock(pair.value);
}

/**
 * Adds entries to a curation's text, each at the end of its section. Every line that was there stays as it is, in its order. Throws `UnreadableInput`
 * where a section has its entries on one line.
 */
export function insertEntries(file: string, text: string, added: Added, remarks: readonly Remark[]): string {
  const insertions = SECTIONS.filter((section) => Object.keys(added[section]).length > 0).map((section) => {
    if (!isOpen(text, section))
      throw new UnreadableInput(
        `${file}: the entries of \`${section}\` stand between braces. Give each a line of its own, and update again.`,
      );
    return placeSection(text, section, added[section], remarks);
  });
  const eol = /\r\n/.test(text) ? "\r\n" : "\n";
  // From the end, so that what stands before keeps its place; sections at one place in their order.
  const whole = insertions
    .toReversed()
    .toSorted((a, b) => b.at - a.at || Number(b.begins) - Number(a.begins))
    .reduce((before, { at, lines }) => {
      const head = before.slice(0, at);
      const isOpenLine = head !== "" && !head.endsWith("\n");
      return `${head}${isOpenLine ? eol : ""}${lines.join(eol)}${eol}${before.slice(at)}`;
    }, text);
  proveAdded(text, whole, added);
  return whole;
}

const OPTIONS = { version: "1.2", schema: "core", uniqueKeys: false, logLevel: "error" } as const;

interface Insertion {
  readonly at: number;
  readonly lines: readonly string[];
  /** The section begins here, and so stands behind what another one goes on with at the same place. */
  readonly begins: boolean;
}

function placeSection(text: string, section: Section, entries: JsonObject, remarks: readonly Remark[]): Insertion {
  const root = parseDocument(text, OPTIONS).contents as YAMLMap<Node, Node | null>;
  const laid = linesOf(section, entries, remarks);
  const pair = pairOf(root, section);
  if (pair === undefined) {
    const at = endOf(text, root.items.at(-1)!, 0, true);
    return { at, lines: laid, begins: true };
  }
  const isLast = root.items.at(-1) === pair;
  const map = pair.value;
  if (!isMap(map) || map.items.length === 0)
    return { at: endOf(text, pair, 0, isLast), lines: laid.slice(1), begins: false };
  const indent = columnOf(text, map.items[0]!.key as Node);
  const at = endOf(text, map.items.at(-1) as Pair<Node, Node | null>, indent, true);
  return { at, lines: laid.slice(1).map((line) => shift(line, indent)), begins: false };
}

/** The section as it would be drafted, its own key first. */
function linesOf(section: Section, entries: JsonObject, remarks: readonly Remark[]): string[] {
  const own = remarks.filter(({ path }) => path[0] === section && entries[path[1] ?? ""] !== undefined);
  return layOut({ [section]: entries }, own)
    .toString(STYLE)
    .trimEnd()
    .split("\n");
}

const STYLE = { lineWidth: 0, flowCollectionPadding: true };

function shift(line: string, indent: number): string {
  return line === "" ? line : `${" ".repeat(indent)}${line.slice(2)}`;
}

/** Behind the line on which an entry ends, and behind the comments that belong to it. */
function endOf(text: string, pair: Pair<Node, Node | null>, indent: number, isLast: boolean): number {
  const end = lastOffset(pair);
  let at = end > 0 && text[end - 1] === "\n" ? end : lineEnd(text, end);
  const least = isLast ? indent : indent + 1;
  for (let next = at; next < text.length; ) {
    const line = text.slice(next, lineEnd(text, next));
    next += line.length;
    const comment = /^([ \t]*)#/.exec(line);
    if (comment !== null && comment[1]!.length >= least) at = next;
    else if (line.trim() !== "") break;
  }
  return at;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end + 1;
}

/** Of a map or a list with lines of its own the end of what is last in it. */
function lastOffset({ key, value }: Pair<Node, Node | null>): number {
  const keyEnd = key.range?.[1] ?? 0;
  if (value === null) return keyEnd;
  if (isMap(value) && value.flow !== true && value.items.length > 0)
    return Math.max(keyEnd, lastOffset(value.items.at(-1) as Pair<Node, Node | null>));
  if (isSeq(value) && value.flow !== true && value.items.length > 0)
    return lastOfItem(value.items.at(-1) as Node | null);
  return Math.max(keyEnd, value.range?.[1] ?? 0);
}

function lastOfItem(item: Node | null): number {
  if (isMap(item) && item.flow !== true && item.items.length > 0)
    return lastOffset(item.items.at(-1) as Pair<Node, Node | null>);
  if (isSeq(item) && item.flow !== true && item.items.length > 0) return lastOfItem(item.items.at(-1) as Node | null);
  return item?.range?.[1] ?? 0;
}

function columnOf(text: string, node: Node): number {
  const start = node.range?.[0] ?? 0;
  return start - (text.lastIndexOf("\n", start - 1) + 1);
}

function pairOf(root: YAMLMap, section: string): Pair<Node, Node | null> | undefined {
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === section);
  return pair as Pair<Node, Node | null> | undefined;
}

function isNothing({ value }: Pair<Node, Node | null>): boolean {
  return (
    value === null ||
    (isScalar(value) && value.value === null && (value.source ?? "") === "" && value.anchor === undefined)
  );
}

function isBlock(value: Node | null): boolean {
  return isMap(value) && value.flow !== true && value.items.length > 0;
}

/** What is read from the new text must be what was there and what was added, and nothing else. */
function proveAdded(before: string, after: string, added: Added): void {
  const document = parseDocument(after, OPTIONS);
  const old = parseDocument(before, OPTIONS).toJS() as Record<string, JsonObject | null>;
  const wanted: Record<string, Json> = { ...old };
  for (const section of SECTIONS)
    if (Object.keys(added[section]).length > 0) wanted[section] = { ...old[section], ...added[section] };
  const isWhole = document.errors.length === 0 && isDeepStrictEqual(document.toJS(), wanted);
  if (!isWhole) throw new Error("What was added to the curation does not read as it was meant.");
}
