import { createReadStream } from "node:fs";
import type { Egress } from "../egress/open-egress.ts";
import { UnreadableInput } from "../model/errors.ts";

export const MAX_SPEC_BYTES = 64 * 1024 * 1024;
const DEADLINE_MS = 30_000;

/** The bytes of a file or of an http(s) URL, at most `MAX_SPEC_BYTES`. A URL is reached through `egress` alone and never redirected. */
export async function readSource(source: string, egress: Egress | undefined): Promise<Uint8Array> {
  if (!isUrl(source)) return await readFile(source);
  if (egress === undefined) throw new UnreadableInput(`${source}: URLs cannot be read here; give a file.`);
  return await download(source, egress);
}

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

async function readFile(file: string): Promise<Uint8Array> {
  try {
    return await collect(file, createReadStream(file));
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

async function download(url: string, egress: Egress): Promise<Uint8Array> {
  try {
    const reply = await egress.request({
      method: "GET",
      url,
      headers: [["accept", "application/json, application/yaml, */*;q=0.5"]],
      signal: AbortSignal.timeout(DEADLINE_MS),
      maxBytes: MAX_SPEC_BYTES,
      redirects: [],
    });
    const bytes = await collect(url, reply.body);
    if (reply.status !== 200) throw new UnreadableInput(`${url}: the server answered ${reply.status}, not 200.`);
    return bytes;
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
