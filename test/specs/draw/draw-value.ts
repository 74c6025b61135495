import { isFault } from "../../../src/model/api.ts";
import type { Json } from "../../../src/model/json.ts";
import type { Schema } from "../../../src/model/schema.ts";
import type { Dice } from "./dice.ts";
import { drawText } from "./draw-text.ts";
import { type Drawing, gatherParts, Undrawable } from "./gather-parts.ts";

const DEEPEST = 6;
const BOTTOMLESS = 14;
const OPTIONAL_SHARE = 0.5;

/** A value in the upstream's form that the spec allows: what must be there and a random half of the rest, readOnly properties left out. */
export function drawValue(schema: Schema, drawing: Drawing, depth = 0): Json {
  if (depth > BOTTOMLESS) throw new Undrawable("a recursion without end");
  drawing.left -= 1;
  const parts: Schema[] = [];
  const fixed = new Map<string, Json>();
  gatherParts(schema, drawing, parts, fixed, 0);
  const values = parts
    .map((part) => (part.const === undefined ? part.enum : [part.const]))
    .filter((list) => list !== undefined);
  if (values.length > 0) return drawing.dice.pick(commonValues(values as Json[][]));
  switch (typeOf(parts, drawing)) {
    case "object":
      return drawObject(parts, fixed, drawing, depth);
    case "array":
      return drawList(parts, drawing, depth);
    case "integer":
      return drawNumber(parts, 1, drawing.dice);
    case "number":
      return drawNumber(
        parts,
        parts.some(({ format }) => format === "int32" || format === "int64") ? 1 : 0.5,
        drawing.dice,
      );
    case "boolean":
      return drawing.dice.chance(0.5);
    case "null":
      return null;
    default:
      return drawString(parts, drawing);
  }
}

function commonValues(lists: readonly (readonly Json[])[]): Json[] {
  const [first = [], ...others] = lists;
  const common = first.filter((value) =>
    others.every((list) => list.some((one) => JSON.stringify(one) === JSON.stringify(value))),
  );
  const useful = common.filter((value) => value !== null && value !== "");
  if (common.length === 0) throw new Undrawable("lists of values without a common one");
  return useful.length > 0 ? useful : common;
}

function typeOf(parts: readonly Schema[], { dice }: Drawing): string | undefined {
  const lists = parts.flatMap(({ type }) =>
    type === undefined ? [] : [typeof type === "string" ? [type] : [...type]],
  );
  const [first, ...others] = lists;
  if (first !== undefined) {
    const common = first.filter((type) =>
      others.every((list) => list.includes(type) || (type === "integer" && list.includes("number"))),
    );
    const all =
      common.length > 0 ? common : others.flat().includes("integer") && first.includes("number") ? ["integer"] : [];
    const solid = all.filter((type) => type !== "null");
    if (all.length === 0) throw new Undrawable("types that exclude each other");
    return solid.length > 0 ? dice.pick(solid) : "null";
  }
  if (parts.some((part) => part.properties ?? part.additionalProperties ?? part.required ?? part.minProperties))
    return "object";
  if (parts.some((part) => part.items ?? part.prefixItems)) return "array";
  if (parts.some((part) => part.minimum ?? part.maximum ?? part.multipleOf)) return "number";
  return undefined;
}

function drawObject(parts: readonly Schema[], fixed: ReadonlyMap<string, Json>, drawing: Drawing, depth: number): Json {
  const properties = new Map<string, Schema[]>();
  for (const part of parts)
    for (const [name, schema] of Object.entries(part.properties ?? {}))
      properties.set(name, [...(properties.get(name) ?? []), schema]);
  const settable = [...properties].filter(([, schemas]) => !schemas.some((schema) => isReadOnly(schema, drawing)));
  const readOnly = new Set([...properties.keys()].filter((name) => !settable.some(([one]) => one === name)));
  const required = new Set(parts.flatMap((part) => part.required ?? []).filter((name) => !readOnly.has(name)));
  const most = Math.min(...parts.map((part) => part.maxProperties ?? Number.POSITIVE_INFINITY));
  const least = Math.max(0, ...parts.map((part) => part.minProperties ?? 0));
  const drawn: [string, Json][] = [];
  const add = (name: string, schemas: readonly Schema[]) => {
    const own = schemas.length === 1 ? schemas[0]! : { allOf: schemas };
    drawn.push([name, fixed.get(name) ?? drawValue(own, drawing, depth + 1)]);
  };
  const isSpare = (name: string) =>
    drawing.left > 0 &&
    depth < DEEPEST &&
    drawing.dice.chance(OPTIONAL_SHARE) &&
    drawn.length + required.size < most &&
    !required.has(name);
  for (const [name, schemas] of settable) {
    if (required.has(name) || fixed.has(name)) add(name, schemas);
    else if (isSpare(name)) tryTo(() => add(name, schemas));
  }
  for (const [name, schemas] of settable)
    if (drawn.length < least && !drawn.some(([one]) => one === name)) tryTo(() => add(name, schemas));
  const further = parts.map((part) => part.additionalProperties).filter((schema) => schema !== undefined);
  const values = further.length > 0 ? further : [{}];
  const isClosed = further.some((schema) => schema.not !== undefined);
  for (const name of required) if (!properties.has(name)) add(name, values);
  const isMap = properties.size === 0 && !isClosed;
  if (isMap && depth < DEEPEST)
    for (const name of mapKeys(parts, Math.max(least, drawing.dice.roll(3)), drawing)) tryTo(() => add(name, values));
  return Object.fromEntries(drawn);
}

/** What is optional is left out where nothing can be drawn for it. */
function tryTo(draw: () => void): void {
  try {
    draw();
  } catch (error) {
    if (!(error instanceof Undrawable)) throw error;
  }
}

function mapKeys(parts: readonly Schema[], count: number, drawing: Drawing): Set<string> {
  const patterns = parts.flatMap((part) => [
    ...(part.propertyNames?.pattern ?? []),
    ...Object.keys(part.patternProperties ?? {}).slice(0, 1),
  ]);
  const keys = Array.from({ length: count }, (_, at) =>
    patterns.length > 0
      ? drawText({ patterns: [patterns.join("")], minLength: 1, maxLength: 60 }, drawing.place, drawing.dice)
      : `key_${at + 1}`,
  );
  return new Set(keys.filter((key) => key !== undefined));
}

export function isReadOnly(schema: Schema, { api }: Pick<Drawing, "api">, depth = 0): boolean {
  const resolved = api.resolve(schema);
  if (isFault(resolved) || depth > 4) return false;
  return (
    resolved.schema.readOnly === true ||
    (resolved.schema.allOf ?? []).some((part) => isReadOnly(part, { api }, depth + 1))
  );
}

function drawList(parts: readonly Schema[], drawing: Drawing, depth: number): Json {
  const least = Math.max(0, ...parts.map((part) => part.minItems ?? 0));
  const most = Math.min(least + 2, ...parts.map((part) => part.maxItems ?? least + 2));
  const start = parts.find((part) => part.prefixItems !== undefined)?.prefixItems ?? [];
  const items = parts.map((part) => part.items).filter((schema) => schema !== undefined);
  const each: Schema = items.length === 1 ? items[0]! : { allOf: items };
  const wanted = Math.max(least, depth < DEEPEST && drawing.left > 0 ? Math.min(1 + drawing.dice.roll(2), most) : 0);
  const isDistinct = parts.some((part) => part.uniqueItems === true);
  const drawn: Json[] = [];
  for (let tries = 0; drawn.length < wanted && tries < wanted * 4; tries += 1) {
    const item = drawValue(start[drawn.length] ?? each, drawing, depth + 1);
    if (!isDistinct || !drawn.some((one) => JSON.stringify(one) === JSON.stringify(item))) drawn.push(item);
  }
  return drawn;
}

function drawNumber(parts: readonly Schema[], grain: number, dice: Dice): number {
  const all = (keyword: "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf") =>
    parts.flatMap((part) => (typeof part[keyword] === "number" ? [part[keyword]] : []));
  const step = Math.max(grain, ...all("multipleOf").filter((one) => one > 0 || grain === 1));
  const multiple = all("multipleOf")[0] ?? step;
  const least = Math.max(
    Number.NEGATIVE_INFINITY,
    ...all("minimum"),
    ...all("exclusiveMinimum").map((one) => one + multiple),
  );
  const most = Math.min(
    Number.POSITIVE_INFINITY,
    ...all("maximum"),
    ...all("exclusiveMaximum").map((one) => one - multiple),
  );
  // Beyond 2^53 JSON numbers of JavaScript are not exact.
  const from = least > -Number.MAX_SAFE_INTEGER ? least : Math.min(most, 1);
  const to = Math.min(most, from + 100 * multiple);
  const lowest = Math.ceil(from / multiple);
  const highest = Math.max(lowest, Math.floor(to / multiple));
  const drawn = (lowest + dice.roll(highest - lowest + 1)) * multiple;
  return Number(drawn.toPrecision(12));
}

function drawString(parts: readonly Schema[], drawing: Drawing): string {
  const text = drawText(
    {
      format: parts.find((part) => part.format !== undefined)?.format,
      patterns: parts.flatMap((part) => part.pattern ?? []),
      minLength: Math.max(drawing.place === "path" ? 1 : 0, ...parts.map((part) => part.minLength ?? 0)),
      maxLength: Math.min(...parts.map((part) => part.maxLength ?? Number.POSITIVE_INFINITY)),
    },
    drawing.place,
    drawing.dice,
  );
  if (text === undefined) throw new Undrawable("a pattern for which no text was found");
  return text;
}
