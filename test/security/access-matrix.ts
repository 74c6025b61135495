import { hashOf } from "../setup/keys.ts";

// Servers, tools and callers in all that they may differ in, and what the words of the contract allow each.

interface Choice {
  readonly all?: readonly string[];
  readonly any?: readonly string[];
  readonly exclude?: readonly string[];
}

export interface MadeTool {
  readonly name: string;
  readonly tags: readonly string[];
  readonly isRead: boolean;
}

const EFFECTS = [
  { kind: "get", method: "get", isRead: true },
  { kind: "query", method: "post", isRead: true },
  { kind: "add", method: "post", isRead: false },
  { kind: "drop", method: "delete", isRead: false },
] as const;
const TAGS = [[], ["public"], ["internal"], ["public", "internal"]] as const;
const CHOICES: readonly Choice[] = [
  {},
  { all: ["public"] },
  { exclude: ["internal"] },
  { any: ["public"], exclude: ["internal"] },
];
export const SERVERS: Readonly<Record<string, { readonly tags: Choice; readonly isGrouped: boolean }>> = {
  flat: { tags: {}, isGrouped: false },
  part: { tags: { any: ["public"] }, isGrouped: false },
  group: { tags: {}, isGrouped: true },
};

const TOOLS: readonly MadeTool[] = EFFECTS.flatMap(({ kind, isRead }) =>
  TAGS.map((tags) => ({ name: [kind, ...tags].join("_"), tags, isRead })),
);
/** A workflow is what the least safe of its steps is. */
const WALKS: readonly MadeTool[] = [
  { name: "walk_reading", tags: [], isRead: true },
  { name: "walk_writing", tags: [], isRead: false },
];
export const ALL = [...TOOLS, ...WALKS];
export const EXPLORE = ["search_operations", "describe_operation", "call_operation"];

export interface MadeCaller {
  readonly name: string;
  readonly server: string;
  readonly tags: Choice;
  readonly writes: boolean;
  /** Of the access token that it shows; absent: it shows a key of its name. */
  readonly scope?: string;
}

const KEYS: readonly MadeCaller[] = Object.keys(SERVERS).flatMap((server) =>
  CHOICES.flatMap((tags, n) =>
    [false, true].map((writes) => {
      const name = `k-${server}-${n}-${writes ? "w" : "r"}`;
      return { name, server, tags, writes };
    }),
  ),
);
const TOKENS: readonly MadeCaller[] = Object.keys(SERVERS).flatMap((server) =>
  ["use", "use change"].map((scope) => ({
    name: tokenName(server, scope),
    server,
    tags: {},
    writes: scope.endsWith("change"),
    scope,
  })),
);
export const CALLERS = [...KEYS, ...TOKENS];

export function tokenName(server: string, scope: string): string {
  return `t-${server}-${scope.replace(" ", "-")}`;
}

const isShown = (tags: readonly string[], { all = [], any, exclude = [] }: Choice): boolean =>
  all.every((one) => tags.includes(one)) &&
  (any?.some((one) => tags.includes(one)) ?? true) &&
  !exclude.some((one) => tags.includes(one));
export const mayCall = ({ server, tags, writes }: MadeCaller, tool: MadeTool): boolean =>
  isShown(tool.tags, SERVERS[server]!.tags) && isShown(tool.tags, tags) && (writes || tool.isRead);
export const mayExplore = ({ server, tags }: MadeCaller): boolean =>
  !SERVERS[server]!.isGrouped && [tags, SERVERS[server]!.tags].every((one) => Object.keys(one).length === 0);

export function makeSpec() {
  const paths = TOOLS.map(({ name }) => {
    const { method } = EFFECTS.find(({ kind }) => name.split("_")[0] === kind)!;
    const tenant = { name: "tenant", in: "query", required: true, schema: { type: "string" } };
    const content = { "application/json": { schema: { type: "object" } } };
    const responses = { 200: { description: "Ok.", content } };
    return [`/${name}`, { [method]: { operationId: name, parameters: [tenant], responses } }];
  });
  const info = { title: "Matrix", version: "1" };
  return { openapi: "3.1.0", info, servers: [{ url: "/v1" }], paths: Object.fromEntries(paths) };
}

export function makeCuration(isGrouped: boolean) {
  const shown = (name: string): string => (isGrouped ? `desk.${name}` : name);
  const tools = TOOLS.map(({ name, tags, isRead }) => [
    shown(name),
    {
      operation: name,
      use: `Do ${name.replaceAll("_", " ")} for the tenant.`,
      tags,
      ...(isRead && { effect: "read" }),
      ...(!isGrouped && { aliases: [`old_${name}`] }),
    },
  ]);
  const walks = WALKS.map(({ name, isRead }) => [
    shown(name),
    {
      use: `Walk, ${name.replaceAll("_", " ")}.`,
      steps: [
        { id: "first", operation: "get" },
        { id: "last", operation: isRead ? "get_public" : "drop" },
      ],
      result: { value: { done: "`true`" } },
      ...(!isGrouped && { aliases: [`old_${name}`] }),
    },
  ]);
  return {
    vitrine: 1,
    api: { spec: "./spec.json", baseUrl: "${env.API}" },
    server: { name: "m", writes: true, explore: !isGrouped },
    pins: { tenant: "${key.tenant}" },
    tools: Object.fromEntries([...tools, ...walks]),
  };
}

export function makeHostFile(issuer: string) {
  const servers = Object.entries(SERVERS).map(([name, { tags, isGrouped }]) => [
    name,
    {
      curation: isGrouped ? "./grouped.yaml" : "./flat.yaml",
      root: ".",
      env: ["API"],
      allowPrivate: ["127.0.0.0/8"],
      tags,
      explore: true,
      ...(isGrouped && { expose: "grouped" }),
    },
  ]);
  const keys = KEYS.map(({ name, server, tags, writes }) => [
    name,
    { hash: hashOf(name), server, claims: { tenant: name }, tags, writes },
  ]);
  const over = { hash: hashOf("over"), server: "flat", claims: { tenant: "t" }, writes: true, expires: "2020-01-01" };
  return {
    listen: "127.0.0.1:0",
    publicUrl: "http://127.0.0.1",
    servers: Object.fromEntries(servers),
    keys: { ...Object.fromEntries(keys), over },
    oauth: { issuer, claims: { tenant: "tenant_id" }, scopes: ["use"], writeScope: "change" },
  };
}
