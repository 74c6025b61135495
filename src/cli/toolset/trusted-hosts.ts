import type { ResolvedUpstream } from "../../model/exchange.ts";
import type { Toolset } from "../../model/tool.ts";

/**
 * The hosts that the user has named and that may therefore be at any address but link-local ones: those of the resolved `baseUrl` and token URLs
 * (a downloaded spec's token URL is never used), and those of a local spec's `servers` (contract section 9). As `host:port`.
 */
export function trustedHosts(
  toolset: Toolset,
  { baseUrl, credentials }: Pick<ResolvedUpstream, "baseUrl" | "credentials">,
  specIsLocal: boolean,
): readonly string[] {
  const explored = toolset.tools.flatMap(({ plan }) => (plan.kind === "explore" ? (plan.server ?? []) : []));
  const servers = specIsLocal ? [...toolset.operations.map(({ server }) => server), ...explored] : [];
  const tokenUrls = [...credentials.values()].flatMap((one) => ("tokenUrl" in one ? one.tokenUrl : []));
  const hosts = [baseUrl ?? "", ...tokenUrls, ...servers]
    .filter((url) => URL.canParse(url))
    .map((url) => hostAndPort(new URL(url)));
  return [...new Set(hosts)];
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}
