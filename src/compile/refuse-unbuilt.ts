import type { Curation } from "../curation/format.ts";
import type { EntryPath, Report } from "./open-report.ts";

interface Part {
  /** Where the key stands; `*` is any name. */
  readonly path: readonly string[];
  readonly what: string;
  /** Whether this value of the key asks for the part; any does where absent. */
  readonly asks?: (value: unknown) => boolean;
}

/** Keys of the format that this version reads and does not build: an error, never ignored. */
const UNBUILT: readonly Part[] = [];

/** Reports every key whose part is still to come, at its own line. */
export function refuseUnbuilt(curation: Curation, report: Report): void {
  for (const { path, what, asks } of UNBUILT)
    for (const at of findKeys(curation.content, path, asks)) {
      const key = at.at(-1)!;
      report.add(
        "error",
        "not_yet",
        at,
        `\`${key}\`: ${what} cannot be built by this version yet.`,
        "Leave it out until then.",
      );
    }
}

function findKeys(node: unknown, path: readonly string[], asks: Part["asks"], at: EntryPath = []): EntryPath[] {
  const [step, ...rest] = path;
  if (step === undefined) return asks === undefined || asks(node) ? [at] : [];
  if (typeof node !== "object" || node === null) return [];
  const entries = Object.entries(node).filter(
    ([name, value]) => (step === "*" || name === step) && value !== undefined,
  );
  return entries.flatMap(([name, value]) => findKeys(value, rest, asks, [...at, name]));
}
