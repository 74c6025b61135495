import type { Json } from "../../model/json.ts";
import type { ValueType } from "../../model/value.ts";
import { exactDigits, lossless } from "../request/exact-number.ts";
import { type MatchPattern, startSteps } from "./match-pattern.ts";
import { readList, readMap, readObject } from "./read-container.ts";
import { readJson } from "./read-json.ts";
import { readMoment } from "./read-moment.ts";
import { readBoolean, readEnum, readInteger, readNumber, readText } from "./read-scalar.ts";
import type { Argument, Reading } from "./reading.ts";

export function startReading(matches: MatchPattern, pinnedInside: ReadonlySet<string>, textIsJson = false): Reading {
  const steps = startSteps();
  const reading: Reading = {
    faults: [],
    matches: (pattern, text) => matches(pattern, text, steps),
    pinnedInside,
    textIsJson,
    read: (type, raw, path) => readArgument(type, raw, path, reading),
  };
  return reading;
}

/**
 * Checks one value against its type, and coerces what clients send as text where only one meaning is possible. Undefined after a fault,
 * which then is in `reading.faults`.
 */
function readArgument(type: ValueType, given: Json, path: string, reading: Reading): Argument | undefined {
  const raw = settleNumber(type, given);
  if (raw === null && type.nullable) return { caller: null, wire: null };
  if (raw === "" && type.empty) return { caller: "", wire: "" };
  switch (type.kind) {
    case "string":
      return readText(type, raw, path, reading);
    case "integer":
      return readInteger(type, raw, path, reading);
    case "number":
      return readNumber(type, raw, path, reading);
    case "boolean":
      return readBoolean(raw, path, reading);
    case "enum":
      return readEnum(type, raw, path, reading);
    case "date":
    case "date-time":
      return readMoment(type.kind, raw, path, reading);
    case "array":
      return readList(type, raw, path, reading);
    case "object":
      return readObject(type, raw, path, reading);
    case "map":
      return readMap(type, raw, path, reading);
    case "json":
      return readJson(type, raw, path, reading);
    default:
      return type satisfies never;
  }
}

/** A number out of a JSON text as the type reads it: a text takes it as it was written, the others as the number that it is. */
function settleNumber({ kind }: ValueType, given: Json): Json {
  const digits = exactDigits(given);
  if (digits === undefined || kind === "json" || kind === "enum") return given;
  if (kind === "string") return digits;
  // To those which take no number, the digits are as little as the number.
  return lossless(digits) ?? (kind === "integer" || kind === "number" ? digits : Number(digits));
}
