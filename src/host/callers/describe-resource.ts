import type { JsonObject } from "../../model/json.ts";
import type { HostFile } from "../hosting.ts";

/** The URL of a server: what callers connect to, and the audience of tokens for it. */
export function resourceUrl({ publicUrl }: Pick<HostFile, "publicUrl">, server: string): string {
  return `${publicUrl}/mcp/${encodeURIComponent(server)}`;
}

/** Where the metadata of a server are (RFC 9728 3.1: between host and path). */
export function metadataUrl(file: Pick<HostFile, "publicUrl">, server: string): string {
  const { origin, pathname } = new URL(resourceUrl(file, server));
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}

/** The metadata of a server as an OAuth resource (RFC 9728 2); undefined where there is no such server, or no tokens are taken. */
export function describeResource(
  file: Pick<HostFile, "publicUrl" | "servers" | "oauth">,
  server: string,
  title?: string,
): JsonObject | undefined {
  const { oauth } = file;
  if (oauth === undefined || !file.servers.has(server)) return undefined;
  const scopes = allScopes(oauth);
  return {
    resource: resourceUrl(file, server),
    authorization_servers: [oauth.issuer],
    bearer_methods_supported: ["header"],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    ...(title !== undefined && { resource_name: title }),
  };
}

/** Every scope that makes a difference here: a client that is told all of them asks its user once. */
export function allScopes({ scopes, writeScope }: NonNullable<HostFile["oauth"]>): readonly string[] {
  return [...new Set([...scopes, ...(writeScope === undefined ? [] : [writeScope])])];
}
