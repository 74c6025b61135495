import type { Node, Pair, YAMLMap } from "yaml";
import { onceFor } from "../model/once-for.ts";
import type { Finding, Path } from "./finding.ts";
import { isMerge, keyName, type YamlTree } from "./read-yaml.ts";
import { yamlPackage } from "./yaml-package.ts";

/** Where a path leads: its entry's key (none for the root and in lists) and what it holds. */
interface Spot {
  readonly key?: Node;
  readonly value?: Node;
}

const MOST_HOPS = 64;

/**
 * Where in the text stands what is at the path, or the nearest ancestor that exists; offsets. Entries that a merge brought in stand where the
 * anchor wrote them.
 */
export function locateNode(tree: YamlTree, path: Path, at: Finding["at"]): readonly [start: number, end: number] {
  let spot: Spot = tree.root === null ? {} : { value: tree.root };
  for (const step of path) {
    const next = stepInto(tree, spot.value, step);
    if (next === undefined) return rangeOf(spot, "key");
    spot = next;
  }
  return rangeOf(spot, at);
}

function rangeOf(spot: Spot, at: Finding["at"]): readonly [start: number, end: number] {
  const value = spot.value?.range;
  const key = spot.key?.range;
  // A value that was left empty has no width, so its key shows the reader more.
  const chosen = at === "value" && value && value[1] > value[0] ? value : (key ?? value);
  return [chosen?.[0] ?? 0, chosen?.[1] ?? 0];
}

function stepInto(tree: YamlTree, node: Node | undefined, step: string | number, hops = 0): Spot | undefined {
  const { isAlias, isMap, isSeq } = yamlPackage();
  if (hops > MOST_HOPS) return undefined;
  if (isAlias(node)) return stepInto(tree, tree.targets.get(node), step, hops + 1);
  if (isSeq(node) && typeof step === "number") {
    const value = node.items[step] as Node | undefined;
    return value && { value };
  }
  if (!isMap(node)) return undefined;
  const own = ownEntries(node).get(String(step));
  if (own !== undefined) return { key: own.key as Node, ...(own.value !== null && { value: own.value as Node }) };
  return firstOf(node.items.filter(isMerge), (pair) => stepIntoMerge(tree, pair, step, hops));
}

/** Of a doubled key the last entry counts, as when the file is read. */
const ownEntries = onceFor(
  ({ items }: YAMLMap): ReadonlyMap<string | undefined, Pair> =>
    new Map(items.filter((pair) => !isMerge(pair)).map((pair) => [keyName(pair), pair])),
);

function stepIntoMerge(tree: YamlTree, pair: Pair, step: string | number, hops: number): Spot | undefined {
  if (step === "<<") return { key: pair.key as Node, value: pair.value as Node };
  const { isAlias, isSeq } = yamlPackage();
  const value = pair.value as Node | null;
  const target = isAlias(value) ? tree.targets.get(value) : value;
  const sources = isSeq(target) ? target.items : [target];
  return firstOf(sources, (source) => stepInto(tree, source as Node, step, hops + 1));
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => Spot | undefined): Spot | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
