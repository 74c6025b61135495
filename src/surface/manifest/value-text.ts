import type { Json } from "../../model/json.ts";
import type { Form, Value } from "../../model/value.ts";

/** A value as a curation writes it, in a line: `USD`, `${pins.tenant}`, `{"a":"${input.b}"}`. */
export function valueText(value: Value): string {
  const json = valueJson(value);
  return typeof json === "string" ? json : JSON.stringify(json);
}

/** A value as a curation writes it. */
export function valueJson(value: Value): Json {
  switch (value.kind) {
    case "literal":
      return value.value;
    case "expression":
      return `\${${value.expression.jmespath}}`;
    case "text":
      return value.parts.map((part) => (typeof part === "string" ? part : `\${${part.jmespath}}`)).join("");
    case "object":
      return Object.fromEntries(value.entries.map(([key, one]) => [key, valueJson(one)]));
    case "list":
      return value.items.map(valueJson);
    default:
      return value satisfies never;
  }
}

/** `unix`, or `minor USD`. */
export function formText(form: Form): string {
  return form.as === "minor" ? `minor ${valueText(form.unit)}` : form.as;
}
