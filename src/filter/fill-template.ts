import { isJsonObject, type Json } from "../model/json.ts";

/**
 * Templates of an author are JSON, in whose texts stand `{field}`, `{op}`, `{value}`, `{values}` or `{conditions}`. A text that is one
 * placeholder alone keeps the type of what comes in; elsewhere it comes in as text, and lists joined: by a comma, or by what stands behind a
 * colon (`{values:|}`, `{conditions: AND }`). A property that is `{value}` or `{values}` alone is left out where the operator has none.
 */
export type PlaceholderName = "field" | "op" | "value" | "values" | "conditions";

export interface Placeholder {
  readonly name: PlaceholderName;
  readonly separator: string | undefined;
  /** The quotation mark that is open where it stands. */
  readonly quote: string | undefined;
  readonly before: string;
  readonly after: string;
}

const PLACEHOLDER = /\{(field|op|value|values|conditions)(?::([^{}]*))?\}/g;
const ALONE = /^\{(field|op|value|values|conditions)\}$/;

/** What comes in: as it is where a placeholder stands alone, as text elsewhere. Undefined where the operator has no such thing. */
export interface Slots {
  whole(name: PlaceholderName): Json | undefined;
  text(placeholder: Placeholder): string;
}

export function fillTemplate(template: Json, slots: Slots): Json {
  if (typeof template === "string") {
    const alone = aloneName(template);
    return alone === undefined ? fillText(template, (one) => slots.text(one)) : (slots.whole(alone) ?? null);
  }
  if (Array.isArray(template)) return template.map((item: Json) => fillTemplate(item, slots));
  if (!isJsonObject(template)) return template;
  const entries = Object.entries(template).filter(([, inner]) => !isLeftOut(inner, slots));
  return Object.fromEntries(entries.map(([key, inner]) => [fillKey(key, slots), fillTemplate(inner, slots)]));
}

/** A key can be a field or an operator, and never what a caller writes. */
function fillKey(key: string, slots: Slots): string {
  return fillText(key, (one) => (one.name === "field" || one.name === "op" ? slots.text(one) : `{${one.name}}`));
}

/** A template that is all text, with everything in it as text. */
export function fillText(template: string, write: (placeholder: Placeholder) => string): string {
  return template.replace(PLACEHOLDER, (found, name: PlaceholderName, separator: string | undefined, index: number) =>
    write({
      name,
      separator,
      quote: openQuote(template.slice(0, index)),
      before: template.charAt(index - 1),
      after: template.charAt(index + found.length),
    }),
  );
}

/** Every placeholder of a template; `alone` where it is a text by itself. */
export function listPlaceholders(template: Json): readonly (Placeholder & { readonly alone: boolean })[] {
  if (typeof template === "string") {
    const found: Placeholder[] = [];
    fillText(template, (one) => {
      found.push(one);
      return "";
    });
    const alone = aloneName(template) !== undefined;
    return found.map((one) => ({ ...one, alone }));
  }
  if (typeof template !== "object" || template === null) return [];
  if (Array.isArray(template)) return template.flatMap((item: Json) => listPlaceholders(item));
  return Object.entries(template).flatMap(([key, inner]) => [
    ...listPlaceholders(key).filter(({ name }) => name === "field" || name === "op"),
    ...listPlaceholders(inner),
  ]);
}

function aloneName(text: string): PlaceholderName | undefined {
  return ALONE.exec(text)?.[1] as PlaceholderName | undefined;
}

function isLeftOut(template: Json, slots: Slots): boolean {
  const alone = typeof template === "string" ? aloneName(template) : undefined;
  return (alone === "value" || alone === "values") && slots.whole(alone) === undefined;
}

/** The quotation mark that is still open at the end of a text; one behind a backslash opens and closes nothing. */
function openQuote(text: string): string | undefined {
  let open: string | undefined;
  for (const [sign] of text.matchAll(/\\.|["'`]/gs)) {
    if (sign.length > 1) continue;
    open = open === undefined ? sign : sign === open ? undefined : open;
  }
  return open;
}
