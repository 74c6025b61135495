import { AZURE_STORY } from "./azure-story.ts";
import { fingerprint } from "./dice.ts";
import type { Plan } from "./resource.ts";
import type { ProviderName } from "./tenants.ts";

type Details = Record<string, string>;

/** The columns that only the resource's provider has, by field name, as its own export would fill them. */
export function describeDetails(plan: Plan): Details {
  return { "Ledger/LoadedFrom": "generated", ...WRITERS[plan.line.provider](plan) };
}

const WRITERS: Record<ProviderName, (plan: Plan) => Details> = {
  Microsoft: describeAzure,
  AWS: describeAws,
  "Google Cloud": describeGoogle,
  Oracle: describeOracle,
};

/** One resource group per team and stage, but for the story's own. */
const resourceGroupOf = (plan: Plan): string =>
  plan.team === AZURE_STORY.team ? AZURE_STORY.resourceGroup : `rg-${plan.team}-${plan.stage}`;

function describeAzure(plan: Plan): Details {
  const marketplace = plan.line.publisher !== "Microsoft";
  const learning = plan.line.service === "Azure Machine Learning";
  return prefix("Azure", {
    ResourceGroup: resourceGroupOf(plan),
    SubscriptionId: plan.subAccountId.replace("/subscriptions/", ""),
    SubscriptionName: plan.subAccountName,
    ResourceLocation: plan.region[0],
    MeterRegion: plan.region[1],
    MeterCategory: plan.line.service,
    MeterSubCategory: plan.line.subcategory,
    MeterName: plan.line.meter,
    MeterId: fingerprint(plan.line.meter).slice(0, 12),
    ServiceFamily: plan.line.category,
    ChargeType: "Usage",
    PublisherType: marketplace ? "Marketplace" : "Azure",
    PricingModel: "OnDemand",
    UnitOfMeasure: plan.line.unit,
    ...(learning && {
      WorkspaceName: `ml-${plan.team}`,
      ComputeTarget: plan.resourceName,
      VMSize: "Standard_NC24ads_A100_v4",
    }),
  });
}

function describeAws(plan: Plan): Details {
  const instance = plan.line.meter.match(/\b[a-z0-9.]+\.\d?x?large\b/)?.[0];
  return prefix("AWS", {
    UsageType: `${plan.region[0].toUpperCase()}-${plan.line.meter.replaceAll(" ", "")}`,
    Operation: instance === undefined ? "Standard" : "RunInstances",
    LineItemType: plan.commitmentId === null ? "Usage" : "SavingsPlanCoveredUsage",
    ProductCode: plan.line.service.replaceAll(" ", ""),
    ProductFamily: plan.line.subcategory,
    RegionCode: plan.region[0],
    PayerAccountId: plan.account.billingAccountId,
    UsageAccountName: plan.subAccountName,
    LegalEntity: plan.account.issuer,
    BillingEntity: plan.line.publisher.startsWith("Amazon") ? "AWS" : "AWS Marketplace",
    CostCategoryTeam: plan.team,
    ...(instance !== undefined && {
      InstanceType: instance,
      InstanceFamily: "General purpose",
      OperatingSystem: "Linux",
    }),
    ...(plan.commitmentId !== null && { SavingsPlanArn: plan.commitmentId, SavingsPlanType: "ComputeSavingsPlans" }),
  });
}

function describeGoogle(plan: Plan): Details {
  return prefix("GoogleCloud", {
    "project.id": plan.subAccountId,
    "project.name": plan.subAccountName,
    "folder.name": plan.team,
    "service.description": plan.line.service,
    "sku.description": plan.line.meter,
    "location.region": plan.region[0],
    "location.country": plan.region[0].startsWith("us") ? "US" : "NL",
    "usage.unit": plan.line.unit,
    cost_type: "regular",
    billing_account_id: plan.account.billingAccountId,
  });
}

function describeOracle(plan: Plan): Details {
  return prefix("Oracle", {
    "product/compartmentName": plan.team,
    "product/compartmentPath": `${plan.account.tenant}/${plan.stage}/${plan.team}`,
    "product/service": plan.line.service,
    "product/Description": plan.line.meter,
    "product/region": plan.region[0],
    "lineItem/tenantId": plan.subAccountId,
    "lineItem/isCorrection": "false",
    "cost/skuUnitDescription": plan.line.unit,
  });
}

const prefix = (provider: string, details: Details): Details =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [`${provider}/${name}`, value]));
