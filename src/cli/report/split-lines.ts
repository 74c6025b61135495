import { isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";

/** The longest line that is read: more than ten times what an event can be. */
const MOST_BYTES = 1_000_000;

/** A line without its break, by its number from 1. */
export type NumberedLine = LineText & {
  readonly number: number;
  /** Where in the file what comes behind its break begins; absent where it has none, or none yet. */
  readonly end?: number;
};

type LineText =
  | { readonly text: string }
  /** Why it has none, a phrase. */
  | { readonly text?: never; readonly fault: string };

/**
 * The lines of a file from a byte on, a portion at a time, up to where it ends when it is opened: others may be writing to it. One that is packed, or in
 * UTF-16, is one line without text. Throws what the system says.
 */
export async function* splitLines(path: string, from = 0): AsyncGenerator<readonly NumberedLine[]> {
  const handle = await open(path, "r");
  try {
    const stat = await handle.stat();
    const end = stat.isFile() ? stat.size - 1 : undefined;
    if (end !== undefined && end < from) return;
    const part = end === undefined ? {} : { start: from, end };
    const stream = handle.createReadStream({ highWaterMark: 256 * 1024, ...part });
    let [number, rest, cut, read]: [number, Buffer, boolean, number] = [0, Buffer.alloc(0), false, from];
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const fault = read === 0 ? foreignForm(chunk) : undefined;
      if (fault !== undefined) {
        yield [{ number: 1, fault }];
        return;
      }
      read += chunk.length;
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const lines: NumberedLine[] = [];
      let start = 0;
      for (let stop = bytes.indexOf(10); stop !== -1; stop = bytes.indexOf(10, start)) {
        number += 1;
        const text = cut ? TOO_LONG : textOf(bytes.subarray(start, stop));
        lines.push({ number, ...text, end: read - bytes.length + stop + 1 });
        [start, cut] = [stop + 1, false];
      }
      rest = bytes.subarray(start);
      if (rest.length > MOST_BYTES) [rest, cut] = [Buffer.alloc(0), true];
      yield lines;
    }
    if (rest.length > 0 || cut) yield [{ number: number + 1, ...(cut ? TOO_LONG : textOf(rest)) }];
  } finally {
    await handle.close();
  }
}

const TOO_LONG: LineText = { fault: "it is too long" };

function textOf(bytes: Buffer): LineText {
  if (bytes.length > MOST_BYTES) return TOO_LONG;
  return isUtf8(bytes) ? { text: bytes.toString("utf8") } : { fault: "it is not UTF-8" };
}

/** By the bytes that files begin with (RFC 1952, RFC 8878, Unicode 16.0 23.8): rotated logs are packed, and some shells write UTF-16. */
const FOREIGN: readonly (readonly [bytes: Buffer, fault: string])[] = [
  [Buffer.from([0x1f, 0x8b]), "the file is packed by gzip: unpack it first"],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), "the file is packed by zstd: unpack it first"],
  [Buffer.from([0xff, 0xfe]), "the file is UTF-16: write it as UTF-8"],
  [Buffer.from([0xfe, 0xff]), "the file is UTF-16: write it as UTF-8"],
];

function foreignForm(chunk: Buffer): string | undefined {
  return FOREIGN.find(([bytes]) => chunk.subarray(0, bytes.length).equals(bytes))?.[1];
}
