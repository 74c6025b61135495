import type { Node } from "yaml";
import { unescapeToken } from "../model/json-pointer.ts";
import { maySuitSecondParser } from "./parse-text.ts";
import { yamlPackage } from "./yaml-package.ts";

const MAX_CHARS = 1_000_000;
const START = { line: 1, column: 1 };

/** Finds the line of a JSON pointer in a text of moderate length; the start of the file elsewhere. The text is parsed once, for positions. */
export function createLocator(text: string | undefined): (pointer: string) => { line: number; column: number } {
  if (text === undefined || !maySuitSecondParser(text, MAX_CHARS)) return () => START;
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } = yamlPackage();
  const lines = new LineCounter();
  const tree = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    merge: true,
    logLevel: "silent",
    prettyErrors: false,
  });

  return (pointer) => {
    let node: unknown = tree.contents;
    let offset = 0;
    for (const token of pointer.split("/").slice(1)) {
      const found = step(node, unescapeToken(token));
      if (found === undefined) break;
      offset = found.offset;
      node = found.node;
    }
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  function step(parent: unknown, token: string): { node: unknown; offset: number } | undefined {
    const node = isAlias(parent) ? parent.resolve(tree) : parent;
    if (isSeq(node)) {
      const item = node.items[Number(token)] as Node | undefined;
      return item?.range ? { node: item, offset: item.range[0] } : undefined;
    }
    if (!isMap(node)) return undefined;
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === token);
    return isScalar(pair?.key) && pair.key.range ? { node: pair.value, offset: pair.key.range[0] } : undefined;
  }
}
