import { parsePlace } from "../../curation/place.ts";
import type { Api } from "../../model/api.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { placeText } from "../../model/place.ts";
import type { Toolset } from "../../model/tool.ts";
import { openCompiler, type Refused } from "../settle/read-draft.ts";
import type { Slot } from "../survey/list-slots.ts";
import { entriesOf, mapOf } from "./as-map.ts";
import { readJoined } from "./read-joined.ts";

/** A curation that people wrote, as far as it compiles with the document that is looked at. */
export interface Old {
  /** Without the tools and entities that do not compile. */
  readonly content: JsonObject;
  /** All of it. */
  readonly whole: JsonObject;
  readonly toolset: Toolset;
  /** By operation, the tool that is it alone. */
  readonly names: ReadonlyMap<string, string>;
  /** Names of tools that are not free. */
  readonly taken: ReadonlySet<string>;
  /** Keys of all operations that the tools name, in steps too. */
  readonly curated: ReadonlySet<string>;
  /** Keys of operations that people do not want as tools. */
  readonly unwanted: ReadonlySet<string>;
  readonly pins: readonly ((slot: Slot) => boolean)[];
  readonly prefix: string;
  /** The styles of pages, where they are said. */
  readonly pages: readonly JsonObject[] | undefined;
  /** Whether nothing can be added to a section without touching its lines. */
  isClosed(section: string): boolean;
}

/** The key under which a curation names operations that are not to be drafted again. */
const UNWANTED = "x-draft-without";

/** Reads what a curation has already. Errors outside of tools and entities are told in place of it. */
export function readOld(whole: JsonObject, api: Api, isClosed: Old["isClosed"]): Old | Refused {
  const sound = compileSound(whole, api);
  if ("errors" in sound) return sound;
  const { content, toolset } = sound;
  const keyOf = (reference: Json | undefined) =>
    typeof reference === "string" ? (api.find(reference)?.key ?? []) : [];
  const tools = entriesOf(whole, "tools");
  const alone = entriesOf(content, "tools").flatMap(([name, tool]) =>
    [keyOf(mapOf(tool)["operation"])].flat().map((key): [string, string] => [key, name]),
  );
  const pages = mapOf(content["api"])["pages"];
  const unwanted = whole[UNWANTED];
  return {
    content,
    whole,
    toolset,
    names: new Map(alone.toReversed()),
    taken: new Set(tools.flatMap(([name, tool]) => [name, ...textsOf(mapOf(tool)["aliases"])])),
    curated: new Set(namedOperations(whole).flatMap(({ reference }) => keyOf(reference))),
    unwanted: new Set(textsOf(unwanted).flatMap(keyOf)),
    pins: entriesOf(content, "pins").map(([name, pin]) => pinTest(name, pin)),
    prefix: String(mapOf(content["server"])["prefix"] ?? ""),
    pages: Array.isArray(pages) ? pages.map(mapOf) : undefined,
    isClosed,
  };
}

/** Every operation that the tools name, with where they do. */
export function namedOperations(
  whole: JsonObject,
): { readonly path: readonly (string | number)[]; readonly reference: string }[] {
  const found: { path: readonly (string | number)[]; reference: string }[] = [];
  const look = (value: Json | undefined, path: readonly (string | number)[]): void => {
    if (Array.isArray(value)) for (const [at, one] of value.entries()) look(one, [...path, at]);
    else if (typeof value === "object" && value !== null)
      for (const [key, one] of Object.entries(value)) {
        if (key === "operation" && typeof one === "string") found.push({ path: [...path, key], reference: one });
        else if (key !== "input" || path.length !== 2) look(one, [...path, key]);
      }
  };
  look(whole["tools"], ["tools"]);
  return found;
}

type Sound = { readonly content: JsonObject; readonly toolset: Toolset };
const MOST_ROUNDS = 8;

/** Compiles, and compiles again without the tools and entities in which errors are. */
function compileSound(whole: JsonObject, api: Api): Sound | Refused {
  const compile = openCompiler(api, readJoined);
  let content = without(whole, "tools", new Set(foreignWorkflows(whole)));
  let errors: Refused["errors"] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const compiled = compile(content);
    if (!("errors" in compiled)) return { content, toolset: compiled.toolset };
    ({ errors } = compiled);
    const paths = errors.map(({ path }) => path.map(String));
    const broken = (section: string) =>
      new Set(paths.filter(([first]) => first === section).flatMap(([, name]) => name ?? []));
    const [tools, entities] = [broken("tools"), broken("entities")];
    if (tools.size + entities.size === 0) return { errors };
    content = without(without(content, "entities", entities), "tools", tools);
  }
  return { errors };
}

/** Workflows of other files are not at hand here. */
function foreignWorkflows(whole: JsonObject): string[] {
  return entriesOf(whole, "tools").flatMap(([name, tool]) => {
    const { steps } = mapOf(tool);
    return steps !== undefined && !Array.isArray(steps) ? [name] : [];
  });
}

/** Nor what proposes a call of what is gone. */
function without(content: JsonObject, section: string, gone: ReadonlySet<string>): JsonObject {
  if (gone.size === 0) return content;
  const left = entriesOf(content, section)
    .filter(([name]) => !gone.has(name))
    .map(([name, entry]) => [name, section === "tools" ? withoutCalls(mapOf(entry), gone) : entry]);
  return { ...content, [section]: Object.fromEntries(left) as JsonObject };
}

function withoutCalls({ next, suggest, ...rest }: JsonObject, gone: ReadonlySet<string>): JsonObject {
  return {
    ...rest,
    ...(next !== undefined && {
      next: Object.fromEntries(Object.entries(mapOf(next)).filter(([name]) => !gone.has(name))),
    }),
    ...(Array.isArray(suggest) && { suggest: suggest.filter((one) => !gone.has(String(mapOf(one)["tool"]))) }),
  };
}

/** A pin fills the places of its name, or those that it names itself. */
function pinTest(name: string, pin: Json): (slot: Slot) => boolean {
  const places = mapOf(pin)["places"];
  if (!Array.isArray(places)) return (slot) => slot.name === name;
  const named = new Set(places.map((text) => placeOf(String(text))));
  return (slot) => named.has(slot.place) || named.has(slot.name);
}

function placeOf(text: string): string {
  const place = parsePlace(text);
  return "in" in place ? placeText(place) : text;
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
