import { hashId, hashKey, isKey } from "../../host/callers/make-key.ts";
import { type RevokingFile, readRevoking } from "../../host/read-revoking.ts";
import { revokeEverywhere } from "../../host/shared/revoke-everywhere.ts";
import { nearestNames } from "../../model/nearest.ts";
import { parseCommand, type Shell, UsageError } from "../command.ts";
import { formatFindings, sortFindings } from "../commands/format-findings.ts";
import { readEnd } from "../read-end.ts";
import { readFile } from "../toolset/read-file.ts";

/** Whom to refuse, as replicas know them, and as a person does. */
interface Who {
  readonly kind: "key" | "token";
  readonly id: string;
  readonly said: string;
  /** Until it ends by itself. */
  readonly until?: Date;
  /** What is also to be done. */
  readonly also: string;
}

/** `vitrine key revoke HOST_FILE WHO`, without its first word: has a key or a token refused by every replica. Throws `UsageError`, `UnreadableInput`. */
export async function revokeCaller(args: readonly string[], shell: Shell): Promise<number> {
  const { values, positionals } = parseCommand(args, {
    positionals: "HOST_FILE WHO",
    options: { until: { type: "string" }, json: { type: "boolean" } },
  });
  const [name, asked] = positionals as [string, string];
  const { file, problems } = readRevoking(name, readFile(name).text, shell.env);
  if (file === undefined) {
    shell.note(formatFindings(sortFindings(problems), shell.colour));
    return 1;
  }
  const who = findWho(asked === "-" ? (await shell.readStdin()).trim() : asked, name, file);
  const until = readEnd("--until", values.until) ?? who.until;
  if (file.shared === undefined) {
    shell.note(
      `vitrine: ${name} has no \`shared\` by which other processes could be told. Nobody was revoked. ${who.also}`,
    );
    return 2;
  }
  let replicas: number | undefined;
  try {
    replicas = await revokeEverywhere({ shared: file.shared, publicUrl: file.publicUrl }, who, until);
  } catch (error) {
    if (!isStoreGone(error)) throw error;
    shell.note(`vitrine: ${error.message} It is not known that anybody was revoked: try again. ${who.also}`);
    return 2;
  }
  const ends = until === undefined ? "for good" : `until ${until.toISOString()}`;
  if (values.json === true)
    shell.print(JSON.stringify({ kind: who.kind, id: who.id, until: until?.toISOString() ?? null }));
  else shell.print(`Revoked ${ends}: ${who.said}. Every replica refuses it within two seconds.`);
  if (replicas === 0) shell.note(`vitrine: nobody serves ${file.publicUrl} over this store now. ${OTHER_FILE}`);
  shell.note(who.also);
  return 0;
}

const OTHER_FILE =
  "A replica that runs began with another `publicUrl` or `shared`, and has not heard of it: restart it, or revoke with what it began with.";

const WHOLE_KEY = /^vtr_k[a-z2-7]{9}_[\w-]{43}$/;
const TOKEN = /^(?:sub:[\w-]{22}|jti:[\x21-\x7e]{1,500})$/;

function findWho(asked: string, name: string, { keys }: RevokingFile): Who {
  if (asked.startsWith("sub:") || asked.startsWith("jti:")) return findToken(asked);
  const whole = isKey(asked) && !keys.has(asked) ? ofWholeKey(asked, keys) : undefined;
  const known = whole ?? asked;
  const key = keys.get(known);
  if (key !== undefined) {
    const also = `Take \`${known}\` out of \`keys\` in ${name}: the file is read again when it changes, or at SIGHUP.`;
    return { kind: "key", said: `the key \`${known}\``, also, ...toUntil(key.id, key.expires) };
  }
  if (isKey(asked)) {
    const said = "a key that the file does not hold";
    return { kind: "key", id: hashId(hashKey(asked).toString("hex")), said, also: `No key of ${name} is this one.` };
  }
  const [nearest] = nearestNames(asked, keys.keys());
  const hint = nearest === undefined ? `Keys: ${[...keys.keys()].join(", ") || "none"}.` : `Did you mean ${nearest}?`;
  throw new UsageError(`${name} has no key ${JSON.stringify(asked)}. ${hint}`);
}

function toUntil(id: string, until: Date | undefined): Pick<Who, "id" | "until"> {
  return { id, ...(until !== undefined && { until }) };
}

/** The name of a key in the file; what it is must not be shown. */
function ofWholeKey(asked: string, keys: RevokingFile["keys"]): string | undefined {
  if (!WHOLE_KEY.test(asked)) throw new UsageError("This is not a whole key. Give its name in the host file.");
  const id = hashId(hashKey(asked).toString("hex"));
  return [...keys].find(([, one]) => one.id === id)?.[0];
}

function findToken(id: string): Who {
  if (!TOKEN.test(id))
    throw new UsageError("A token is named by sub:… (as logs and events call its subject) or by jti:… (its own ID).");
  const isSubject = id.startsWith("sub:");
  const said = isSubject ? `every token of the subject \`${id}\`` : `the token \`${id}\``;
  return { kind: "token", id, said, also: "Revoke it at its issuer as well, which could give another one." };
}

function isStoreGone(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "STORE_GONE";
}
