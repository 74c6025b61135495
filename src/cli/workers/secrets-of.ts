import { type Env, readSecrets } from "../read-secrets.ts";
import type { Joined } from "./join-workers.ts";

/** What page tokens are made of: where the environment says nothing, what the workers have in common. Throws `MissingSetting` as `readSecrets`. */
export function secretsOf(env: Env, workers: Joined | undefined): readonly string[] {
  const secrets = readSecrets(env);
  return secrets.length === 0 && workers !== undefined ? [workers.secret] : secrets;
}
