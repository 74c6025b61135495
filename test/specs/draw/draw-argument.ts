import type { Json } from "../../../src/model/json.ts";
import type { Bounds, ValueType } from "../../../src/model/value.ts";
import type { Dice } from "./dice.ts";
import { drawText, type TextPlace } from "./draw-text.ts";
import { Undrawable } from "./gather-parts.ts";

export interface ArgumentDrawing {
  readonly dice: Dice;
  readonly place: TextPlace;
  left: number;
}

/** What a caller could write who knows nothing but the tool's own types: what must be there and a random half of the rest. */
export function drawArgument(type: ValueType, drawing: ArgumentDrawing, depth = 0): Json {
  const { dice, place } = drawing;
  drawing.left -= 1;
  switch (type.kind) {
    case "string": {
      const { format, pattern, minLength = place === "path" ? 1 : 0, maxLength = Number.POSITIVE_INFINITY } = type;
      const text = drawText(
        { format, patterns: pattern === undefined ? [] : [pattern], minLength, maxLength },
        place,
        dice,
      );
      if (text === undefined) throw new Undrawable("a pattern for which no text was found");
      return text;
    }
    case "integer": {
      const drawn = drawNumber(type, Math.max(1, type.multipleOf ?? 1), dice);
      return type.digits === true ? String(drawn) : drawn;
    }
    case "number":
      return drawNumber(type, type.multipleOf ?? 0.5, dice);
    case "boolean":
      return dice.chance(0.5);
    case "enum":
      return dice.pick(type.values).text;
    case "date":
      return "2026-03-14";
    case "date-time":
      return dice.pick(["2026-03-14T09:26:53Z", "2026-12-31T23:59:59.123+02:00"]);
    case "array":
      return drawList(type, drawing, depth);
    case "object": {
      const isSpare = () => drawing.left > 0 && depth < 5 && dice.chance(0.5);
      const wanted = type.properties.filter((property) => property.required || isSpare());
      return Object.fromEntries(
        wanted.flatMap((property): [string, Json][] => {
          try {
            return [[property.name, drawArgument(property.type, drawing, depth + 1)]];
          } catch (error) {
            if (property.required || !(error instanceof Undrawable)) throw error;
            return [];
          }
        }),
      );
    }
    case "map":
      return Array.from({ length: dice.roll(3) }, (_, at) => ({
        key: `key_${at + 1}`,
        value: drawArgument(type.values, drawing, depth + 1),
      }));
    case "json":
      throw new Undrawable("JSON of which the type says nothing");
    default:
      return type satisfies never;
  }
}

function drawList(type: Extract<ValueType, { kind: "array" }>, drawing: ArgumentDrawing, depth: number): Json {
  const { minItems = 0, maxItems = minItems + 2 } = type;
  const wanted = Math.max(minItems, Math.min(maxItems, drawing.left > 0 ? 1 + drawing.dice.roll(2) : 0));
  const drawn: Json[] = [];
  for (let tries = 0; drawn.length < wanted && tries < wanted * 4; tries += 1) {
    const item = drawArgument(type.items, drawing, depth + 1);
    if (type.uniqueItems !== true || !drawn.some((one) => JSON.stringify(one) === JSON.stringify(item)))
      drawn.push(item);
  }
  return drawn;
}

function drawNumber(bounds: Bounds, step: number, dice: Dice): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  const least = Math.max(
    minimum ?? Number.NEGATIVE_INFINITY,
    exclusiveMinimum === undefined ? Number.NEGATIVE_INFINITY : exclusiveMinimum + step,
  );
  const most = Math.min(
    maximum ?? Number.POSITIVE_INFINITY,
    exclusiveMaximum === undefined ? Number.POSITIVE_INFINITY : exclusiveMaximum - step,
  );
  const from = least > -Number.MAX_SAFE_INTEGER ? least : Math.min(most, 1);
  const lowest = Math.ceil(from / step);
  const highest = Math.max(lowest, Math.floor(Math.min(most, from + 100 * step) / step));
  return Number(((lowest + dice.roll(highest - lowest + 1)) * step).toPrecision(12));
}
