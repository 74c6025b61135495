import type { Schema } from "../../model/schema.ts";
import { ANY, listOf, NULL, NUMBER, objectOf, STRING, unionOf } from "../expressions/type-algebra.ts";
import { answers } from "../places/choose-media.ts";
import type { Target } from "../places/request-places.ts";
import { readSuccessBody, type SuccessBody } from "../reply/response-schema.ts";

/** What a step gives, by its ID. */
export type StepType = readonly [id: string, type: Schema];

const BINARY: Schema = objectOf([
  ["mediaType", STRING],
  ["bytes", NUMBER],
]);

type Kind = SuccessBody["kinds"] extends ReadonlySet<infer K> ? K : never;

/** The body of an answer as a step gives it: JSON as it is, a text, null where there is none, or what is known of bytes. */
export function bodyOf({ operation, unchecked }: Target, accept: string | undefined): Schema {
  if (unchecked || (accept !== undefined && !answers(operation, accept))) return ANY;
  const { schema, kinds } = readSuccessBody(operation, accept);
  const without = { empty: NULL, accepted: NULL };
  const types: Readonly<Record<Kind, Schema>> = { json: schema, text: STRING, binary: BINARY, ...without };
  return kinds.size === 0 ? ANY : unionOf([...kinds].map((kind) => types[kind]));
}

/** What a step gives for each item; one that may fail alone has an error in place of the reply. */
export function loopOf(item: Schema, reply: Schema, mayFail: boolean): Schema {
  if (!mayFail) {
    return listOf(
      objectOf([
        ["item", item],
        ["reply", reply],
      ]),
    );
  }
  const error = objectOf([
    ["error", STRING],
    ["message", STRING],
  ]);
  const one = objectOf([
    ["item", item],
    ["reply", reply],
    ["error", error],
  ]);
  return listOf({ ...one, required: ["item"] });
}
