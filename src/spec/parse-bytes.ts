import { createHash } from "node:crypto";
import { UnreadableInput } from "../model/errors.ts";
import { once } from "../model/once.ts";
import { parseLazily } from "./parse-lazily.ts";
import { parseText } from "./parse-text.ts";

/** The bytes of one file as data. */
export interface ParsedBytes {
  readonly value: unknown;
  /** Kept only where it is short, to find the line of a finding. */
  readonly text?: string;
  /** Whether schemas may name themselves by `$id`. */
  mayHaveIds(): boolean;
}

const MAX_TEXT_KEPT = 1_000_000;
const ID = "$id";

/** Decodes and parses JSON or YAML. `source` is what findings call the file. Throws UnreadableInput. */
export function parseBytes(source: string, bytes: Uint8Array): ParsedBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lazy = parseLazily(buffer, () => parseText(source, decode(source, bytes)));
  if (lazy !== undefined) return { value: lazy, mayHaveIds: once(() => buffer.includes(ID)) };
  const text = decode(source, bytes);
  const mayHaveIds = text.includes(ID);
  return {
    value: parseText(source, text),
    ...(text.length <= MAX_TEXT_KEPT && { text }),
    mayHaveIds: () => mayHaveIds,
  };
}

/** SHA-256 in hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function decode(source: string, bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0x1f && second === 0x8b)
    throw new UnreadableInput(`${source}: it is compressed with gzip; unpack it first.`);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
