import { type Api, isFault, type Operation, type OperationEntry } from "../../model/api.ts";
import type { Schema } from "../../model/schema.ts";
import { saysSearch } from "../word/subject-words.ts";
import { type Body, findBody } from "./find-rows.ts";
import { listSlots, type Slot } from "./list-slots.ts";
import { markPicks } from "./mark-picks.ts";
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

/** Is told why an operation that may read is no use. */
export type TellWhy = (why: string) => void;

/** Reads one operation; undefined where it is broken, writes, or answers nothing that an agent could be shown in columns. */
export function readFact(candidate: Candidate, api: Api, viewOf: ViewSchema, tell: TellWhy): Fact | undefined {
  const { resource } = candidate;
  return readWith(candidate, api, viewOf, tell, (operation) => {
    const schema = successSchema(operation);
    if (schema === undefined)
      tell(answersOtherwise(operation) ? "the answer is no JSON" : "the answer is not described");
    const body = schema && findBody(schema, subjectOf(resource), resource.endsInKey, viewOf);
    if (schema !== undefined && body === undefined) tell("the answer has no fields to show");
    return body;
  });
}

function answersOtherwise({ responses }: Operation): boolean {
  return responses.some(({ status, content }) => /^2/.test(status) && content.length > 0);
}

/** `/channels/{id}/threads/search` is about threads. */
function subjectOf({ nouns }: Resource): string {
  return nouns.findLast((noun) => !saysSearch([noun])) ?? nouns.at(-1) ?? "";
}

/** One whose answer the document does not describe, to be handed on as it comes. */
export function readUndescribed(candidate: Candidate, api: Api, viewOf: ViewSchema, tell: TellWhy): Fact | undefined {
  return readWith(candidate, api, viewOf, tell, () => ({ kind: "object", within: "", object: viewOf({}) }));
}

function readWith(
  { entry, resource, score, below }: Candidate,
  api: Api,
  viewOf: ViewSchema,
  tell: TellWhy,
  find: (operation: Operation) => Body | undefined,
): Fact | undefined {
  const readsByPost = isReadingPost(entry, resource);
  if (entry.method !== "GET" && entry.method !== "QUERY" && !readsByPost) return undefined;
  const operation = api.read(entry);
  if (isFault(operation)) {
    tell("the document is broken there");
    return undefined;
  }
  const body = find(operation);
  if (body === undefined) return undefined;
  const slots = markPicks(listSlots(operation, viewOf), resource);
  return { entry, operation, resource, score, below, kind: kindOf(body, resource, slots), readsByPost, body, slots };
}

function kindOf(
  body: Body,
  { nouns, endsInKey, verb = "" }: Resource,
  slots: readonly Slot[],
): Exclude<Fact["kind"], "write"> {
  if (saysSearch(nouns.at(-1)?.split("_") ?? []) && verb !== "") return "search";
  if (!endsInKey && nouns.slice(0, -1).includes("search")) return "search";
  if (body.kind === "object") return endsInKey || (verb !== "" && slots.some(isKeySlot)) ? "detail" : "single";
  const asksForText = slots.some(
    ({ name, required }) => required && /^(q|query|search|term|text|keywords?)$/i.test(name),
  );
  return asksForText || saysSearch(nouns.at(-1)?.split("_") ?? []) || saysSearch(verb.split("_")) ? "search" : "list";
}

function isKeySlot({ name, required, view: { type } }: Slot): boolean {
  return required && (type === "string" || type === "integer") && !/token|key$/i.test(name);
}

/** Of the JSON answer on success: 200 first, then other 2xx, then `default`. */
export function successSchema({ responses }: Operation): Schema | undefined {
  const rank = (status: string) => (status === "200" ? 0 : /^2/.test(status) ? 1 : status === "default" ? 2 : 9);
  // Where success is told in another form, `default` is about failure.
  const isTold = responses.some(({ status, content }) => /^2/.test(status) && content.length > 0);
  const ranked = responses
    .filter(({ status }) => rank(status) < (isTold ? 2 : 9))
    .toSorted((a, b) => rank(a.status) - rank(b.status));
  for (const { content } of ranked) {
    const json = content.find(({ mediaType }) => /[/+]json|\*\/\*/i.test(mediaType));
    if (json?.schema !== undefined) return json.schema;
  }
  return undefined;
}
