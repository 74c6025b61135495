import { type Api, isFault, type Operation, type OperationEntry } from "../../model/api.ts";
import type { Schema } from "../../model/schema.ts";
import { saysSearch } from "../word/subject-words.ts";
import { type Body, findBody } from "./find-rows.ts";
import { listSlots, type Slot } from "./list-slots.ts";
import type { Resource } from "./name-resource.ts";
import { type Candidate, isReadingPost } from "./rank-entries.ts";
import type { ViewSchema } from "./view-schema.ts";

/** What drafting knows of one operation. */
export interface Fact {
  readonly entry: OperationEntry;
  readonly operation: Operation;
  readonly resource: Resource;
  readonly score: number;
  /** Operations of the document at its collection and below it. */
  readonly below: number;
  /** `single` is an object that there is one of, for example settings or statistics. */
  readonly kind: "list" | "search" | "detail" | "single" | "write";
  /** A POST that only reads. */
  readonly readsByPost: boolean;
  readonly body: Body;
  readonly slots: readonly Slot[];
}

/** Reads one operation; undefined where it is broken, writes, or answers nothing that an agent could be shown in columns. */
export function readFact(candidate: Candidate, api: Api, viewOf: ViewSchema): Fact | undefined {
  const { resource } = candidate;
  return readWith(candidate, api, viewOf, (operation) => {
    const schema = successSchema(operation);
    return schema && findBody(schema, subjectOf(resource), resource.endsInKey, viewOf);
  });
}

/** `/channels/{id}/threads/search` is about threads. */
function subjectOf({ nouns }: Resource): string {
  return nouns.findLast((noun) => !saysSearch([noun])) ?? nouns.at(-1) ?? "";
}

/** One whose answer the document does not describe, to be handed on as it comes. */
export function readUndescribed(candidate: Candidate, api: Api, viewOf: ViewSchema): Fact | undefined {
  return readWith(candidate, api, viewOf, () => ({ kind: "object", within: "", object: viewOf({}) }));
}

function readWith(
  { entry, resource, score, below }: Candidate,
  api: Api,
  viewOf: ViewSchema,
  find: (operation: Operation) => Body | undefined,
): Fact | undefined {
  const readsByPost = isReadingPost(entry, resource);
  if (entry.method !== "GET" && entry.method !== "QUERY" && !readsByPost) return undefined;
  const operation = api.read(entry);
  if (isFault(operation)) return undefined;
  const body = find(operation);
  if (body === undefined) return undefined;
  const slots = listSlots(operation, viewOf);
  return { entry, operation, resource, score, below, kind: kindOf(body, resource, slots), readsByPost, body, slots };
}

function kindOf(
  body: Body,
  { nouns, endsInKey, verb = "" }: Resource,
  slots: readonly Slot[],
): Exclude<Fact["kind"], "write"> {
  if (saysSearch(nouns.at(-1)?.split("_") ?? []) && verb !== "") return "search";
  if (body.kind === "object")
    return endsInKey ||
      (verb !== "" && slots.some((slot) => isKeySlot(slot) || (ASKS_ONE.test(verb) && isIdSlot(slot))))
      ? "detail"
      : "single";
  const asksForText = slots.some(
    ({ name, required }) => required && /^(q|query|search|term|text|keywords?)$/i.test(name),
  );
  return asksForText || saysSearch(nouns.at(-1)?.split("_") ?? []) || saysSearch(verb.split("_")) ? "search" : "list";
}

function isKeySlot({ name, required, view: { type } }: Slot): boolean {
  return required && (type === "string" || type === "integer") && !/token|key$/i.test(name);
}

const ASKS_ONE = /^(info|get|describe|retrieve|fetch|inspect|show|read)$/;

/** Documents that require nothing tell of an ID in words. */
function isIdSlot({ name, in: where, description, view: { type } }: Slot): boolean {
  return (
    where === "query" &&
    type === "string" &&
    !/token|key$|cursor/i.test(name) &&
    /\bids?\b/i.test(description.slice(0, 60))
  );
}

/** Of the JSON answer on success: 200 first, then other 2xx, then `default`. */
export function successSchema({ responses }: Operation): Schema | undefined {
  const rank = (status: string) => (status === "200" ? 0 : /^2/.test(status) ? 1 : status === "default" ? 2 : 9);
  const ranked = responses.filter(({ status }) => rank(status) < 9).toSorted((a, b) => rank(a.status) - rank(b.status));
  for (const { content } of ranked) {
    const json = content.find(({ mediaType }) => /[/+]json|\*\/\*/i.test(mediaType));
    if (json?.schema !== undefined) return json.schema;
  }
  return undefined;
}
