import type { Alias, Document, Node, Pair, Scalar } from "yaml";
import { UnreadableInput } from "../model/errors.ts";
import type { Json } from "../model/json.ts";
import type { Finding, Path } from "./finding.ts";
import { guardYaml } from "./guard-yaml.ts";
import { DEEPEST, MOST_NODES } from "./yaml-bounds.ts";
import { yamlPackage } from "./yaml-package.ts";

/** A YAML text as data, with its tree to look places up in. */
export interface YamlFile {
  readonly tree: YamlTree;
  readonly value: Json;
  readonly findings: readonly Finding[];
}

export interface YamlTree {
  readonly root: Node | null;
  /** What each alias stands for. */
  readonly targets: ReadonlyMap<Alias, Node>;
}

interface Reading {
  readonly tree: YamlTree;
  readonly findings: Finding[];
  nodes: number;
}

/**
 * Reads YAML 1.2 (core schema: dates and `NO` are text) with anchors and merge keys. Doubled keys and values that JSON does not know are
 * findings; a text that is no YAML, or that its anchors multiply beyond all measure, throws `UnreadableInput`.
 */
export function readYaml(file: string, text: string): YamlFile {
  guardYaml(file, text);
  const document = parse(file, text);
  const tree = treeOf(document);
  const reading: Reading = { tree, findings: [], nodes: 0 };
  try {
    return { tree, value: readNode(tree.root, [], reading, 0), findings: reading.findings };
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableInput(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** The places in a text that was read before; what is wrong with the text is passed over. */
export function readTree(text: string): YamlTree {
  return treeOf(yamlPackage().parseDocument(text, OPTIONS));
}

const OPTIONS = { version: "1.2", schema: "core", uniqueKeys: false, logLevel: "error" } as const;

function parse(file: string, text: string): Document {
  let document: Document;
  try {
    document = yamlPackage().parseDocument(text, OPTIONS);
  } catch (error) {
    throw new UnreadableInput(`${file}: not YAML.`, { cause: error });
  }
  const [first] = document.errors;
  if (first === undefined) return document;
  const { line, col } = first.linePos?.[0] ?? { line: 1, col: 1 };
  const reason = first.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "");
  // Without the error itself, whose message quotes the lines: they may hold a secret, and causes go to the log.
  throw new UnreadableInput(`${file}:${line}:${col}: not YAML: ${reason}.`);
}

function treeOf(document: Document): YamlTree {
  return { root: document.contents as Node | null, targets: findTargets(document) };
}

function findTargets(document: Document): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const { isAlias, visit } = yamlPackage();
  visit(document, {
    Node(_, node) {
      const target = isAlias(node) ? anchors.get(node.source) : undefined;
      if (isAlias(node) && target !== undefined) targets.set(node, target);
      if (!isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node as Node);
    },
  });
  return targets;
}

function readNode(node: unknown, path: Path, reading: Reading, depth: number): Json {
  const { isAlias, isMap, isScalar, isSeq } = yamlPackage();
  if (depth > DEEPEST) throw new RangeError(`nested deeper than ${DEEPEST} once anchors are followed.`);
  if (isAlias(node)) return readNode(reading.tree.targets.get(node), path, reading, depth + 1);
  reading.nodes += 1;
  if (reading.nodes > MOST_NODES) throw new RangeError(`more than ${MOST_NODES} values once anchors are followed.`);
  if (isSeq(node)) return node.items.map((item, index) => readNode(item, [...path, index], reading, depth + 1));
  if (isMap(node)) return readMap(node.items, path, reading, depth);
  return isScalar(node) ? readScalar(node, path, reading) : null;
}

function readMap(pairs: readonly Pair[], path: Path, reading: Reading, depth: number): Json {
  const own = new Map<string, Json>();
  const merged = new Map<string, Json>();
  for (const pair of pairs) {
    if (isMerge(pair)) {
      for (const [name, value] of mergeSources(pair, path, reading, depth))
        if (!merged.has(name)) merged.set(name, value);
      continue;
    }
    const name = keyName(pair);
    const fault = name === undefined ? badKey(path) : refuseKey(name, own, path);
    if (fault !== undefined) reading.findings.push(fault);
    if (name !== undefined && name !== "__proto__")
      own.set(name, readNode(pair.value, [...path, name], reading, depth + 1));
  }
  return Object.fromEntries([...merged, ...own]);
}

function mergeSources(pair: Pair, path: Path, reading: Reading, depth: number): [string, Json][] {
  const value = readNode(pair.value, path, reading, depth + 1);
  const sources = Array.isArray(value) ? value : [value];
  return sources.flatMap((source: Json) => {
    if (typeof source === "object" && source !== null && !Array.isArray(source)) return Object.entries(source);
    reading.findings.push({
      code: "wrong_type",
      path: [...path, "<<"],
      at: "value",
      message: "`<<` takes a mapping or a list of mappings.",
    });
    return [];
  });
}

/** A plain `<<` key (YAML 1.1's merge type); a quoted one is a name like any other. */
export function isMerge(pair: Pair): boolean {
  const { isScalar, Scalar } = yamlPackage();
  return isScalar(pair.key) && pair.key.value === "<<" && pair.key.type === Scalar.PLAIN;
}

/** The name of a mapping's entry; undefined for a list or mapping as key. Numbers and booleans count as written. */
export function keyName(pair: Pair): string | undefined {
  const node = pair.key as Node | null;
  if (!yamlPackage().isScalar(node)) return undefined;
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

function badKey(path: Path): Finding {
  return {
    code: "wrong_type",
    path,
    at: "key",
    message: "A name in a mapping must be a text, not a list or a mapping.",
  };
}

function refuseKey(name: string, own: ReadonlyMap<string, Json>, path: Path): Finding | undefined {
  const at = { path: [...path, name], at: "key" } as const;
  if (name === "__proto__")
    return {
      code: "unknown_key",
      ...at,
      message: "The name `__proto__` is not allowed.",
      hint: "Choose another name, or leave it out.",
    };
  if (!own.has(name)) return undefined;
  return {
    code: "duplicate_key",
    ...at,
    message: `\`${name}\` stands twice in this mapping.`,
    hint: "Keep one of the two.",
  };
}

/** Where no type of the spec shows whether a number is meant, or the text that looks like one. */
function isSentAsWritten([first, second]: Path): boolean {
  return first === "pins" || (first === "api" && second === "serverVariables");
}

function readScalar(node: Scalar, path: Path, reading: Reading): Json {
  const { value, source } = node;
  if (typeof value === "number" && source !== undefined && String(value) !== source && isSentAsWritten(path)) {
    const message = `\`${source.slice(0, 40)}\` is the number ${value}, and would be sent so.`;
    reading.findings.push({ code: "bad_value", path, at: "value", message, hint: "Write it in quotes." });
    return value;
  }
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number" && Number.isFinite(value) && !(Number.isInteger(value) && !Number.isSafeInteger(value)))
    return value;
  const message = `\`${String(node.source ?? value).slice(0, 40)}\` is not a value that JSON can hold exactly.`;
  reading.findings.push({ code: "bad_value", path, at: "value", message, hint: "Write it in quotes if it is a text." });
  return null;
}
