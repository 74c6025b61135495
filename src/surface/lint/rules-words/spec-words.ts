import type { Api } from "../../../model/api.ts";
import { isFault } from "../../../model/api.ts";
import { callsOf } from "../../../model/map-calls.ts";
import type { Schema } from "../../../model/schema.ts";
import type { Tool, Toolset } from "../../../model/tool.ts";
import { operationOf } from "../operation-of.ts";

/** So much of a spec is looked at for one tool; the documents of some APIs have no end. */
const MOST_SCHEMAS = 2_000;

/** What the spec says, as it is written there, of the operations behind a tool and of what is sent to them. */
export function specWords(tool: Tool, { operations }: Toolset, api: Api): readonly string[] {
  const keys = new Set(callsOf(tool).flatMap((call) => operations[call.operation]?.key ?? []));
  const budget = { left: MOST_SCHEMAS };
  return [...keys].flatMap((key) => {
    const operation = operationOf(key, api);
    if (operation === undefined) return [];
    const { summary, description, parameters, body } = operation;
    const schemas = [...parameters.map(({ schema }) => schema), ...(body?.content ?? []).map(({ schema }) => schema)];
    const said = [summary, description, body?.description, ...parameters.map((one) => one.description)];
    return [
      ...said.filter((text) => text !== undefined),
      ...schemas.flatMap((schema) => (schema === undefined ? [] : schemaWords(schema, api, budget, new Set()))),
    ];
  });
}

function schemaWords(schema: Schema, api: Api, budget: { left: number }, seen: Set<Schema>): string[] {
  budget.left -= 1;
  if (budget.left < 0) return [];
  const resolved = schema.$ref === undefined ? { schema } : api.resolve(schema);
  if (isFault(resolved) || seen.has(resolved.schema)) return [];
  seen.add(resolved.schema);
  const { description, title, properties = {}, items, additionalProperties, ...rest } = resolved.schema;
  const below = [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...(additionalProperties === undefined ? [] : [additionalProperties]),
    ...[rest.allOf, rest.anyOf, rest.oneOf].flatMap((parts) => parts ?? []),
  ];
  const values = [rest.default, rest.const, ...(rest.enum ?? [])];
  return [
    ...[description, title, ...values].filter((text) => typeof text === "string"),
    ...below.flatMap((one) => schemaWords(one, api, budget, seen)),
  ];
}
