import type { Facts } from "../../host/host-log.ts";

/** What else a fact of the shared state holds, for the log. */
export function describeFact({ kind: _, ...rest }: { readonly kind: string }): Facts {
  return Object.fromEntries(
    Object.entries(rest as Readonly<Record<string, unknown>>).map(([name, value]) => [
      name,
      typeof value === "number" || typeof value === "boolean" ? value : String(value),
    ]),
  );
}
