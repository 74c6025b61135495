import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { argumentEntries } from "./arguments.ts";
import { curationEntries } from "./curations.ts";
import type { Entry } from "./entry.ts";
import { identityEntries } from "./identity.ts";
import { operationEntries } from "./operations.ts";
import { specEntries } from "./specs.ts";
import { tenantEntries } from "./tenants.ts";
import { transportEntries } from "./transport.ts";
import { upstreamEntries } from "./upstreams.ts";

const GROUPS: readonly (readonly [group: string, size: number, entries: readonly Entry[]])[] = [
  ["A", 18, specEntries],
  ["B", 10, curationEntries],
  ["C", 17, argumentEntries],
  ["D", 21, upstreamEntries],
  ["E", 17, transportEntries],
  ["F", 15, identityEntries],
  ["G", 7, tenantEntries],
  ["H", 15, operationEntries],
];

test.each(GROUPS)("group %s has each of its %i entries once", (group, size, entries) => {
  expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: size }, (_, index) => `${group}${index + 1}`));
});

const entries = GROUPS.flatMap(([, , some]) => some);
const page = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");

describe("every attack of the catalogue is a test, or a line of docs/security.md that says why not", () => {
  test.each(entries)("$id: $attack", (entry) => {
    if ("untested" in entry) return expect(page).toContain(`- **${entry.id}** ${entry.untested}`);
    expect(entry.tests.length).toBeGreaterThan(0);
    // A title that stands in a file twice says of neither that it is meant.
    for (const { file, title } of entry.tests)
      expect(source(file).split(title).length - 1, `${file}: ${title}`).toBe(1);
  });

  test("and the page says how many there are, and has no line of one that is tested", () => {
    expect(page).toContain(`a catalogue of ${entries.length} attacks and faults in eight groups`);
    const told = [...page.matchAll(/^- \*\*([A-H]\d+)\*\*/gm)].map(([, id]) => id);
    expect(told).toEqual(entries.filter((entry) => "untested" in entry).map(({ id }) => id));
  });
});

function source(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
}
