import type { Path } from "./finding.ts";

/** Names an entry as its author sees it: `tools.list.result.limit`, `errors[0].status`. */
export function nameOf(path: Path): string {
  const name = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return name.replace(/^\./, "") || "the file";
}
