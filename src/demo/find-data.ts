import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder with `focus_sample.csv` and `fields.json`: beside this file in the source, beside or above the bundle in a package. */
export function findData(): string {
  const candidates = ["./data/", "../data/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const found = candidates.find((folder) => existsSync(join(folder, "focus_sample.csv")));
  if (found === undefined) throw new Error(`The demo's data is missing: looked in ${candidates.join(" and ")}.`);
  return found;
}
