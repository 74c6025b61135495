import type { View } from "../survey/view-schema.ts";

/** The upstream's form of a value, as a curation says it. */
export type ReadForm = { readonly as: "unix" | "unix-ms" } | { readonly as: "minor"; readonly unit: string };

const TIME_NAME =
  /(^|_|[a-z])(at|on|date|time|timestamp|created|updated|modified|started|ended|expires|since|until|begin|end|start|due)$/i;

/** Moments in numbers and amounts in the smallest unit; undefined where a value is what it seems. `beside` are the names next to it. */
export function readForm(name: string, { type, schema }: View, beside: ReadonlySet<string>): ReadForm | undefined {
  if (type !== "integer" && type !== "number") return undefined;
  const { format = "", description = "" } = schema;
  if (/^unix(-?time|-?timestamp)?$|^epoch|^timestamp$/i.test(format))
    return { as: isMilliseconds(description) ? "unix-ms" : "unix" };
  if (TIME_NAME.test(name) && /\b(unix|epoch|posix)\b/i.test(description))
    return { as: isMilliseconds(description) ? "unix-ms" : "unix" };
  if (type !== "integer" || !beside.has("currency")) return undefined;
  return /smallest (currency )?(unit|denomination)|\bcents?\b|minor unit/i.test(description)
    ? { as: "minor", unit: "${currency}" }
    : undefined;
}

function isMilliseconds(description: string): boolean {
  return /\bmilli-?seconds?\b|\bms\b/i.test(description);
}
