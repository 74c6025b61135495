import type { AppliedProfile } from "../../surface/apply-profile.ts";

/** Under which names a client shows the tools, and what it does not take. */
export function formatProfile({ name, fullNames, longestName, room, findings }: AppliedProfile): string {
  const names = fullNames.map((full) => `  ${full}  ${full.length} of ${longestName} characters`);
  const found = findings.map(
    ({ severity, code, tool, message }) => `${severity}  ${code}  ${tool === undefined ? "" : `${tool}: `}${message}`,
  );
  const ending = found.length === 0 ? ["Nothing is refused or cut."] : found;
  return [`profile ${name}: ${fullNames.length} of ${room} tools`, ...names, ...ending].join("\n");
}
