import { Document, isMap, isPair, isSeq, type Node, type Pair, type YAMLMap } from "yaml";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Built, Remark } from "../build/build-curation.ts";

export interface Heading {
  readonly title: string;
  readonly operations: number;
  /** Of what became no tool, line by line; stands at the end. */
  readonly leftOut: readonly string[];
}

/** Characters of a line; longer texts stand on it all the same. */
const WIDTH = 140;

/** The curation as YAML: remarks stand above what they are about. */
export function writeDraft({ content, chosen, remarks, env }: Built, heading: Heading): string {
  const document = layOut(content, remarks);
  document.commentBefore = comment([
    `Drafted by vitrine from ${heading.title}: ${chosen.size} of ${heading.operations} operations, chosen by their paths and answers.`,
    "Go on: `vitrine check FILE` finds mistakes, `vitrine tools FILE` shows what an agent sees, `vitrine call FILE TOOL` tries one.",
    ...(env.length === 0
      ? []
      : [`Set before serving: ${env.map(({ name, holds }) => `${name} (${holds})`).join(", ")}.`]),
    "What says `decide:` is left to you. `use` is in the document's words where it has some: say in yours when to call a tool.",
  ]);
  if (heading.leftOut.length > 0) document.comment = comment(heading.leftOut);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** A curation, or a section of one, as a document: remarks stand above what they are about. */
export function layOut(content: JsonObject, remarks: readonly Remark[]): Document {
  const document = new Document(content, { aliasDuplicateObjects: false });
  flatten(document.contents as Node, content, 0);
  for (const { path, texts } of gatherRemarks(remarks)) remark(document.contents as Node, path, texts);
  for (const pair of (document.contents as YAMLMap).items)
    if (isOpenSection(pair)) (pair.value as YAMLMap).flow = false;
  return document;
}

/** Entries are added to these, by people and by updates: each has a line of its own. */
function isOpenSection({ key, value }: Pair): boolean {
  return /^(api|entities|tools)$/.test(String(key)) && isMap(value) && value.items.length > 0;
}

/** Small maps stand on one line, as people write them. `value` is what the node says. */
function flatten(node: Node | null, value: Json | undefined, depth: number): void {
  if (isSeq(node)) {
    for (const [at, item] of node.items.entries()) flatten(item as Node, (value as readonly Json[])[at], depth + 1);
    node.flow = isShort(value);
  }
  if (!isMap(node)) return;
  for (const { key, value: inner } of node.items)
    flatten(inner as Node | null, (value as JsonObject)[String(key)], depth + 1);
  const keys = node.items.map((pair) => String(pair.key));
  if (depth >= 1 && !keys.includes("operation") && !keys.includes("spec") && !isTopOfTool(keys) && isShort(value))
    node.flow = true;
}

function isTopOfTool(keys: readonly string[]): boolean {
  return keys.includes("use") || keys.includes("prefix");
}

function isShort(value: unknown): boolean {
  return JSON.stringify(value).length <= WIDTH - 20;
}

interface Placed {
  readonly path: readonly string[];
  readonly texts: readonly string[];
}

function gatherRemarks(remarks: readonly Remark[]): Placed[] {
  const byPath = new Map<string, { path: readonly string[]; texts: string[] }>();
  for (const { path, text } of remarks) {
    const key = JSON.stringify(path);
    const found = byPath.get(key);
    if (found === undefined) byPath.set(key, { path, texts: [text] });
    else if (!found.texts.includes(text)) found.texts.push(text);
  }
  return [...byPath.values()];
}

/** Above the entry itself; inside a map that stands on one line, above the nearest entry that does not. */
function remark(root: Node, path: readonly string[], texts: readonly string[]): void {
  let map: YAMLMap = root as YAMLMap;
  let target: Pair | undefined;
  for (const [at, part] of path.entries()) {
    const pair = map.items.find((one) => isPair(one) && String(one.key) === part) as Pair | undefined;
    if (pair === undefined) break;
    target = pair;
    const value = pair.value as Node | null;
    if (!isMap(value)) break;
    // A comment ends its line, so what is inside has to stand on lines of its own.
    if (at < path.length - 1) value.flow = false;
    map = value;
  }
  const key = target?.key as Node | undefined;
  if (key === undefined) return;
  const before = key.commentBefore;
  key.commentBefore = [...(before ? [before] : []), comment(texts)].join("\n");
}

function comment(lines: readonly string[]): string {
  return lines
    .flatMap((line) => wrap(line))
    .map((line) => ` ${line}`)
    .join("\n");
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.replace(/\s+/g, " ").replace(/\p{C}/gu, "").trim().split(" ")) {
    if (line !== "" && line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
