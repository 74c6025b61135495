import { AZURE_STORY } from "./azure-story.ts";
import { dice, pick } from "./dice.ts";
import type { Plan } from "./resource.ts";

/** Tags that only some resources carry, with the values that they take. */
const OPTIONAL: readonly (readonly [key: string, values: readonly string[]])[] = [
  ["owner", ["m.keller", "s.ito", "j.alvarez", "t.nowak", "a.haddad"]],
  ["project", ["atlas", "borealis", "cinder", "delta"]],
  ["customer", ["internal", "northwind", "contoso", "fabrikam"]],
  ["product-line", ["retail", "wholesale", "media"]],
  ["data-class", ["public", "internal", "confidential"]],
  ["compliance", ["pci", "sox", "none"]],
  ["backup", ["daily", "weekly", "none"]],
  ["schedule", ["always", "office-hours"]],
  ["managed-by", ["terraform", "pulumi", "hand"]],
  ["created-by", ["ci", "console"]],
  ["expires", ["never", "end-of-year"]],
  ["criticality", ["high", "medium", "low"]],
  ["tier", ["web", "app", "data"]],
  ["component", ["api", "worker", "cache", "store"]],
  ["service", ["orders", "catalog", "identity", "reports"]],
  ["version", ["v1", "v2", "v3"]],
  ["repository", ["mono", "infra", "apps"]],
  ["stack", ["blue", "green"]],
  ["namespace", ["default", "jobs", "ingress"]],
  ["cluster", ["k8s-1", "k8s-2"]],
  ["workload", ["batch", "online"]],
  ["region", ["emea", "amer", "apac"]],
  ["country", ["de", "us", "jp"]],
  ["budget", ["B-100", "B-200", "B-300"]],
  ["capex", ["yes", "no"]],
  ["contract", ["K-2201", "K-2317"]],
  ["on-call", ["rota-a", "rota-b"]],
  ["sla", ["gold", "silver"]],
  ["shared", ["yes", "no"]],
  ["experiment", ["none", "exp-7"]],
  ["release-train", ["weekly", "monthly"]],
  ["pipeline", ["main", "nightly"]],
  ["chargeback", ["yes", "no"]],
  ["vendor", ["direct", "reseller"]],
];

const SPELLED_OUT = { prod: "production", staging: "staging", dev: "development" } as const;

/** The tags of a resource, or null for the three in thirteen that nobody tagged. Two spellings of the stage live side by side. */
export function tagResource(plan: Plan, index: number): Record<string, string> | null {
  if (plan.team !== AZURE_STORY.team && (index % 13) % 5 === 2) return null;
  return {
    team: plan.team,
    ...(dice(`${plan.id}/stage`, 5) === 0 ? { env: plan.stage } : { environment: SPELLED_OUT[plan.stage] }),
    "cost-center": `CC-${1000 + dice(plan.team, 40) * 25}`,
    application: `${plan.team}-${pick(["core", "edge", "batch"], dice(`${plan.id}/application`, 30))}`,
    ...optionalTags(plan),
  };
}

function optionalTags(plan: Plan): Record<string, string> {
  const chosen = Array.from({ length: 4 }, (_, turn) => pick(OPTIONAL, dice(`${plan.id}/optional/${turn}`, 3_400)));
  return Object.fromEntries(chosen.map(([key, values]) => [key, pick(values, dice(`${plan.id}/${key}`, 600))]));
}
