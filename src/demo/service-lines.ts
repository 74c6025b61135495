import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProviderName } from "./tenants.ts";

/** What a provider sells: one service, metered one way, at one list price. */
export interface ServiceLine {
  readonly provider: ProviderName;
  /** Who made it; not the provider for a marketplace purchase. */
  readonly publisher: string;
  readonly service: string;
  readonly category: string;
  readonly subcategory: string;
  readonly meter: string;
  readonly unit: string;
  /** List price of one unit, in the currency of the account. */
  readonly price: string;
  /** Units a day of an average resource. */
  readonly daily: number;
  readonly resourceType: string;
  /** True where a savings plan may cover production resources. */
  readonly committable: boolean;
}

/**
 * Reads `services.json`: by provider, lines of `service|category|subcategory|meter|unit|price|daily|resourceType|publisher|committable`.
 * The sample writes "Databases" and "Management and Governance" where FOCUS 1.2 has other names; so do the generated rows.
 */
export function readServiceLines(dataFolder: string): ServiceLine[] {
  const byProvider = JSON.parse(readFileSync(join(dataFolder, "services.json"), "utf8")) as Record<
    ProviderName,
    string[]
  >;
  return Object.entries(byProvider).flatMap(([provider, lines]) =>
    lines.map((line) => readLine(provider as ProviderName, line.split("|"))),
  );
}

function readLine(provider: ProviderName, cells: string[]): ServiceLine {
  const [service = "", category = "", subcategory = "", meter = "", unit = "", price = "", daily = ""] = cells;
  const [resourceType = "", publisher = "", committable = ""] = cells.slice(7);
  const numbers = { price, daily: Number(daily), committable: committable !== "" };
  return { provider, service, category, subcategory, meter, unit, resourceType, publisher, ...numbers };
}
