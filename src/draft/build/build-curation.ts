import type { Api } from "../../model/api.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Chosen } from "../choose/choose-tools.ts";
import { borrowPages } from "../recognise/borrow-pages.ts";
import { readAccess } from "../recognise/read-access.ts";
import { readErrors } from "../recognise/read-errors.ts";
import { readFilter } from "../recognise/read-filter.ts";
import { readKey } from "../recognise/read-key.ts";
import { readMinor } from "../recognise/read-minor.ts";
import { readPages } from "../recognise/read-pages.ts";
import { readTenants } from "../recognise/read-tenants.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { Survey } from "../survey/survey-api.ts";
import type { Old } from "../update/read-old.ts";
import type { ApiName } from "../word/name-api.ts";
import { nameTools, prefixFor } from "../word/name-tools.ts";
import { buildTool } from "./build-tool.ts";
import type { Manner, Mends } from "./mends.ts";
import { type Entities, nameEntities } from "./name-entities.ts";
import { placeAmong, placePages } from "./place-pages.ts";

/** What a person has to decide, or should know, at a place of the curation. */
export interface Remark {
  readonly path: readonly string[];
  readonly text: string;
}

/** A curation as data, and what its reader is told beside it. */
export interface Built {
  readonly content: JsonObject;
  /** The operation behind each tool, by its name. */
  readonly chosen: ReadonlyMap<string, Chosen>;
  readonly remarks: readonly Remark[];
  /** Environment variables that serving needs, each with what it holds. */
  readonly env: readonly { readonly name: string; readonly holds: string }[];
  /** By operation, the style of its pages as JSON. */
  readonly styles: ReadonlyMap<string, string>;
  /** Before every tool's name where callers see it. */
  readonly prefix: string;
  /** What is new in a curation that was there; `chosen` then has the new tools alone. */
  readonly added?: Added;
}

/** Entries for the maps of these names. */
export interface Added {
  readonly api: JsonObject;
  readonly entities: JsonObject;
  readonly tools: JsonObject;
}

export interface BuildContext {
  readonly api: Api;
  /** As the curation names it. */
  readonly spec: string;
  readonly survey: Survey;
  readonly name: ApiName;
  readonly mends: Mends;
  readonly manner: Manner;
  /** The curation that is added to. */
  readonly old?: Old;
}

/** Writes the curation of what was chosen. The same choice gives the same curation. */
export function buildCuration(chosen: readonly Chosen[], context: BuildContext): Built {
  const { api, survey, name, mends, manner, old } = context;
  const facts = chosen.map(({ fact }) => fact);
  const prefix = old?.prefix ?? prefixFor(facts, name.prefix);
  const names = nameTools(facts, prefix, old);
  const entities = withoutDropped(nameEntities(chosen, names, survey.viewOf), mends);
  const isPaged = (fact: Fact) => fact.kind !== "write" && pagesFor(fact.entry.key, mends);
  const lists = borrowPages(
    facts
      .filter(({ body }) => body.kind === "rows")
      .map((fact) => [fact, isPaged(fact) ? readPages(fact, survey.viewOf) : undefined]),
  );
  const pagesOf = new Map(lists.map(([fact, pages]) => [fact.entry.key, pages]));
  const given = old?.pages ?? (mends.keepsApi || old?.isClosed("api") === true ? [] : undefined);
  const placed = given === undefined ? placePages(lists) : placeAmong(given, lists);
  const access = readAccess(api, facts, name.env, mends);
  const errors = withoutKeys(readErrors(facts, survey.viewOf), mends.droppedErrors);
  const filtered = facts
    .filter((fact) => fact.kind !== "write" && readFilter(fact, survey.viewOf) !== undefined)
    .slice(0, manner.filters);
  const idempotency = readKey(facts);
  const inMinor = readMinor(facts, survey.viewOf);
  const writes = facts.some(({ kind }) => kind === "write");
  const tools = chosen.map((one) => {
    const { key } = one.fact.entry;
    const own = {
      key: idempotency,
      inMinor,
      pages: pagesOf.get(key),
      ownPages: placed.own.get(key),
      hasFilter: filtered.includes(one.fact),
    };
    return buildTool(one, { ...context, ...own, names, entities, chosen });
  });
  const used = usedEntities(tools.map(({ entry }) => entry));
  const listed = entities.all.filter((one) => used.has(one.name));
  const content: JsonObject = {
    vitrine: 1,
    api: {
      spec: context.spec,
      ...(access.baseUrl !== undefined && { baseUrl: access.baseUrl }),
      ...(access.auth !== undefined && { auth: access.auth }),
      ...(access.headers !== undefined && { headers: access.headers }),
      ...(placed.styles.length > 0 && { pages: placed.styles }),
      ...(errors !== undefined && { errors }),
      ...(idempotency !== undefined && { idempotencyKey: idempotency }),
    },
    server: {
      name: name.server,
      title: name.title,
      ...(prefix !== "" && { prefix }),
      ...(manner.compact && { descriptions: "compact" }),
      ...(!manner.structured && { structured: false }),
      ...(writes && { writes: true }),
      instructions: instructionsOf(name, tools.length, writes),
    },
    ...(listed.length > 0 && {
      entities: Object.fromEntries(listed.map((one) => [one.name, { from: one.from, field: one.identity.column }])),
    }),
    tools: Object.fromEntries(tools.map(({ name: tool, entry }) => [tool, entry])),
  };
  const remarks = [
    ...access.decide.map((text) => ({ path: ["api"], text: `decide: ${text}` })),
    ...readTenants(facts, survey).map((text) => ({ path: ["tools"], text: `decide: ${text}` })),
    ...tools.flatMap(({ remarks: own }) => own),
  ];
  const styles = [...pagesOf].flatMap(([key, pages]) =>
    pages === undefined ? [] : [[key, JSON.stringify(pages.style)] as const],
  );
  return {
    content,
    chosen: new Map(tools.map(({ name: tool }, at) => [tool, chosen[at]!])),
    remarks,
    env: writes
      ? access.env.map((one) => ({ ...one, holds: one.holds.replace("may only read", "may also write") }))
      : access.env,
    prefix,
    styles: new Map(styles),
  };
}

function pagesFor(key: string, mends: Mends): boolean {
  return mends.tools.get(key)?.withoutPages !== true;
}

function withoutDropped({ all, of }: Entities, { droppedEntities }: Mends): Entities {
  const keep = (name: string) => !droppedEntities.has(name);
  return {
    all: all.filter(({ name }) => keep(name)),
    of: new Map([...of].map(([key, places]) => [key, new Map([...places].filter(([, name]) => keep(name)))])),
  };
}

function withoutKeys(entry: JsonObject | undefined, dropped: ReadonlySet<string>): JsonObject | undefined {
  const kept = Object.entries(entry ?? {}).filter(([key]) => !dropped.has(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function usedEntities(tools: readonly JsonObject[]): ReadonlySet<Json> {
  const inputs = tools.flatMap(({ input }) => Object.values((input ?? {}) as JsonObject));
  return new Set(inputs.flatMap((input) => ((input ?? {}) as JsonObject)["entity"] ?? []));
}

function instructionsOf({ title }: ApiName, tools: number, writes: boolean): string {
  const said = title.replace(/[.\s]+$/, "");
  return tools === 0
    ? `${said}.`
    : `${writes ? `Reads and changes ${said}; what changes something asks first.` : `Reads ${said}; nothing here changes anything.`} Identifiers come from the lists: call those first where one is not known.`;
}
