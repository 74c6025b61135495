import type { JsonObject } from "../../model/json.ts";
import type { Schema } from "../../model/schema.ts";
import { pathStep } from "../shape/path-step.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { View, ViewSchema } from "../survey/view-schema.ts";
import { foldName } from "../word/nouns.ts";

const MESSAGE =
  /^(message|errormessage|errordescription|detail|description|msg|title|reason|error|faultstring|errorsummary)$/;
const CODE = /^(code|errorcode|errortype|type|name|status|error)$/;
const HOLDERS = /^(error|errors|fault|data|details|meta)$/;

/** Where most of these operations put the words and the code of a failure; undefined where their documents do not say. */
export function readErrors(facts: readonly Fact[], viewOf: ViewSchema): JsonObject | undefined {
  const bodies = facts.flatMap((fact) => failureSchema(fact) ?? []);
  const message = mostFrequent(bodies.flatMap((schema) => findText(viewOf(schema), MESSAGE, viewOf, 0) ?? []));
  if (message === undefined) return undefined;
  const code = mostFrequent(bodies.flatMap((schema) => findText(viewOf(schema), CODE, viewOf, 0) ?? []));
  const isSame = code === message;
  return { message, ...(code !== undefined && !isSame && { code }) };
}

/** Of the first client error that has one; `default` is a failure where successes are stated apart. */
function failureSchema({ operation: { responses } }: Fact): Schema | undefined {
  const failures = responses.filter(({ status }) => /^[45]/.test(status) || status === "default");
  for (const { content } of failures) {
    const schema = content.find(({ mediaType }) => /[/+]json/i.test(mediaType))?.schema;
    if (schema !== undefined) return schema;
  }
  return undefined;
}

function findText(body: View, pattern: RegExp, viewOf: ViewSchema, depth: number): string | undefined {
  const named = [...body.properties].filter(([name]) => pattern.test(foldName(name)));
  const ranked = named.toSorted(([a], [b]) => rankOf(a, pattern) - rankOf(b, pattern));
  const plain = ranked.find(([, schema]) => viewOf(schema).type === "string" || viewOf(schema).type === "integer");
  // A text called `error` beside an object of errors is the summary of it.
  if (plain !== undefined) return pathStep(plain[0]);
  return depth < 2 ? findInside(body, pattern, viewOf, depth) : undefined;
}

function findInside(body: View, pattern: RegExp, viewOf: ViewSchema, depth: number): string | undefined {
  for (const [name, schema] of body.properties) {
    if (!HOLDERS.test(foldName(name))) continue;
    const view = viewOf(schema);
    const of = view.items === undefined ? view : viewOf(view.items);
    const inner = findText(of, pattern, viewOf, depth + 1);
    if (inner !== undefined) return `${pathStep(name)}${view.items === undefined ? "" : "[0]"}.${inner}`;
  }
  return undefined;
}

function rankOf(name: string, pattern: RegExp): number {
  const at = pattern.source.indexOf(foldName(name));
  return at < 0 ? 1_000 : at;
}

function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
