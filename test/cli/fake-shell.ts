import { main } from "../../src/cli/main.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface World {
  readonly env?: Record<string, string>;
  /** An error is thrown by whoever reads. */
  readonly stdin?: string | Error;
  readonly colour?: boolean;
  readonly signal?: AbortSignal;
}

/** Runs one command line in this process and collects what it prints. */
export async function run(
  args: readonly string[],
  { env = {}, stdin = "", colour = false, signal }: World = {},
): Promise<Ran> {
  let [out, err] = ["", ""];
  const code = await main(args, {
    print: (text) => {
      out += `${text}\n`;
    },
    note: (line) => {
      err += `${line}\n`;
    },
    colour,
    env,
    readStdin: async () => {
      if (stdin instanceof Error) throw stdin;
      return stdin;
    },
    signal: signal ?? new AbortController().signal,
  });
  return { code, out, err };
}

/** A file of the fixtures, as a user in the repository would type it. */
export const fixture = (name: string): string => `test/fixtures/cli/curation/${name}`;
