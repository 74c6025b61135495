import { AZURE_STORY } from "./azure-story.ts";
import { describeDetails } from "./describe-details.ts";
import { dice, fingerprint, pick } from "./dice.ts";
import type { Plan, Region, Resource, Stage } from "./resource.ts";
import type { ServiceLine } from "./service-lines.ts";
import { tagResource } from "./tag-resource.ts";
import { ACCOUNTS, type Account } from "./tenants.ts";

const TEAMS = ["platform", "checkout", "search", "data-platform", "mobile", "internal-tools", "payments"] as const;
const STAGES: readonly Stage[] = ["prod", "prod", "dev", "prod", "staging"];

const REGIONS: Record<Account["provider"], readonly Region[]> = {
  AWS: [
    ["us-west-2", "US West (Oregon)"],
    ["us-east-1", "US East (N. Virginia)"],
    ["eu-central-1", "EU (Frankfurt)"],
  ],
  Microsoft: [
    ["eastus", "East US"],
    ["northeurope", "North Europe"],
    ["westus2", "West US 2"],
  ],
  "Google Cloud": [
    ["us-central1", "Iowa"],
    ["europe-west4", "Netherlands"],
  ],
  Oracle: [
    ["us-sanjose-1", "us-sanjose-1"],
    ["us-phoenix-1", "us-phoenix-1"],
  ],
};

/** Every resource of every account, in a fixed order; the same at each call. */
export function planResources(lines: readonly ServiceLine[]): Resource[] {
  const plans = ACCOUNTS.flatMap((account) => planAccount(account, lines));
  return plans.map((plan, index) => ({ ...plan, tags: tagResource(plan, index), details: describeDetails(plan) }));
}

function planAccount(account: Account, lines: readonly ServiceLine[]): Plan[] {
  const sold = lines.filter((line) => line.provider === account.provider);
  const plans = sold.flatMap((line, place) =>
    Array.from({ length: account.copies }, (_, copy) => planResource(account, line, place * account.copies + copy)),
  );
  const storyLine = sold.find((line) => line.service === AZURE_STORY.service);
  const hasStory = account.tenant === AZURE_STORY.tenant && account.provider === AZURE_STORY.provider;
  return hasStory && storyLine !== undefined ? [...plans, planStory(account, storyLine)] : plans;
}

function planResource(account: Account, line: ServiceLine, place: number): Plan {
  const id = `${account.tenant}/${line.provider}/${place}`;
  const team = pick(TEAMS, place * 3 + dice(id, 2));
  const stage = pick(STAGES, place);
  const covered = line.committable && stage === "prod" && account.tenant !== "initech";
  return {
    id,
    tenant: account.tenant,
    account,
    line,
    team,
    stage,
    region: pick(REGIONS[line.provider], dice(`${id}/region`, 97)),
    ...subAccountOf(account, stage),
    resourceName: `${team}-${line.meter.split(/[ -]/)[0]?.toLowerCase()}-${place}`,
    dailyMicro: Math.round(line.daily * 1_000) * (600 + dice(`${id}/size`, 900)),
    noise: line.provider === "Microsoft" ? 15 : 70,
    step: 1_000,
    commitmentId: covered
      ? `arn:aws:savingsplans::${account.billingAccountId}:savingsplan/${fingerprint(account.tenant).slice(0, 12)}`
      : null,
  };
}

function planStory(account: Account, line: ServiceLine): Plan {
  const id = `${account.tenant}/${line.provider}/story`;
  return {
    id,
    tenant: account.tenant,
    account,
    line,
    team: AZURE_STORY.team,
    stage: "prod",
    region: AZURE_STORY.region,
    ...subAccountOf(account, "prod"),
    resourceName: AZURE_STORY.resourceName,
    dailyMicro: AZURE_STORY.nodeHoursADay * 1_000_000,
    noise: 15,
    step: AZURE_STORY.step,
    commitmentId: null,
  };
}

function subAccountOf(account: Account, stage: Stage): Pick<Plan, "subAccountId" | "subAccountName"> {
  const subAccountName = `${account.tenant}-${stage === "prod" ? "production" : "development"}`;
  const digits = fingerprint(`${account.billingAccountId}/${subAccountName}`);
  const ids: Record<Account["provider"], string> = {
    AWS: String(Number.parseInt(digits.slice(0, 9), 16)).padStart(12, "7"),
    Microsoft: `/subscriptions/${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`,
    "Google Cloud": `${subAccountName}-${digits.slice(0, 6)}`,
    Oracle: `ocid1.tenancy.oc1..${digits}`,
  };
  return { subAccountId: ids[account.provider], subAccountName };
}
