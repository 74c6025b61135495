import { MissingSetting } from "../model/errors.ts";

export type Env = Readonly<Record<string, string | undefined>>;

const SHORTEST = 16;
const MOST = 2;

/**
 * The secrets of VITRINE_SECRET, of which page tokens are made: one, or while it is changed the new one and the old one. None where it is unset.
 * Throws `MissingSetting` for what is no such list; its message holds no part of it.
 */
export function readSecrets(env: Env): readonly string[] {
  const text = env.VITRINE_SECRET;
  if (text === undefined || text === "") return [];
  const secrets = text.split(",").map((secret) => secret.trim());
  if (secrets.length <= MOST && secrets.every((secret) => secret.length >= SHORTEST)) return secrets;
  throw new MissingSetting(
    `VITRINE_SECRET must be one secret of at least ${SHORTEST} characters, or two of them, the new one first, with a comma between them.`,
  );
}
