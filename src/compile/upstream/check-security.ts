import type { ApiSection } from "../../curation/format.ts";
import type { Api, Operation } from "../../model/api.ts";
import type { Upstream } from "../../model/tool.ts";
import type { Report } from "../open-report.ts";
import { DEFAULT } from "./build-credentials.ts";
import { hintOfScheme, isChallenged } from "./fit-scheme.ts";

/** What is compared: what the operations ask for, and what is there to be sent. */
interface Held {
  readonly entry: ApiSection;
  readonly api: Api;
  readonly credentials: Upstream["credentials"];
}

/** Warns where the operations ask for credentials that the curation does not write, and of a credential that no operation asks for. */
export function checkSecurity(held: Held, operations: readonly Operation[], report: Report): void {
  const names = new Set([
    ...held.credentials.map(({ scheme }) => scheme),
    // One that was refused has its own finding.
    ...Object.keys(held.entry.auth ?? {}),
  ]);
  if (names.has(DEFAULT)) return;
  warnOfMissing(held, names, operations, report);
  warnOfUnasked(held.credentials, operations, report);
}

/** Once for each set of schemes. */
function warnOfMissing(
  { entry, api }: Held,
  names: ReadonlySet<string>,
  operations: readonly Operation[],
  report: Report,
): void {
  const missing = new Map<string, Operation[]>();
  for (const operation of operations) {
    const wanted = operation.security.map((uses) => uses.map(({ scheme }) => scheme));
    const fits = wanted.some((schemes) => schemes.every((name) => names.has(name)));
    if (wanted.length === 0 || fits) continue;
    const asked = wanted.map((schemes) => schemes.map((name) => `\`${name}\``).join(" with ")).join(" or ");
    missing.set(asked, [...(missing.get(asked) ?? []), operation]);
  }
  const at = entry.auth === undefined ? ["api"] : ["api", "auth"];
  for (const [asked, [first, ...others]] of missing) {
    const more = others.length === 0 ? " needs" : ` and ${others.length} more need`;
    const message = `\`${first!.id ?? first!.key}\`${more} ${asked}, for which no credential is written.`;
    report.add("warning", "auth_missing", at, message, hintForMissing(first!, api));
  }
}

function hintForMissing({ security }: Operation, api: Api): string {
  const schemes = security.flatMap((uses) => uses.map(({ scheme }) => api.securitySchemes.get(scheme)));
  const special = schemes.find((scheme) => scheme?.type === "mutualTLS" || (scheme && isChallenged(scheme)));
  if (schemes.some((scheme) => scheme === undefined)) return "The spec does not declare it: write it as `default`.";
  return special !== undefined && schemes.length === 1 ? hintOfScheme(special) : "Write it under `api.auth`.";
}

/** Many a spec declares its schemes and never says where they apply. */
function warnOfUnasked(credentials: Upstream["credentials"], operations: readonly Operation[], report: Report): void {
  const asked = new Set(operations.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)));
  const open = operations.find(({ security }) => security.length === 0);
  if (open === undefined) return;
  const written = credentials.filter(({ credential }) => credential.kind !== "mutualTLS");
  for (const name of written.map(({ scheme }) => scheme).filter((one) => !asked.has(one))) {
    const message = `\`${name}\` is never sent: the spec asks for it nowhere, for example not in \`${open.id ?? open.key}\`.`;
    report.add("warning", "auth_unasked", ["api", "auth", name], message, "To send it always, write it as `default`.");
  }
}
