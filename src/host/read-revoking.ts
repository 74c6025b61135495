import { readSettings } from "../curation/read-settings.ts";
import type { Problem } from "../model/problem.ts";
import { hashId } from "./callers/make-key.ts";
import { checkPublicUrl, checkShared } from "./check-host-file.ts";
import { type Env, openEnvReading } from "./read-env-text.ts";
import { TELLING } from "./read-host-file.ts";
import { readExpiry, readOrigin } from "./read-host-values.ts";
import { HostSettings } from "./settings.ts";

/** What of a host file is needed to revoke somebody. */
export interface RevokingFile {
  readonly publicUrl: string;
  readonly shared?: string;
  /** Of each key by its name: what it is revoked by, and when it ends by itself. */
  readonly keys: ReadonlyMap<string, RevokingKey>;
}

export interface RevokingKey {
  readonly id: string;
  readonly expires?: Date;
}

/**
 * Reads only that, so that it also works where the environment of the keys' credentials is not at hand. `file` is absent beside any problem. Throws
 * `UnreadableInput` for a text that is not YAML at all.
 */
export function readRevoking(
  name: string,
  text: string,
  env: Env,
): { readonly file?: RevokingFile; readonly problems: readonly Problem[] } {
  const { content, problems, withFindings } = readSettings(name, text, HostSettings, TELLING);
  if (content === undefined) return { problems };
  const reading = openEnvReading(env);
  const shared = content.shared === undefined ? undefined : reading.read(content.shared, ["shared"]);
  const found = withFindings([
    ...reading.findings,
    ...checkPublicUrl(content),
    ...checkShared(shared, reading.findings),
  ]);
  if (found.length > 0) return { problems: found };
  const keys = Object.entries(content.keys ?? {}).map(([id, { hash, expires }]) => {
    const end = expires === undefined ? undefined : readExpiry(expires);
    const key: RevokingKey = { id: hashId(hash.slice("sha256:".length)), ...(end !== undefined && { expires: end }) };
    return [id, key] as const;
  });
  const publicUrl = readOrigin(content.publicUrl) ?? "";
  return { file: { publicUrl, ...(shared !== undefined && { shared }), keys: new Map(keys) }, problems: [] };
}
