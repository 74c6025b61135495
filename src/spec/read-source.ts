import { createReadStream, readFileSync, statSync } from "node:fs";
import type { Egress } from "../egress/open-egress.ts";
import { UnreadableInput } from "../model/errors.ts";
import { isUrl } from "../model/is-url.ts";

export const MAX_SPEC_BYTES = 64 * 1024 * 1024;
const DEADLINE_MS = 30_000;

export interface ReadSource {
  readonly bytes: Uint8Array;
  /** Where a URL was found in the end: references are relative to that (RFC 3986 5.1.3). */
  readonly url?: string;
}

/** The bytes of a file or of an http(s) URL. A URL is reached through `egress` alone and never redirected to another origin. */
export async function readSource(
  source: string,
  egress: Egress | undefined,
  maxBytes: number = MAX_SPEC_BYTES,
): Promise<ReadSource> {
  if (!isUrl(source)) return { bytes: await readFile(source) };
  if (egress === undefined) throw new UnreadableInput(`${source}: URLs cannot be read here; give a file.`);
  return await download(source, egress, Math.min(maxBytes, MAX_SPEC_BYTES));
}

async function readFile(file: string): Promise<Uint8Array> {
  try {
    // In one piece where the size is known, which that of a pipe is not.
    const { size } = statSync(file);
    return size > 0 && size <= MAX_SPEC_BYTES ? readFileSync(file) : await collect(file, createReadStream(file));
  } catch (error) {
    if (error instanceof UnreadableInput) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw new UnreadableInput(`${file}: ${FILE_FAULTS[code] ?? `cannot be read (${code})`}.`, { cause: error });
  }
}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "this is a folder, not a file",
  EACCES: "it may not be read (permission denied)",
  ENAMETOOLONG: "the file name is too long",
};

async function download(url: string, egress: Egress, maxBytes: number): Promise<ReadSource> {
  try {
    const reply = await egress.request({
      method: "GET",
      url,
      headers: [["accept", "application/json, application/yaml, */*;q=0.5"]],
      signal: AbortSignal.timeout(DEADLINE_MS),
      maxBytes,
      redirects: [],
    });
    const bytes = await collect(url, reply.body);
    if (reply.status !== 200) throw new UnreadableInput(`${url}: the server answered ${reply.status}, not 200.`);
    return { bytes, url: reply.url };
  } catch (error) {
    if (error instanceof UnreadableInput) throw error;
    throw new UnreadableInput(`${url}: cannot be read: ${oneLine(error)}`, { cause: error });
  }
}

async function collect(source: string, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_SPEC_BYTES) throw new UnreadableInput(`${source}: it is larger than ${MAX_SPEC_BYTES} bytes.`);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").slice(0, 300);
}
