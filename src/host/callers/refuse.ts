import type { HostFile, Refusal } from "../hosting.ts";
import { allScopes, metadataUrl } from "./describe-resource.ts";
import { COLD_COOLDOWN_MS } from "./issuer/open-issuer.ts";

type Place = Pick<HostFile, "publicUrl" | "oauth">;

const NO_ACCESS = -32000;
const UNAVAILABLE = 1503;
/** One text for everybody who is not let in: it tells no wrong key from a right one of another server. */
const UNKNOWN = "This server needs a key or an access token that is good for it.";

/** Nothing was shown (RFC 6750 3: then the challenge has no error). */
export function refuseUnknown(file: Place, server: string): Refusal {
  return refuse(401, NO_ACCESS, UNKNOWN, challenge(file, server, scopeOf(file)));
}

/** What was shown is not good here, for whatever reason. */
export function refuseInvalid(file: Place, server: string): Refusal {
  const description = "It is expired, malformed, not known, or for another resource.";
  const error = { error: "invalid_token", error_description: description };
  return refuse(401, NO_ACCESS, UNKNOWN, challenge(file, server, { ...error, ...scopeOf(file) }));
}

/** The token is good, and may not do enough: all that is needed in one challenge, and nothing that it had is lost (RFC 6750 3.1). */
export function refuseScope(file: Place, server: string, granted: ReadonlySet<string>): Refusal {
  const { scopes = [], writeScope } = file.oauth ?? {};
  const needed = new Set([...scopes, ...(writeScope !== undefined && granted.has(writeScope) ? [writeScope] : [])]);
  const error = { error: "insufficient_scope", scope: [...needed].join(" ") };
  const message = `The access token needs the scopes ${[...needed].join(", ")}.`;
  return refuse(403, NO_ACCESS, message, challenge(file, server, error));
}

/** Who calls is known, and something is missing that the server cannot do without. No challenge: another token of the same kind would not help. */
export function refuseLacking(message: string): Refusal {
  return refuse(403, NO_ACCESS, message);
}

/** Who calls cannot be found out now. */
export function refuseForNow(): Refusal {
  const message = "Nobody's access can be checked at the moment. Call again in a few seconds.";
  return refuse(503, UNAVAILABLE, message, ["retry-after", String(COLD_COOLDOWN_MS / 1000)]);
}

function refuse(status: Refusal["status"], code: number, message: string, ...headers: Refusal["headers"]): Refusal {
  return { kind: "refused", status, headers, code, message };
}

function scopeOf({ oauth }: Place): { readonly scope?: string } {
  const scopes = oauth === undefined ? [] : allScopes(oauth);
  return scopes.length === 0 ? {} : { scope: scopes.join(" ") };
}

function challenge(file: Place, server: string, params: Readonly<Record<string, string>>): readonly [string, string] {
  // RFC 6750 3: at least one parameter follows the scheme.
  const where: Readonly<Record<string, string>> =
    file.oauth === undefined ? { realm: "mcp" } : { resource_metadata: metadataUrl(file, server) };
  const written = Object.entries({ ...where, ...params }).map(([name, value]) => `${name}=${quote(value)}`);
  return ["www-authenticate", `Bearer ${written.join(", ")}`];
}

function quote(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, "?").replace(/["\\]/g, "\\$&")}"`;
}
