import type { Api } from "../../model/api.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Schema } from "../../model/schema.ts";
import type { Shape, ValueTemplate } from "../../model/shape.ts";
import {
  type Alternative,
  itemOf,
  listAlternatives,
  propertyNames,
  propertyOf,
} from "../expressions/list-alternatives.ts";
import type { CompiledTool } from "../tool-context.ts";

const DEEPEST = 5;
const MOST_NODES = 1_000;

/** The names of all that a tool's reply holds, as callers see them and as the upstream calls them; letter case and separators do not count. */
export function replyNames(compiled: CompiledTool, api: Api): ReadonlySet<string> {
  // A tool is compiled against one API, and looked at again wherever another tool of its curation has changed.
  return namesOf(api)(compiled);
}

const namesOf = onceFor((api: Api) => onceFor((compiled: CompiledTool) => listNames(compiled, api)));

/** Of those the names that the tool's own shape gives or selects. */
export const shownNames = onceFor(
  ({ tool }: CompiledTool): ReadonlySet<string> => new Set(shapeNames(tool.shape).map(foldedName)),
);

function listNames(compiled: CompiledTool, api: Api): ReadonlySet<string> {
  const found = new Set(shownNames(compiled));
  let left = MOST_NODES;
  /** At which depth the same was looked at before. */
  const seen = new Map<readonly Alternative[], number>();
  const visit = (schema: Schema, depth: number): void => {
    if (depth > DEEPEST) return;
    const alternatives = listAlternatives(schema, api);
    if ((seen.get(alternatives) ?? DEEPEST + 1) <= depth) return;
    seen.set(alternatives, depth);
    for (const one of alternatives) {
      if (one.type === "array") visit(itemOf(one), depth);
      for (const name of propertyNames(one)) {
        if (left <= 0) return;
        left -= 1;
        found.add(foldedName(name));
        const inner = propertyOf(one, name);
        if (inner !== undefined) visit(inner, depth + 1);
      }
    }
  };
  visit(compiled.shown, 0);
  return found;
}

export function foldedName(name: string): string {
  return PLAIN.test(name) ? name : fold(name);
}

const PLAIN = /^[a-z0-9]+$/;

function fold(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** What the paths of a reply end in: a column may be called otherwise than what it shows. */
function shapeNames(shape: Shape): string[] {
  if (shape.kind === "value") return templateNames(shape.value);
  return (shape.fields ?? []).flatMap((field) =>
    field.kind === "column" ? [field.name, lastName(field.path.jmespath)] : [],
  );
}

function templateNames(template: ValueTemplate): string[] {
  if (template.kind === "expression") return [lastName(template.expression.jmespath)];
  return template.entries.flatMap(([name, entry]) => [name, ...templateNames(entry)]);
}

function lastName(jmespath: string): string {
  return /([A-Za-z_]\w*)"?\s*$/.exec(jmespath)?.[1] ?? "";
}
