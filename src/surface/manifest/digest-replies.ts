import type { Field, Shape, ValueTemplate } from "../../model/shape.ts";
import type { ManifestPart } from "../manifest-format.ts";
import type { SayCall } from "./describe-conduct.ts";
import { makePart, type NamedPart, partsByName } from "./make-part.ts";
import { valueJson } from "./value-text.ts";

/**
 * How bodies become replies, piece by piece: where rows and columns are read, what is searched, and where the rest is; not what `Conduct` tells by
 * itself. `sayCall` tells a call of another tool.
 */
export function digestReplies(shape: Shape, sayCall: SayCall): Readonly<Record<string, ManifestPart>> {
  const rest = (shape.rest ?? []).map(({ path, tool, args, max = null, of }): NamedPart => {
    const call = tool === undefined ? { args } : sayCall(tool, args);
    const told = [call.args.map(([name, value]) => [name, valueJson(value)]), max, of?.jmespath ?? null];
    return [`rest ${path}`, makePart(told, "tool" in call ? { tool: call.tool } : {})];
  });
  return partsByName([["kind", makePart(shape.kind)], ...tellShape(shape), ...rest]);
}

function tellShape(shape: Shape): readonly NamedPart[] {
  switch (shape.kind) {
    case "list":
      return [
        ["rows", makePart(shape.rows.jmespath)],
        ...tellFields(shape.fields),
        ...(shape.search === undefined ? [] : [["search", makePart(valueJson(shape.search))] as const]),
      ];
    case "value":
      return tellTemplate(shape.value, "");
    case "object":
      return tellFields(shape.fields);
    default:
      return shape satisfies never;
  }
}

function tellFields(fields: readonly Field[] | undefined): readonly NamedPart[] {
  if (fields === undefined) return [["whole", makePart(null)]];
  return fields.map((field) =>
    field.kind === "column"
      ? [`field ${field.name}`, makePart(field.path.jmespath)]
      : ["spread", makePart(valueJson(field.names))],
  );
}

function tellTemplate(template: ValueTemplate, path: string): readonly NamedPart[] {
  if (template.kind === "expression") return [[`value ${path}`, makePart(template.expression.jmespath)]];
  return template.entries.flatMap(([name, value]) => tellTemplate(value, path === "" ? name : `${path}.${name}`));
}
