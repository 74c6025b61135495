import type { Toolset } from "../../model/tool.ts";
import { applyProfile, PROFILE_NAMES } from "../../surface/apply-profile.ts";
import { makeManifest } from "../../surface/manifest.ts";
import type { PageClient } from "../../web/page-data.ts";
import { version } from "../version.ts";

/** What each client makes of the list. */
export async function listClients(seen: Toolset): Promise<readonly PageClient[]> {
  const manifest = await makeManifest(seen, { vitrine: version, from: [] });
  return PROFILE_NAMES.flatMap((name) => {
    const applied = applyProfile(manifest, name);
    if (applied === undefined) return [];
    const { fullNames, longestName, room, findings } = applied;
    const told = findings.map(({ severity, message, tool }) => ({
      severity,
      message,
      ...(tool !== undefined && { tool }),
    }));
    return [{ name, fullNames, longestName, room, findings: told }];
  });
}
