import type { Toolset } from "../model/tool.ts";

/**
 * The hosts that the user has named and that may therefore be at any address but link-local ones: the resolved `baseUrl`'s, and those of a
 * local spec's `servers` (contract section 9). As `host:port`.
 */
export function trustedHosts(toolset: Toolset, baseUrl: string | undefined, specIsLocal: boolean): readonly string[] {
  const servers = specIsLocal ? toolset.operations.map(({ server }) => server) : [];
  const hosts = [baseUrl ?? "", ...servers].filter((url) => URL.canParse(url)).map((url) => hostAndPort(new URL(url)));
  return [...new Set(hosts)];
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}
