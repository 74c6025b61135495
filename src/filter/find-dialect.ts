import type { FilterTarget } from "../model/filter.ts";
import { onceFor } from "../model/once-for.ts";
import type { Dialect } from "./dialect.ts";
import { aip160 } from "./dialects/aip-160.ts";
import { awsCostExplorer } from "./dialects/aws-cost-explorer.ts";
import { datadog } from "./dialects/datadog.ts";
import { directus } from "./dialects/directus.ts";
import { django } from "./dialects/django.ts";
import { elasticsearch } from "./dialects/elasticsearch.ts";
import { githubSearch } from "./dialects/github-search.ts";
import { hubspot } from "./dialects/hubspot.ts";
import { jql } from "./dialects/jql.ts";
import { openJson } from "./dialects/json.ts";
import { openJsonApi } from "./dialects/json-api.ts";
import { kubernetesSelector } from "./dialects/kubernetes-selector.ts";
import { lucene } from "./dialects/lucene.ts";
import { mongo } from "./dialects/mongo.ts";
import { notion } from "./dialects/notion.ts";
import { odata } from "./dialects/odata.ts";
import { params } from "./dialects/params.ts";
import { postgrest } from "./dialects/postgrest.ts";
import { rsql } from "./dialects/rsql.ts";
import { shopify } from "./dialects/shopify.ts";
import { soql } from "./dialects/soql.ts";
import { openStrapi } from "./dialects/strapi.ts";
import { stripeSearch } from "./dialects/stripe-search.ts";
import { openText } from "./dialects/text.ts";

const FIXED: readonly Dialect[] = [
  odata,
  aip160,
  rsql,
  soql,
  jql,
  lucene,
  elasticsearch,
  mongo,
  django,
  postgrest,
  directus,
  shopify,
  notion,
  datadog,
  awsCostExplorer,
  hubspot,
  stripeSearch,
  githubSearch,
  kubernetesSelector,
  params,
];

/** Every dialect by the name that a curation calls it; some depend on what the author says of the upstream. */
const DIALECTS: ReadonlyMap<string, (target: FilterTarget) => Dialect> = new Map([
  ...FIXED.map((dialect) => [dialect.name, () => dialect] as const),
  ["strapi", openStrapi] as const,
  ["json-api", openJsonApi] as const,
  ["json", openJson] as const,
  ["text", openText] as const,
]);

export const DIALECT_NAMES: readonly string[] = [...DIALECTS.keys()];

/** Opened once for each target, which asks for it at every field, operator and call. */
export const findDialect = onceFor((target: FilterTarget): Dialect => {
  const open = DIALECTS.get(target.dialect);
  if (open === undefined) throw new TypeError(`There is no filter dialect ${target.dialect}.`);
  return open(target);
});
