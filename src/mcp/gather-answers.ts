import type { Writable } from "node:stream";

export interface Answers {
  /** Writes a line that begins with what is ready. */
  send(line: string, first?: Buffer): void;
  /** Lets out what is held back. */
  flush(): void;
}

/** Node encodes a short text on the stack as it writes it; for a longer one it does more than making its bytes takes. */
const MOST_AS_TEXT = 5_000;

/** Writes the answers of one turn of the event loop together: under load that is one system call instead of many. */
export function gatherAnswers(output: Writable): Answers {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const text = lines.join("");
    lines = [];
    if (!output.destroyed) output.write(text.length > MOST_AS_TEXT ? Buffer.from(text) : text);
  };
  return {
    send(line, first) {
      if (lines.length === 0) setImmediate(flush);
      if (first === undefined) lines.push(`${line}\n`);
      else {
        flush();
        // At once, so that nothing else comes between.
        output.cork();
        output.write(first);
        output.write(`${line}\n`);
        output.uncork();
      }
    },
    flush,
  };
}
