import type { ToolEntry } from "../../curation/format.ts";
import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Input } from "../../model/tool.ts";
import type { ValueType } from "../../model/value.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import type { ToolContext } from "../tool-context.ts";
import { asSentence } from "../words/plain-text.ts";
import { describeEntity } from "./describe-entity.ts";
import { type EntityEntry, entitiesOf } from "./entity-context.ts";

/**
 * The inputs of a tool, those that name a thing with its kind: callers are told where its identifiers come from, and where it has aliases they
 * may write any text, of which the identifier that comes of it must fit the place.
 */
export function nameEntities(
  inputs: readonly Input[],
  tool: ToolEntry,
  at: EntryPath,
  context: ToolContext,
  report: Report,
): Input[] {
  const entities = new Map(entitiesOf(context));
  return inputs.map((input) => {
    const name = ownValue(tool.input ?? {}, input.name)?.entity;
    if (name === undefined) return input;
    const here = [...at, "input", input.name, "entity"];
    const entity = entities.get(name);
    if (entity === undefined) {
      const known = [...entities.keys()];
      const hint = hintFor(nearestNames(name, known), known) ?? "Say under `entities` where they come from.";
      report.add("error", "unknown_entity", here, `There is no entity "${name}".`, hint);
      return { ...input, entity: name };
    }
    if (!isIdentifier(input.type)) {
      const message = `The values of \`${input.name}\` are no texts or numbers, which could name a thing.`;
      report.add("error", "bad_value", here, message, "Take `entity` out, or set `type`.");
      return input;
    }
    return nameEntity(input, name, entity, context);
  });
}

const IDENTIFIERS: ReadonlySet<ValueType["kind"]> = new Set(["string", "integer", "number", "json"]);

function isIdentifier(type: ValueType): boolean {
  return IDENTIFIERS.has(type.kind === "array" ? type.items.kind : type.kind);
}

function nameEntity(input: Input, name: string, entity: EntityEntry, context: ToolContext): Input {
  const described = { ...input, entity: name, type: withSource(input, entity, context) };
  if ((entity.aliases ?? []).length === 0) return described;
  const { residual, default: preset, ...rest } = described;
  return {
    ...rest,
    ...(preset !== undefined && {
      default: preset.kind === "literal" ? { ...preset, value: asText(preset.value) } : preset,
    }),
    type: loosen(described.type),
    identified: { type: input.type, ...(residual !== undefined && { residual }) },
  };
}

function withSource(input: Input, entity: EntityEntry, context: ToolContext): ValueType {
  const { description = "" } = input.type;
  const source = describeEntity(entity, input.type.kind === "array", description, context);
  const lead = description === "" || source === "" ? description : `${asSentence(description)} `;
  return { ...input.type, description: `${lead}${source}` };
}

/** The limits of an identifier are none of what else may stand for it. */
function loosen(type: ValueType): ValueType {
  const { description, nullable } = type;
  const base = { ...(description !== undefined && { description }), ...(nullable !== undefined && { nullable }) };
  if (type.kind !== "array") return { kind: "string", minLength: 1, ...base };
  const { minItems, maxItems } = type;
  return {
    kind: "array",
    items: loosen(type.items),
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
    ...base,
  };
}

function asText(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => asText(item));
  return value === null || isJsonObject(value) ? value : String(value);
}
