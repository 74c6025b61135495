import { isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";

/** The longest line that is read: more than ten times what an event can be. */
const MOST_BYTES = 1_000_000;

/** A line without its break, by its number from 1; no text where it is too long or not UTF-8. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string | undefined;
  /** Where in the file what comes behind its break begins; absent where it has none, or none yet. */
  readonly end?: number;
}

/**
 * The lines of a file from a byte on, a portion at a time, up to where it ends when it is opened: others may be writing to it. Throws what the system
 * says.
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
      read += chunk.length;
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const lines: NumberedLine[] = [];
      let start = 0;
      for (let stop = bytes.indexOf(10); stop !== -1; stop = bytes.indexOf(10, start)) {
        number += 1;
        const text = cut ? undefined : textOf(bytes.subarray(start, stop));
        lines.push({ number, text, end: read - bytes.length + stop + 1 });
        [start, cut] = [stop + 1, false];
      }
      rest = bytes.subarray(start);
      if (rest.length > MOST_BYTES) [rest, cut] = [Buffer.alloc(0), true];
      yield lines;
    }
    if (rest.length > 0 || cut) yield [{ number: number + 1, text: cut ? undefined : textOf(rest) }];
  } finally {
    await handle.close();
  }
}

function textOf(bytes: Buffer): string | undefined {
  return bytes.length <= MOST_BYTES && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}
