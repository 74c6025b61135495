import type { ServiceLine } from "./service-lines.ts";
import type { Account } from "./tenants.ts";

/** A thing that is charged every day: the constant half of its charges, as one row of the table `resources`. */
export interface Resource {
  readonly id: string;
  readonly tenant: string;
  readonly account: Account;
  readonly line: ServiceLine;
  readonly team: string;
  readonly stage: Stage;
  readonly region: Region;
  readonly subAccountId: string;
  readonly subAccountName: string;
  readonly resourceName: string;
  /** Units a day, in millionths. */
  readonly dailyMicro: number;
  /** Share of noise from day to day, in thousandths. */
  readonly noise: number;
  /** From the last complete month on, usage is multiplied by this; in thousandths. */
  readonly step: number;
  readonly commitmentId: string | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly details: Readonly<Record<string, string>>;
}

export type Stage = "prod" | "staging" | "dev";
export type Region = readonly [id: string, name: string];
/** A resource before its tags and its provider's own columns are known. */
export type Plan = Omit<Resource, "tags" | "details">;
