import type { Schema } from "../../../model/schema.ts";

/** Properties of one object that the spec ties to each other, by the pointer of the object. */
export interface Dependent {
  readonly within: readonly string[];
  readonly names: readonly string[];
}

/** Where a check of the compiler's (self-contained, no `$ref`) asks for properties because of others: by a choice of forms, or by a condition. */
export function* findDependent(schema: Schema, within: readonly string[] = []): Iterable<Dependent> {
  const { allOf = [], anyOf = [], properties = {}, items } = schema;
  const choices = anyOf.filter((form) => form.type !== "null");
  const names = [...namesOfChoice(choices), ...namesOfCondition(schema)];
  if (names.length > 1) yield { within, names: [...new Set(names)] };
  for (const part of [...allOf, ...choices, schema.then, schema.else])
    if (part !== undefined) yield* findDependent(part, within);
  for (const [name, inner] of Object.entries(properties)) yield* findDependent(inner, [...within, name]);
  if (items !== undefined) yield* findDependent(items, [...within, "*"]);
}

/** What one form needs and another does not; where a property tells the forms apart, it too. */
function namesOfChoice(forms: readonly Schema[]): readonly string[] {
  const needs = forms.map(({ required = [] }) => required);
  const some = [...new Set(needs.flat())].filter((name) => !needs.every((names) => names.includes(name)));
  if (some.length === 0) return [];
  const always = [...new Set(needs.flat())].filter((name) => !some.includes(name));
  return [...always.filter((name) => forms.every((form) => hasValue(form, name))), ...some];
}

function namesOfCondition({ if: given, then, else: otherwise }: Schema): readonly string[] {
  const asked = [then, otherwise].flatMap((side) => side?.required ?? []);
  if (given === undefined || asked.length === 0) return [];
  const conditions = [...(given.required ?? []), ...Object.keys(given.properties ?? {})];
  return [...conditions, ...asked];
}

function hasValue({ properties = {} }: Schema, name: string): boolean {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return property?.const !== undefined || property?.enum?.length === 1;
}
