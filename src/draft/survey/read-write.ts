import { type Api, isFault } from "../../model/api.ts";
import { findBody } from "./find-rows.ts";
import { listSlots } from "./list-slots.ts";
import type { Candidate } from "./rank-entries.ts";
import { type Fact, successSchema } from "./read-fact.ts";
import type { ViewSchema } from "./view-schema.ts";

/** Reads one operation that changes something; undefined where it is broken or takes what is no JSON. */
export function readWrite(
  { entry, resource, score, below }: Candidate,
  api: Api,
  viewOf: ViewSchema,
): Fact | undefined {
  const operation = api.read(entry);
  if (isFault(operation)) return undefined;
  const { body: sent } = operation;
  const takesJson =
    sent === undefined || sent.content.some(({ mediaType }) => /[/+]json|x-www-form|\*\/\*/i.test(mediaType));
  if (!takesJson) return undefined;
  const schema = successSchema(operation);
  const answered = schema && findBody(schema, resource.nouns.at(-1) ?? "", true, viewOf);
  return {
    ...{ entry, operation, resource, score, below },
    kind: "write",
    readsByPost: false,
    body: answered?.kind === "object" ? answered : { kind: "object", within: "", object: viewOf({}) },
    slots: listSlots(operation, viewOf),
  };
}
