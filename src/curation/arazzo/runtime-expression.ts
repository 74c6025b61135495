import { unescapeToken } from "../../model/json-pointer.ts";

/** What an Arazzo runtime expression reads (Arazzo 1.0, Runtime Expressions). `path` leads inside, unescaped. */
export type RuntimeExpression =
  | { readonly kind: "inputs"; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: "output"; readonly step: string; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: "body"; readonly path: readonly string[] }
  /** What our steps have no counterpart for, as its beginning is called. */
  | { readonly kind: "other"; readonly what: string };

const STARTS =
  /^\$(url|method|statusCode|request|response|inputs|outputs|steps|workflows|sourceDescriptions|components)(?=[.#]|$)/;

/** Reads a text that is an expression and nothing else; undefined for any other text. */
export function readRuntimeExpression(text: string): RuntimeExpression | undefined {
  const [start, root] = STARTS.exec(text) ?? [];
  if (start === undefined || root === undefined) return undefined;
  const [head = "", pointer] = cutAtHash(text);
  const path = pointer === undefined ? [] : readPointer(pointer);
  const names = head.slice(start.length + 1);
  if (root === "inputs" && names !== "") return { kind: "inputs", name: names, path };
  if (root === "response" && names === "body") return { kind: "body", path };
  // Not of the standard, and much written: `$response.body.id` for `$response.body#/id`.
  if (root === "response" && names.startsWith("body.") && pointer === undefined)
    return {
      kind: "body",
      path: names
        .slice("body.".length)
        .split(/[.[\]]+/)
        .filter((part) => part !== ""),
    };
  const [, step, name] = /^([A-Za-z0-9_-]+)\.outputs\.(.+)$/.exec(names) ?? [];
  if (root === "steps" && step !== undefined && name !== undefined) return { kind: "output", step, name, path };
  return { kind: "other", what: head };
}

/** RFC 6901, behind the `#` of an expression. */
function cutAtHash(text: string): [head: string, pointer?: string] {
  const at = text.indexOf("#");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

export function readPointer(pointer: string): string[] {
  if (pointer === "" || pointer === "/") return pointer === "" ? [] : [""];
  return pointer.replace(/^\//, "").split("/").map(unescapeToken);
}

/** A text cut at its `{$…}`, or the one expression that it is as a whole. */
export function findRuntimeExpressions(text: string): readonly (string | { readonly expression: string })[] {
  if (readRuntimeExpression(text) !== undefined) return [{ expression: text }];
  const parts: (string | { readonly expression: string })[] = [];
  let end = 0;
  for (const match of text.matchAll(/\{(\$[^{}]+)\}/g)) {
    if (readRuntimeExpression(match[1]!) === undefined) continue;
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ expression: match[1]! });
    end = match.index + match[0].length;
  }
  if (end < text.length || parts.length === 0) parts.push(text.slice(end));
  return parts;
}
