import { compareTexts } from "../../model/compare-texts.ts";
import type { Json } from "../../model/json.ts";
import type { Value } from "../../model/value.ts";
import type { ManifestPart } from "../manifest-format.ts";
import { shortDigest } from "./canonical.ts";
import { GIVEN, type Part, partText } from "./part-text.ts";
import { valueJson } from "./value-text.ts";

export type NamedPart = readonly [name: string, part: ManifestPart];

/** In the order of their names, as that in which they are made means nothing. */
export function partsByName(parts: readonly NamedPart[]): Readonly<Record<string, ManifestPart>> {
  return Object.fromEntries(parts.toSorted(([a], [b]) => compareTexts(a, b)));
}

/** A piece by its digest, in which inputs are numbers: those that it reads stand beside it, so that a new name alone makes no other piece. */
export function makePart(told: Json, more: Partial<Omit<Part, "digest">> = {}): ManifestPart {
  const inputs = [...(more.inputs ?? [])];
  const digest = shortDigest(numberInputs(told, inputs));
  return partText({ ...more, digest, inputs });
}

/** The inputs that a value reads. */
export function inputsOf(value: Value): readonly string[] {
  const inputs: string[] = [];
  numberInputs(valueJson(value), inputs);
  return inputs;
}

/** Whether a value is an input as it is given; `made` is then no more than that. */
export function makeValuePart(value: Value, made: Json): ManifestPart {
  const given = value.kind === "expression" ? /^(?:\$\.)?input\.([A-Za-z_]\w*)$/.exec(value.expression.jmespath) : null;
  if (given === null) return makePart([valueJson(value), made]);
  return partText({ digest: GIVEN, inputs: [given[1] ?? ""] });
}

const INPUT = /\binput\.("(?:[^"\\]|\\.)*"|[A-Za-z_]\w*)/g;

function numberInputs(told: Json, inputs: string[]): Json {
  if (typeof told === "string") return told.replace(INPUT, (_, name: string) => `input.${numberOf(name, inputs)}`);
  if (Array.isArray(told)) return told.map((one: Json) => numberInputs(one, inputs));
  if (typeof told !== "object" || told === null) return told;
  return Object.fromEntries(Object.entries(told).map(([key, one]) => [key, numberInputs(one, inputs)]));
}

function numberOf(written: string, inputs: string[]): number {
  const name = written.startsWith('"') ? written.slice(1, -1) : written;
  if (!inputs.includes(name)) inputs.push(name);
  return inputs.indexOf(name);
}
