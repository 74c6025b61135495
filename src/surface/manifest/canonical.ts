import { createHash } from "node:crypto";
import { compareTexts } from "../../model/compare-texts.ts";
import type { JsonObject } from "../../model/json.ts";
import { escapeHidden } from "./hidden-characters.ts";

/** The same text for the same value: keys in order of their UTF-16 code units, two spaces, line feeds, one at the end, nothing that is not seen. */
export function canonicalText(value: unknown): string {
  return escapeHidden(`${JSON.stringify(value, inOrder, 2)}\n`);
}

/** The same on one line, and without the escapes. */
export function canonicalLine(value: unknown): string {
  return JSON.stringify(value, inOrder);
}

/** SHA-256 of a value's canonical form, cut to 16 hex digits. */
export function shortDigest(value: unknown): string {
  return createHash("sha256").update(canonicalLine(value)).digest("hex").slice(0, 16);
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).toSorted(([a], [b]) => compareTexts(a, b)));
}
