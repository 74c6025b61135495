import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearestNames } from "../model/nearest.ts";

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
  /** One line that the next takes the place of; an empty one clears it. Absent where no person looks at stderr. */
  progress?(line: string): void;
  /** Whether a person looks at stdout in colour. */
  readonly colour: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readStdin(): Promise<string>;
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
  /** Hears each time the process is asked to read its files again (SIGHUP); gives what ends that. Absent where nobody can ask. */
  onHangup?(listener: () => void): () => void;
  /** Hears of errors that nothing caught, in place of the end of the process; gives what ends that. Absent where they cannot be heard of. */
  onFault?(listener: (error: unknown) => void): () => void;
  /** Hears of what Node or a library warns of, in place of stderr; gives what ends that. */
  onWarning?(listener: (warning: Error) => void): () => void;
}

/** The exit code of what is a fault of ours. */
export const OUR_FAULT = 70;

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  readonly code = "USAGE";
}

type Options = NonNullable<ParseArgsConfig["options"]>;

interface Expected<T extends Options> {
  readonly options: T;
  /** As in the help: `CURATION TOOL [JSON]`; the last one may stand for several, `EVENTS…`. */
  readonly positionals: string;
}

/** Splits a command's arguments; throws `UsageError`. */
export function parseCommand<const T extends Options>(args: readonly string[], { options, positionals }: Expected<T>) {
  const parsed = parseStrictly(args, options);
  const wanted = positionals.split(" ").filter((name) => name !== "");
  const required = wanted.filter((name) => !name.startsWith("["));
  const missing = required[parsed.positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing. Expected: ${positionals}`);
  const surplus = parsed.positionals[wanted.length];
  if (surplus !== undefined && wanted.at(-1)?.endsWith("…") !== true)
    throw new UsageError(`One argument too many: ${surplus}`);
  return parsed;
}

function parseStrictly<const T extends Options>(args: readonly string[], options: T) {
  try {
    const { tokens, ...parsed } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    refuseRepeated(tokens, options);
    return parsed;
  } catch (error) {
    if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
      const [said = error.message] = error.message.split(/\. |\n/, 1);
      throw new UsageError(
        `${said}${error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? nearOptions(said, options) : ""}`,
      );
    }
    throw error;
  }
}

function nearOptions(said: string, options: Options): string {
  const name = /'-+([^'=]*)/.exec(said)?.[1] ?? "";
  const [nearest] = nearestNames(name, Object.keys(options));
  return nearest === undefined ? ". The command's --help names them all." : `. Did you mean --${nearest}?`;
}

/** Of two values of an option that takes one, the last would count in silence: a build would pass for the wrong tool. */
function refuseRepeated(tokens: readonly { readonly kind: string; readonly name?: string }[], options: Options): void {
  const seen = new Set<string>();
  for (const { kind, name } of tokens) {
    if (kind !== "option" || name === undefined) continue;
    const { type, multiple } = options[name] ?? {};
    if (type === "string" && multiple !== true && seen.has(name)) throw new UsageError(`--${name} is given twice.`);
    seen.add(name);
  }
}
