import { type ParseArgsConfig, parseArgs } from "node:util";

/** One command: its help as it is printed, and what it does. Resolves to the exit code. */
export interface Command {
  readonly help: string;
  run(args: readonly string[], shell: Shell): Promise<number>;
}

/** Everything that a command has of the world around the process. */
export interface Shell {
  /** Results, to stdout. */
  print(text: string): void;
  /** Everything else, to stderr. */
  note(line: string): void;
  /** Whether a person looks at stdout in colour. */
  readonly colour: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readStdin(): Promise<string>;
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
}

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  readonly code = "USAGE";
}

type Options = NonNullable<ParseArgsConfig["options"]>;

interface Expected<T extends Options> {
  readonly options: T;
  /** As in the help: `CURATION TOOL [JSON]`. */
  readonly positionals: string;
  /** Options of the contract that this version does not have yet. */
  readonly later?: readonly string[];
}

/** Splits a command's arguments; throws `UsageError`. */
export function parseCommand<const T extends Options>(
  args: readonly string[],
  { options, positionals, later = [] }: Expected<T>,
) {
  const early = later.find((name) => args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`)));
  if (early !== undefined) throw new UsageError(`--${early} is not in this version yet.`);
  const parsed = parseStrictly(args, options);
  const wanted = positionals.split(" ").filter((name) => name !== "");
  const required = wanted.filter((name) => !name.startsWith("["));
  const missing = required[parsed.positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing. Expected: ${positionals}`);
  const surplus = parsed.positionals[wanted.length];
  if (surplus !== undefined) throw new UsageError(`One argument too many: ${surplus}`);
  return parsed;
}

function parseStrictly<const T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
      throw new UsageError(error.message.split(/\. |\n/, 1)[0] ?? error.message);
    }
    throw error;
  }
}
