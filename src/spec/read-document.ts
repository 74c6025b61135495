import { createHash } from "node:crypto";
import type { Egress } from "../egress/open-egress.ts";
import { UnreadableInput } from "../model/errors.ts";
import { isJsonObject, type JsonObject, ownValue } from "../model/json.ts";
import { parseText } from "./parse-text.ts";
import { readSource } from "./read-source.ts";

export type SpecVersion = "2.0" | "3.0" | "3.1" | "3.2";

/** One parsed file of a spec. */
export interface SpecDocument {
  readonly source: string;
  /** Of the bytes as read, hex. */
  readonly sha256: string;
  readonly version: SpecVersion;
  readonly root: JsonObject;
  /** Kept only where it is short, to find the line of a finding. */
  readonly text?: string;
}

const MAX_TEXT_KEPT = 1_000_000;

/** Reads and parses an OpenAPI document from a file path or an http(s) URL. Throws UnreadableInput. */
export async function readDocument(source: string, egress: Egress | undefined): Promise<SpecDocument> {
  const bytes = await readSource(source, egress);
  const text = decode(source, bytes);
  const root = parseText(source, text);
  if (!isJsonObject(root)) throw new UnreadableInput(`${source}: not an OpenAPI document: it holds no object.`);
  const version = readVersion(source, root);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { source, sha256, version, root, ...(text.length <= MAX_TEXT_KEPT && { text }) };
}

function decode(source: string, bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0x1f && second === 0x8b)
    throw new UnreadableInput(`${source}: it is compressed with gzip; unpack it first.`);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

function readVersion(source: string, root: JsonObject): SpecVersion {
  const [key, stated] =
    ["openapi", "swagger"]
      .map((name) => [name, ownValue(root, name)] as const)
      .find(([, value]) => value !== undefined) ?? [];
  if (stated === undefined || stated === null) {
    throw new UnreadableInput(`${source}: not an OpenAPI document: it has neither "openapi" nor "swagger" at its top.`);
  }
  // YAML reads an unquoted `3.0` as the number 3.
  const number = /^([23])(?:\.([0-9]))?(?:[.-].*)?$/s.exec(typeof stated === "object" ? "" : String(stated));
  const version = number === null ? "" : `${number[1]}.${number[2] ?? 0}`;
  if (isVersion(version) && (version === "2.0") === (key === "swagger")) return version;
  throw new UnreadableInput(
    `${source}: ${key} ${JSON.stringify(stated).slice(0, 40)} is not a version that can be read (2.0, 3.0, 3.1, 3.2).`,
  );
}

function isVersion(text: string): text is SpecVersion {
  return text === "2.0" || text === "3.0" || text === "3.1" || text === "3.2";
}
