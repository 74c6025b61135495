import { readFileSync, statSync } from "node:fs";
import { groupDigits } from "../../model/counted.ts";
import { UnreadableInput } from "../../model/errors.ts";
import { isTooDeep } from "../../model/is-too-deep.ts";
import { isJsonObject, ownValue } from "../../model/json.ts";

/** A request of recorded traffic; nothing else of a recording is looked at. */
export interface SeenRequest {
  /** Upper case. */
  readonly method: string;
  readonly url: URL;
}

const MOST_BYTES = 256_000_000;
const DEEPEST = 200;
const MOST_ENTRIES = 200_000;
const LONGEST_URL = 8_000;

/** The requests of a HAR file (HTTP Archive 1.2), which a browser or a proxy recorded. Throws `UnreadableInput`, and never quotes the file. */
export function readHar(file: string): readonly SeenRequest[] {
  const entries = entriesOf(parseHar(file, readText(file)));
  if (entries === undefined) throw new UnreadableInput(`${file}: no HAR file: it has no list at log.entries.`);
  if (entries.length > MOST_ENTRIES)
    throw new UnreadableInput(`${file}: more than ${groupDigits(MOST_ENTRIES)} requests.`);
  return entries.flatMap(readEntry);
}

function readText(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > MOST_BYTES) throw new UnreadableInput(`${file}: larger than ${MOST_BYTES / 1_000_000} MB.`);
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if (error instanceof UnreadableInput) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new UnreadableInput(`${file}: cannot be read (${code}).`, { cause: error });
  }
}

function parseHar(file: string, text: string): unknown {
  if (isTooDeep(text, DEEPEST)) throw new UnreadableInput(`${file}: nested more than ${DEEPEST} deep.`);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote what is there, which may be a secret.
    throw new UnreadableInput(`${file}: not JSON.`);
  }
}

function entriesOf(har: unknown): readonly unknown[] | undefined {
  const entries = own(own(har, "log"), "entries");
  return Array.isArray(entries) ? entries : undefined;
}

function readEntry(entry: unknown): SeenRequest[] {
  const request = own(entry, "request");
  const [method, url] = [own(request, "method"), own(request, "url")];
  if (typeof method !== "string" || typeof url !== "string" || url.length > LONGEST_URL) return [];
  if (!/^[A-Za-z]{1,20}$/.test(method) || !URL.canParse(url)) return [];
  return [{ method: method.toUpperCase(), url: new URL(url) }];
}

function own(value: unknown, key: string): unknown {
  return isJsonObject(value) ? ownValue(value, key) : undefined;
}
