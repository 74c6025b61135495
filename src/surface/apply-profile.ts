import { checkProfile, type ProfileFinding } from "./check-profile.ts";
import type { Manifest } from "./manifest-format.ts";
import { PROFILES } from "./profiles.ts";
import { inDialect } from "./strict-dialect.ts";

export const PROFILE_NAMES: readonly string[] = PROFILES.map(({ name }) => name);

/** A tool list as one client takes it. */
export interface AppliedProfile {
  readonly name: string;
  /** Under which names it shows the tools, in the order of the list, and the most characters of one. */
  readonly fullNames: readonly string[];
  readonly longestName: number;
  /** How many tools it takes, or how many it does well with. */
  readonly room: string;
  readonly findings: readonly ProfileFinding[];
  /** The manifest with schemas in its dialect. */
  readonly manifest: Manifest;
}

/** `name` is one of `PROFILE_NAMES`; undefined for any other. */
export function applyProfile(manifest: Manifest, name: string): AppliedProfile | undefined {
  const profile = PROFILES.find((one) => one.name === name);
  if (profile === undefined) return undefined;
  const { mostTools, manyTools, longestName } = profile;
  return {
    name,
    fullNames: manifest.tools.map((tool) => profile.fullName(manifest.server.name, tool.name)),
    longestName,
    room: mostTools === undefined ? `about ${manyTools}` : `at most ${mostTools}`,
    findings: checkProfile(manifest, profile),
    manifest: inDialect(manifest, profile),
  };
}
