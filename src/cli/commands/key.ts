import { makeKey } from "../../host/callers/make-key.ts";
import { isServerName } from "../../host/read-host-values.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { type Command, parseCommand, UsageError } from "../command.ts";
import { readEnd } from "../read-end.ts";

const HELP = `vitrine key new SERVER: make an API key for one server of a host file
vitrine key revoke HOST_FILE WHO: have a key or a token refused at once

  vitrine key new SERVER [--claims JSON] [--writes] [--expires DATE]

Prints the key, which is shown this once and kept nowhere, and the line for \`keys:\` of the host file, which holds its SHA-256 alone.

  --claims JSON    what the curation reads as \${key.NAME}, for example '{"tenantID":"t-1"}'
  --writes         it may call tools that write
  --expires DATE   the last day on which it is good (2027-06-30), or a moment (2027-06-30T12:00:00Z)
  --json           {key, name, entry} for programs

  vitrine key revoke HOST_FILE WHO [--until DATE]

Tells all replicas through the \`shared\` of the host file; within two seconds they refuse it. Without \`shared\`, take the key out of the file.

  WHO              a key's name in the file; or - for the key itself, from stdin; or of access tokens sub:… (a subject, as logs and events call
                   it) or jti:… (one token)
  --until DATE     how long; unless said, until the key expires, else for good
  --json           {kind, id, until} for programs`;

interface Entry {
  readonly hash: string;
  readonly server: string;
  readonly claims?: JsonObject;
  readonly writes: boolean;
  readonly expires?: string;
}

export const key: Command = {
  help: HELP,
  async run(args, shell) {
    if (args[0] === "revoke") return (await import("../host/revoke-caller.ts")).revokeCaller(args.slice(1), shell);
    const { values, positionals } = parseCommand(args, {
      positionals: "new SERVER",
      options: {
        claims: { type: "string" },
        writes: { type: "boolean" },
        expires: { type: "string" },
        json: { type: "boolean" },
      },
    });
    const [what, server] = positionals as [string, string];
    if (what !== "new")
      throw new UsageError(
        `vitrine key ${what} does not exist. Write: vitrine key new SERVER, or vitrine key revoke HOST_FILE WHO`,
      );
    const claims = readClaims(values.claims);
    const { expires } = values;
    readEnd("--expires", expires);
    const made = makeKey();
    const entry: Entry = {
      hash: `sha256:${made.sha256}`,
      server: readServer(server),
      ...(claims !== undefined && { claims }),
      writes: values.writes === true,
      ...(expires !== undefined && { expires }),
    };
    if (values.json === true) {
      shell.print(JSON.stringify({ key: made.key, name: made.id, entry }));
      return 0;
    }
    shell.print(`${made.key}\n\n${formatLine(made.id, entry)}`);
    shell.note(
      "The first line is the key: it is shown this once. The last one belongs under `keys:` in the host file.",
    );
    return 0;
  },
};

/** As YAML: a JSON value is one, and a quoted text is nothing else. */
function formatLine(name: string, entry: Entry): string {
  const parts = Object.entries(entry).map(([part, value]) => `${part}: ${JSON.stringify(value)}`);
  return `  ${name}: { ${parts.join(", ")} }`;
}

function readServer(name: string): string {
  if (isServerName(name)) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is no name of a server: a letter, then letters, digits and hyphens, 15 in all.`,
  );
}

function readClaims(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text, writeExact);
    if (isJsonObject(value)) return value;
  } catch {
    // Said below without the text, which may be a secret that stands in the wrong place.
  }
  throw new UsageError(
    `--claims is no JSON object, or holds a number that JSON cannot hold exactly, or the name __proto__. For example --claims '{"tenantID":"t-1"}'`,
  );
}

/**
 * As the host file says it: a text in which it would read the environment is escaped there. A number that would come out as another one is as good as
 * none, and the file takes no such name.
 */
function writeExact(name: string, value: unknown): unknown {
  if (name === "__proto__" || (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER))
    throw new RangeError();
  return typeof value === "string" ? value.replaceAll("${", () => "$${") : value;
}
