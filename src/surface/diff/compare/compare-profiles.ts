import { checkProfile } from "../../check-profile.ts";
import type { Manifest } from "../../manifest-format.ts";
import { PROFILES } from "../../profiles.ts";
import type { Change } from "../change.ts";
import { changeSaying } from "./make-change.ts";
import type { UnitPair } from "./pair-units.ts";

interface Finding {
  readonly isError: boolean;
  readonly code: string;
  readonly tool: string | null;
  readonly message: string;
  readonly profile: string;
}

/** What some client took of `base` and does not take of `head`, or takes at a loss; once for all clients that say the same. */
export function* compareProfiles(base: Manifest, head: Manifest, renamed: readonly UnitPair[]): Iterable<Change> {
  const names = new Map(renamed.map(({ before, after }) => [before.label, after.label]));
  const nameNow = (tool: string) => names.get(tool) ?? tool;
  const before = new Set(
    findAll(base)
      .map((one) => ({ ...one, tool: one.tool === null ? null : nameNow(one.tool) }))
      .flatMap((one) => (one.isError ? [keyOf(one), keyOf({ ...one, isError: false })] : [keyOf(one)])),
  );
  const known = new Set(base.tools.map(({ name }) => nameNow(name)));
  const fresh = findAll(head).filter(
    (one) => !before.has(keyOf(one)) && (one.isError || one.tool === null || known.has(one.tool)),
  );
  const alike = new Map<string, Finding[]>();
  for (const one of fresh) {
    const key = keyOf({ ...one, profile: "" });
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  for (const [{ isError, code, tool, message, profile }, ...rest] of alike.values() as Iterable<
    [Finding, ...Finding[]]
  >) {
    const clients = [profile, ...rest.map((one) => one.profile)];
    const rule = isError ? "portability_regressed" : "portability_worsened";
    const spot = { tool, path: PATHS.get(code) ?? "/inputSchema" };
    yield changeSaying(rule, spot, undefined, clients, `${clients.join(", ")} (\`${code}\`): ${message}`);
  }
}

const PATHS: ReadonlyMap<string, string> = new Map([
  ["too_many_tools", "/tools"],
  ["many_tools", "/tools"],
  ["many_optional_inputs", "/tools"],
  ["instructions_too_long", "/server/instructions"],
  ["name_too_long", "/name"],
  ["description_too_long", "/description"],
  ["reply_cut", "/conduct/budget"],
]);

function findAll(manifest: Manifest): Finding[] {
  return PROFILES.flatMap((profile) =>
    checkProfile(manifest, profile)
      .filter(({ severity }) => severity !== "note")
      .map(({ severity, code, tool = null, message }) => ({
        isError: severity === "error",
        code,
        tool,
        message,
        profile: profile.name,
      })),
  );
}

function keyOf({ isError, code, tool, profile }: Omit<Finding, "message">): string {
  return JSON.stringify([isError, code, tool, profile]);
}
