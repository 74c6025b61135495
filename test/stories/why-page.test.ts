import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "../setup/program.ts";
import { writeTable } from "../setup/write-table.ts";

// The figures of docs/why.md that no command of the page prints are those of bench/RESULTS.md: `npx vitest run test/stories/why-page.test.ts -u` takes over new ones.

const RESULTS = readFileSync(join(repository, "bench/RESULTS.md"), "utf8");

/** The cells of the rows of a section's table. */
function readRows(section: string): readonly (readonly string[])[] {
  const [, text = ""] = new RegExp(`^## ${section}.*\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, "m").exec(RESULTS) ?? [];
  return [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.split("|").map((cell) => cell.trim()));
}

function flows(): string {
  const rows = readRows("Flows");
  const tasks = rows.flatMap(([task = "", server = "", ...ours], at) => {
    if (server !== "vitrine") return [];
    const [, other, ...theirs] = rows[at + 1] ?? [];
    expect(other).toBe("one tool an endpoint");
    const beside = (column: number) => `${ours[column]} beside ${theirs[column]}`;
    return [[task, beside(0), beside(2), beside(4)]];
  });
  expect(tasks.length).toBeGreaterThan(0);
  return writeTable([["task", "calls", "bytes of replies", "bytes of the list"], ...tasks]);
}

function times(): string {
  const cell = (section: string, server: string, column: number): string => {
    const found = readRows(section)
      .find(([name = ""]) => name.startsWith(server))
      ?.at(column);
    if (found === undefined) throw new Error(`RESULTS.md has no ${server} under ${section}.`);
    return found;
  };
  const called = (over: string): string => {
    const found = readRows("Calls: 1 kB").find(
      ([way, era, atOnce, server]) => way === over && era === "2026-07-28" && atOnce === "32" && server === "vitrine",
    );
    if (found === undefined) throw new Error(`RESULTS.md has no calls over ${over}.`);
    return found[5]!;
  };
  return writeTable([
    ["from … until …", "times the bare server's"],
    ["the process starts, tools/list is answered; compiled before", cell("Cold start", "vitrine, cached", 4)],
    ["the same; compiled anew", cell("Cold start", "vitrine, nothing cached", 4)],
    ["the first call, sent at once, is answered", cell("First call", "vitrine", 2)],
    ...["http", "stdio"].map((over) => [
      `a call is answered, of 32 at once over ${over}: the processor's time`,
      called(over),
    ]),
  ]);
}

test("docs/why.md tells what was measured", async () => {
  const path = join(repository, "docs/why.md");
  const page = readFileSync(path, "utf8")
    .replace(/^\| task [\s\S]*?(?=\n\n)/m, flows)
    .replace(/^\| from …[\s\S]*?(?=\n\n)/m, times);
  await expect(page).toMatchFileSnapshot(path);
});
