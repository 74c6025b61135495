import type { OauthEntry, VerifiedCaller } from "../hosting.ts";

/** What a caller does not have and a server cannot do without. */
export interface Lacking {
  /** By name. */
  readonly claims: readonly string[];
  /** An access token of its own. */
  readonly token: boolean;
}

/** What a caller lacks, in a sentence for whoever gave it its key or token; undefined where it lacks nothing. */
export function sayLacking(
  { claims, token }: Lacking,
  { kind }: VerifiedCaller,
  oauth: OauthEntry | undefined,
): string | undefined {
  if (token && kind === "key")
    return "This server calls its API on behalf of a user: it needs an access token of the user, and an API key is none.";
  if (claims.length === 0) return undefined;
  const names = claims.map((name) => sayClaim(name, kind === "token" ? oauth?.claims.get(name) : undefined));
  const shown = kind === "key" ? "key" : "access token";
  return `The ${shown} is good, but lacks what this server needs: the claim${claims.length > 1 ? "s" : ""} ${names.join(", ")}.`;
}

function sayClaim(name: string, of: string | undefined): string {
  return of === undefined || of === name ? `\`${name}\`` : `\`${name}\` (read from \`${of}\`)`;
}
