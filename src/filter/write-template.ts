import type { Literal } from "../model/filter.ts";
import type { Json } from "../model/json.ts";
import { type Leaf, valuesOf } from "./dialect.ts";
import { fillTemplate, fillText, type Placeholder, type PlaceholderName, type Slots } from "./fill-template.ts";

/** How one leaf fills a template: `word` is the upstream's for its operator, `literal` how a value stands in it outside quotation marks. */
export interface Filling {
  readonly leaf: Leaf;
  readonly word: string;
  literal(value: Literal): string;
}

/** A leaf in a template of the author that gives JSON. */
export function fillJsonTemplate(template: Json, filling: Filling): Json {
  return fillTemplate(template, slotsOf(filling));
}

/** A leaf in a template of the author that gives text. */
export function fillTextTemplate(template: Json, filling: Filling): string {
  return fillText(String(template), slotsOf(filling).text);
}

function slotsOf({ leaf, word, literal }: Filling): Slots {
  const write = (value: Literal, { quote }: Placeholder) => (quote === undefined ? literal(value) : value.text);
  return {
    whole: (name) => wholeOf(name, leaf, word),
    text: (placeholder) => {
      if (placeholder.name === "values")
        return valuesOf(leaf)
          .map((value) => write(value, placeholder))
          .join(placeholder.separator ?? ",");
      if (placeholder.name === "value") return leaf.kind === "compare" ? write(leaf.value, placeholder) : "";
      return String(wholeOf(placeholder.name, leaf, word) ?? "");
    },
  };
}

function wholeOf(name: PlaceholderName, leaf: Leaf, word: string): Json | undefined {
  switch (name) {
    case "field":
      return leaf.field.to;
    case "op":
      return word;
    case "value":
      return leaf.kind === "compare" ? leaf.value.wire : undefined;
    case "values":
      return leaf.kind === "member" ? leaf.values.map(({ wire }) => wire) : undefined;
    case "conditions":
      return undefined;
    default:
      return name satisfies never;
  }
}
