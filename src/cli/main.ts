import { MissingSetting, UnreadableInput } from "../model/errors.ts";
import { nearestNames } from "../model/nearest.ts";
import { type Command, OUR_FAULT, type Shell, UsageError } from "./command.ts";
import { version } from "./version.ts";

// Each command is loaded when it is asked for: `serve` must not pay for what `check` needs.
const COMMANDS = new Map<string, () => Promise<Command>>([
  ["serve", async () => (await import("./commands/serve.ts")).serve],
  ["host", async () => (await import("./commands/host.ts")).host],
  ["key", async () => (await import("./commands/key.ts")).key],
  ["draft", async () => (await import("./commands/draft.ts")).draft],
  ["check", async () => (await import("./commands/check.ts")).check],
  ["tools", async () => (await import("./commands/tools.ts")).tools],
  ["diff", async () => (await import("./commands/diff.ts")).diff],
  ["call", async () => (await import("./commands/call.ts")).call],
  ["report", async () => (await import("./commands/report.ts")).report],
  ["gate", async () => (await import("./commands/gate.ts")).gate],
  ["schema", async () => (await import("./commands/schema.ts")).schema],
  ["demo", async () => (await import("./commands/demo.ts")).demo],
]);

const HELP = `vitrine: a few good MCP tools for any REST API, from its OpenAPI document and a curation

  vitrine serve CURATION               serve the tools over stdio, or with --http HOST:PORT at a URL, beside a page to try them
  vitrine host HOST_FILE               serve many curations to callers with keys or access tokens
  vitrine key new SERVER               make a key for a caller of a host, or revoke one
  vitrine draft SPEC -o FILE           write a curation to begin with
  vitrine check CURATION               find mistakes in a curation
  vitrine tools CURATION               show the tools as a caller sees them, with their tokens
  vitrine diff BASE [HEAD]             show what agents will see differently, and why
  vitrine call CURATION TOOL [JSON]    call one tool
  vitrine report EVENTS…               show what the tools really did
  vitrine gate EVENTS…                 let a build pass only where they did well
  vitrine schema                       print the JSON Schema of the curation file, or of the host file
  vitrine demo                         start the demo API and serve its tools

  vitrine COMMAND --help               say more of a command
  vitrine --version

Exit codes: 0 done, 1 findings or a tool error, 2 usage or unreadable input, 70 our fault.`;

/** Runs one command line (without the program's name). Never throws; resolves to the exit code. */
export async function main(argv: readonly string[], shell: Shell): Promise<number> {
  try {
    return await dispatch(argv, shell);
  } catch (error) {
    return explain(error, shell);
  }
}

async function dispatch([name, ...args]: readonly string[], shell: Shell): Promise<number> {
  if (name === undefined) throw new UsageError(`A command is missing.\n\n${HELP}`);
  if (name === "help" && args[0] !== undefined) return dispatch([args[0], "--help"], shell);
  if (name === "--help" || name === "-h" || name === "help") return printed(HELP, shell);
  if (name === "--version" || name === "-v") return printed(version, shell);
  const load = COMMANDS.get(name);
  if (load === undefined) throw unknownCommand(name);
  const command = await load();
  if (args.includes("--help") || args.includes("-h")) return printed(command.help, shell);
  return command.run(args, shell);
}

function printed(text: string, shell: Shell): number {
  shell.print(text);
  return 0;
}

function unknownCommand(name: string): UsageError {
  const [nearest] = nearestNames(name, COMMANDS.keys());
  const hint = nearest === undefined ? "See vitrine --help." : `Did you mean ${nearest}?`;
  return new UsageError(`There is no command ${name}. ${hint}`);
}

/** Known causes are one line; anything else is a defect of ours and shows where. */
export function explain(error: unknown, shell: Shell): number {
  if (isKnown(error)) {
    shell.note(`vitrine: ${error.message}${"code" in error ? (WAYS_OUT.get(String(error.code)) ?? "") : ""}`);
    return 2;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  shell.note(`vitrine ${version}: this is our bug, please report it with the lines below.\n${trace}`);
  return OUR_FAULT;
}

// By what the system says of an address or a file: these are the user's to mend.
const SYSTEM_CODES = new Set(["EADDRINUSE", "EADDRNOTAVAIL", "EACCES", "ENOTFOUND", "DUCKDB_MISSING"]);

const WAYS_OUT: ReadonlyMap<string, string> = new Map([["EADDRINUSE", ". Choose another port, or 0 for a free one."]]);

function isKnown(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof UnreadableInput || error instanceof MissingSetting) return true;
  return error instanceof Error && "code" in error && SYSTEM_CODES.has(String(error.code));
}
