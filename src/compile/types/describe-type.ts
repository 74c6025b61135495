import { boundText } from "../../model/bound-text.ts";
import type { Bounds, ValueType } from "../../model/value.ts";
import { clipWords } from "../words/clip-words.ts";
import { isPlain } from "../words/plain-text.ts";

const LONGEST_PATTERN = 60;
const LONGEST_FORMAT = 60;
const LONGEST_TOLD = 1_000;

/** What clients that keep only types and descriptions would lose: limits, forms and formats in words, shortest first. */
export function describeType(type: ValueType, asked: boolean): string[] {
  const words = wordsOf(type);
  return [
    ...words,
    ...(type.empty === true ? ['May be "".'] : []),
    ...(type.nullable === true && asked ? ["May be null."] : []),
  ];
}

const FILE = "A file: a data URI (data:TYPE;name=FILE;base64,DATA) or plain text.";

function wordsOf(type: ValueType): string[] {
  switch (type.kind) {
    case "string":
      return [
        ...range(telling(type.minLength), tellable(type.maxLength), "character"),
        ...(type.file === true
          ? [FILE]
          : type.format === undefined
            ? []
            : [`Format: ${clipWords(type.format, LONGEST_FORMAT)}.`]),
        ...(isTold(type.pattern) ? [`Pattern: ${type.pattern}`] : []),
      ];
    case "integer":
      return [
        ...bounds(type.digits === true ? wordsOfBounds(type) : type),
        ...(type.digits === true ? ["Digits, as text."] : []),
      ];
    case "number":
      return bounds(type);
    case "date":
      return ["A date, YYYY-MM-DD."];
    case "date-time":
      return ["RFC 3339 date-time or date."];
    case "array":
      return [...range(type.minItems, type.maxItems, "item"), ...(type.uniqueItems === true ? ["No item twice."] : [])];
    case "map":
      return [
        isTold(type.names) ? `A list of key and value, keys by the pattern ${type.names}` : "A list of key and value.",
      ];
    case "json":
      return /\bas (JSON )?text\b/.test(type.description ?? "") ? [] : ["JSON as text."];
    case "object":
      if (type.others === undefined) return [];
      return [isTold(type.names) ? `Further names by the pattern ${type.names}` : "Further names may be given."];
    case "boolean":
    case "enum":
      return [];
    default:
      return type satisfies never;
  }
}

function isTold(pattern: string | undefined): boolean {
  return pattern !== undefined && pattern.length <= LONGEST_PATTERN && isPlain(pattern);
}

/** That a text must not be empty goes without saying. */
function telling(least: number | undefined): number | undefined {
  return least === 1 ? undefined : least;
}

/** Nobody writes that much by mistake, and the words would be paid for in every conversation. */
function tellable(most: number | undefined): number | undefined {
  return most === undefined || most > LONGEST_TOLD ? undefined : most;
}

/** Bounds as callers write such integers. */
function wordsOfBounds(type: Bounds): Told {
  const all = Object.entries(type).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return Object.fromEntries(all.map(([keyword, bound]) => [keyword, boundText(bound)]));
}

type Told = { readonly [K in keyof Bounds]?: number | string };

function bounds(type: Told): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = type;
  const isRange = minimum !== undefined && maximum !== undefined;
  return [
    ...(isRange ? [`${minimum} to ${maximum}.`] : []),
    ...(minimum !== undefined && !isRange ? [`At least ${minimum}.`] : []),
    ...(maximum !== undefined && !isRange ? [`At most ${maximum}.`] : []),
    ...(exclusiveMinimum === undefined ? [] : [`More than ${exclusiveMinimum}.`]),
    ...(exclusiveMaximum === undefined ? [] : [`Less than ${exclusiveMaximum}.`]),
    ...(multipleOf === undefined ? [] : [`A multiple of ${multipleOf}.`]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const count = (amount: number) => `${amount} ${unit}${amount === 1 ? "" : "s"}`;
  if (least !== undefined && most !== undefined)
    return [least === most ? `Exactly ${count(least)}.` : `${least} to ${count(most)}.`];
  if (most !== undefined) return [`At most ${count(most)}.`];
  return least === undefined ? [] : [`At least ${count(least)}.`];
}
