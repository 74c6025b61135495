import type { Json, JsonObject } from "../../model/json.ts";
import type { Built, Remark } from "../build/build-curation.ts";
import { NO_SOURCE } from "../build/build-tool.ts";
import type { Mends } from "../build/mends.ts";
import type { Identity } from "../choose/find-identity.ts";
import { entriesOf, mapOf } from "./as-map.ts";
import type { Old } from "./read-old.ts";

const SHARED = ["auth", "pages", "errors", "idempotencyKey"] as const;

/** A draft laid into the curation that was there: its tools stay as they are, and only what it does not have is added. */
export function joinOld(built: Built, old: Old, mends: Mends): Built {
  const chosen = new Map([...built.chosen].filter(([, { fact }]) => !old.curated.has(fact.entry.key)));
  const api = sharedParts(built, old, mends, chosen.size > 0);
  const sources = findSources(built, old, chosen, mends);
  const remarks: Remark[] = [];
  const tools = Object.fromEntries(
    [...chosen.keys()].map((name) => {
      const entry = mapOf(mapOf(built.content["tools"])[name]);
      return [name, withEntities(name, entry, sources.names, remarks)];
    }),
  );
  const { content } = old;
  return {
    ...built,
    chosen,
    added: { api, entities: sources.entities, tools },
    content: {
      ...content,
      api: { ...mapOf(content["api"]), ...api },
      ...(Object.keys(sources.entities).length > 0 && {
        entities: { ...mapOf(content["entities"]), ...sources.entities },
      }),
      tools: { ...mapOf(content["tools"]), ...tools },
    },
    remarks: [
      ...built.remarks.filter(({ path: [section, name] }) => section === "tools" && chosen.has(name ?? "")),
      ...Object.keys(api).map((part) => ({
        path: ["api", part],
        text: "Added by an update: it holds for every tool of this file.",
      })),
      ...remarks,
    ],
    env: built.env.filter(({ name }) => JSON.stringify(api).includes(`env.${name}}`)),
  };
}

/** What is said for the whole API and is not said yet. Who sends headers of their own lets themselves in. */
function sharedParts({ content }: Built, old: Old, { keepsApi, droppedErrors }: Mends, isNeeded: boolean): JsonObject {
  const api = mapOf(old.content["api"]);
  const drafted = mapOf(content["api"]);
  if (keepsApi || !isNeeded || old.isClosed("api")) return {};
  return Object.fromEntries(
    SHARED.flatMap((part): [string, Json][] => {
      const value = drafted[part];
      if (value === undefined || api[part] !== undefined) return [];
      if (part === "auth" && api["headers"] !== undefined) return [];
      return part === "errors" && droppedErrors.size > 0 ? [] : [[part, value]];
    }),
  );
}

interface Sources {
  /** What the draft calls an entity → what it is called in the curation; absent where nothing there lists it. */
  readonly names: ReadonlyMap<string, string>;
  readonly entities: JsonObject;
}

function findSources(built: Built, old: Old, chosen: Built["chosen"], mends: Mends): Sources {
  const known = entriesOf(old.content, "entities");
  const taken = new Set(entriesOf(old.whole, "entities").map(([name]) => name));
  const names = new Map<string, string>();
  const entities: Record<string, Json> = {};
  const used = new Set([...chosen.keys()].flatMap((tool) => entitiesOf(mapOf(built.content["tools"])[tool])));
  for (const [name, entity] of entriesOf(built.content, "entities")) {
    if (!used.has(name)) continue;
    const { from, field } = mapOf(entity);
    const tool = String(from);
    const column = chosen.has(tool) ? String(field) : columnOf(old, tool, identityOf(built, tool, String(field)));
    if (column === undefined) continue;
    const same = known.find(([, one]) => mapOf(one)["from"] === tool && mapOf(one)["field"] === column)?.[0];
    if (same !== undefined) {
      names.set(name, same);
      continue;
    }
    const free = [name, `${name}_${column.toLowerCase()}`, `${tool}_${column.toLowerCase()}`].find(
      (one) => !taken.has(one) && /^[a-z][a-z0-9_]{0,62}$/.test(one),
    );
    if (free === undefined || mends.droppedEntities.has(free) || old.isClosed("entities")) continue;
    taken.add(free);
    names.set(name, free);
    entities[free] = { from: tool, field: column };
  }
  return { names, entities };
}

function entitiesOf(tool: Json | undefined): string[] {
  return Object.values(mapOf(mapOf(tool)["input"])).flatMap((input) => {
    const { entity } = mapOf(input);
    return typeof entity === "string" ? [entity] : [];
  });
}

/** Where in a row the draft would find the value. */
function identityOf(built: Built, tool: string, column: string): Identity {
  const field = mapOf(mapOf(mapOf(mapOf(built.content["tools"])[tool])["result"])["fields"])[column];
  const path = typeof field === "string" ? field : mapOf(field)["path"];
  return { column, path: typeof path === "string" ? path : column };
}

/** The column in which a tool that people wrote shows it. */
function columnOf(old: Old, tool: string, { path }: Identity): string | undefined {
  const { fields } = mapOf(mapOf(mapOf(old.content["tools"])[tool])["result"]);
  if (fields === undefined) return /^\w+$/.test(path) ? path : undefined;
  return Object.entries(mapOf(fields)).find(([, field]) => field === path || mapOf(field)["path"] === path)?.[0];
}

/** With the curation's own names of entities; an input whose values nothing lists is left to a person. */
function withEntities(
  tool: string,
  entry: JsonObject,
  names: ReadonlyMap<string, string>,
  remarks: Remark[],
): JsonObject {
  const input = Object.entries(mapOf(entry["input"])).map(([name, one]): [string, Json] => {
    const { entity, ...rest } = mapOf(one);
    if (typeof entity !== "string") return [name, one ?? {}];
    const known = names.get(entity);
    if (known !== undefined) return [name, { ...rest, entity: known }];
    remarks.push({ path: ["tools", tool, "input", name], text: NO_SOURCE });
    return [name, { describe: `Which ${name.replaceAll("_", " ")} is meant.`, ...rest }];
  });
  return input.length === 0 ? entry : { ...entry, input: Object.fromEntries(input) };
}
