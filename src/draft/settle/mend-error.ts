import type { Json, JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import type { Built } from "../build/build-curation.ts";
import { type Mends, mendsOf } from "../build/mends.ts";

type Path = readonly (string | number)[];

/** Notes what has to be drafted otherwise for an error at a path; what nothing helps is dropped. */
export function mendError({ code }: Problem, path: Path, built: Built, mends: Mends): void {
  const [section, name = "", part, key = ""] = path.map(String);
  if (section === "tools" && built.chosen.has(name)) mendTool(code, { name, part, key }, built, mends);
  else if (built.added !== undefined) mendJoint(name, built, mends);
  else if (section === "entities") mends.droppedEntities.add(name);
  else if (section === "api") mendApi(code, name, String(part ?? ""), built, mends);
  else throw new Error(`The draft has an error that nothing mends: ${code} at ${path.join(".")}`);
}

/** What was added breaks what stood there before: the entity goes, else what is said for all, else everything. */
function mendJoint(name: string, { added, chosen }: Built, mends: Mends): void {
  if (added?.entities[name] !== undefined) mends.droppedEntities.add(name);
  else if (!mends.keepsApi) mends.keepsApi = true;
  else for (const { fact } of chosen.values()) mends.dropped.add(fact.entry.key);
}

interface Place {
  readonly name: string;
  readonly part: string | undefined;
  readonly key: string;
}

function mendTool(code: string, { name, part, key }: Place, built: Built, mends: Mends): void {
  const operation = built.chosen.get(name)!.fact.entry.key;
  const own = mendsOf(mends, operation);
  const entry = (built.content["tools"] as Readonly<Record<string, JsonObject>>)[name]!;
  if (code !== "spec_fault" && (part === "input" || part === "args"))
    mendInput(code, part === "args" ? key : placeOf(key, name, built), name, built, mends);
  else if (code !== "spec_fault" && part === "pages") own.withoutPages = true;
  else if (code !== "spec_fault" && part === "filter") own.withoutFilter = true;
  else if (part === "result" && key === "totals" && !own.withoutTotals) own.withoutTotals = true;
  else if (part === "result" && entry["unchecked"] !== true) own.unchecked = true;
  else mends.dropped.add(operation);
}

/** A place whose type has to be said gets one; what is still wrong goes, with its tool where it is required. */
function mendInput(code: string, place: string | undefined, name: string, built: Built, mends: Mends): void {
  const { fact } = built.chosen.get(name)!;
  const own = mendsOf(mends, fact.entry.key);
  const slot = fact.slots.find((one) => one.place === place);
  const types = code === "union_needs_type" || code === "place_needs_type" ? ["string", "integer", "json"] : [];
  const next = slot && types[types.indexOf(own.inputTypes.get(slot.place) ?? "") + 1];
  if (slot !== undefined && !slot.required) own.droppedInputs.add(slot.place);
  else if (slot === undefined || next === undefined) mends.dropped.add(fact.entry.key);
  else own.inputTypes.set(slot.place, next);
}

/** The place to which an input of a tool goes. */
export function placeOf(input: string, tool: string, built: Built): string | undefined {
  const entry = (built.content["tools"] as Readonly<Record<string, JsonObject>>)[tool];
  const args = Object.entries((entry?.["args"] ?? {}) as Readonly<Record<string, Json>>);
  const moved = args.find(([, value]) => value === `\${input.${input}}`)?.[0];
  return moved ?? built.chosen.get(tool)?.fact.slots.find((slot) => slot.name === input)?.place;
}

function mendApi(code: string, key: string, part: string, built: Built, mends: Mends): void {
  if (code === "base_url_needed") mends.needsBaseUrl = true;
  else if (key === "auth") mends.droppedAuth.add(part);
  else if (key === "errors") mends.droppedErrors.add(part);
  else if (key === "pages") dropStyle(Number(part), built, mends);
  else throw new Error(`The draft has an error that nothing mends: ${code} at api.${key}`);
}

/** Whoever has this style reads its list unpaged. */
function dropStyle(at: number, built: Built, mends: Mends): void {
  const styles = (built.content["api"] as JsonObject)["pages"] as readonly Json[];
  const style = JSON.stringify(styles[at]);
  for (const [key, one] of built.styles) if (one === style) mendsOf(mends, key).withoutPages = true;
}
