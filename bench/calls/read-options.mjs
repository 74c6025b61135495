import { parseArgs } from "node:util";

/** What the command line says to a bench of calls: see calls.mjs. */
export function readOptions() {
  const names = ["only", "against", "profile", "into"];
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return parseArgs({ allowPositionals: true, strict: false, options }).values;
}
