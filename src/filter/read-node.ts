import { type Condition, FILTER_OPS, type FilterField, type FilterOp, type Literal } from "../model/filter.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { nearestNames } from "../model/nearest.ts";
import { type FilterFault, refuse } from "./filter-fault.ts";
import { type Convert, readValue } from "./read-value.ts";

/** A reading under way: what is wrong is gathered, so that the caller learns all of it at once. */
export interface Reading {
  readonly fields: ReadonlyMap<string, FilterField>;
  readonly depth: number;
  readonly convert: Convert | undefined;
  readonly faults: FilterFault[];
  leaves: number;
}

const MOST_CONDITIONS = 10;
const MOST_VALUES = 100;
const MOST_ECHOED = 30;
const OF_SINGLE = ["field", "op", "value", "values"];
const OF_COMPOSITE = ["match", "conditions"];
const MATCHES = ["all", "any", "none"] as const;

/** One node of a caller's filter, a condition or a group; undefined where something was wrong. `level` counts the groups around it. */
export function readNode(raw: Json, path: string, level: number, reading: Reading): Condition | undefined {
  if (!isJsonObject(raw)) return refuse(reading.faults, path, "an object with `kind`", { got: raw });
  const node = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
  const kind = kindOf(node);
  if (kind === undefined) {
    const mustBe = "`single` (with field, op and value or values) or `composite` (with match and conditions)";
    return refuse(reading.faults, `${path}.kind`, mustBe, {
      got: node["kind"] ?? null,
      allowed: ["single", "composite"],
    });
  }
  const known = ["kind", ...(kind === "single" ? OF_SINGLE : OF_COMPOSITE)];
  const stray = Object.keys(node).filter((key) => !known.includes(key));
  for (const key of stray) {
    const message = `\`${path}.${key.slice(0, 64)}\` has no meaning in a ${kind} condition, which has ${known.join(", ")}.`;
    reading.faults.push({ code: "invalid_arguments", path: `${path}.${key.slice(0, 64)}`, message });
  }
  const condition = kind === "single" ? readSingle(node, path, reading) : readComposite(node, path, level, reading);
  return stray.length > 0 ? undefined : condition;
}

function kindOf(node: JsonObject): "single" | "composite" | undefined {
  const kind = node["kind"];
  if (kind === "single" || kind === "composite") return kind;
  if (kind !== undefined) return undefined;
  const isSingle = OF_SINGLE.some((key) => Object.hasOwn(node, key));
  const isComposite = OF_COMPOSITE.some((key) => Object.hasOwn(node, key));
  return isSingle === isComposite ? undefined : isSingle ? "single" : "composite";
}

function readComposite(node: JsonObject, path: string, level: number, reading: Reading): Condition | undefined {
  const { depth } = reading;
  if (level >= depth) {
    const allowed =
      depth === 0
        ? "one condition alone (`kind: single`)"
        : `a single condition: groups are nested ${depth} deep at most`;
    return refuse(reading.faults, path, allowed);
  }
  const match = MATCHES.find((one) => one === node["match"]);
  if (match === undefined)
    refuse(reading.faults, `${path}.match`, "all, any or none", { got: node["match"] ?? null, allowed: MATCHES });
  const list = node["conditions"];
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_CONDITIONS) {
    return refuse(reading.faults, `${path}.conditions`, `a list of 1 to ${MOST_CONDITIONS} conditions`, {
      ...(Array.isArray(list) ? { got: list.length } : list !== undefined && { got: list }),
    });
  }
  const parts = list.map((part: Json, index) => readNode(part, `${path}.conditions[${index}]`, level + 1, reading));
  const conditions = parts.filter((part) => part !== undefined);
  if (match === undefined || conditions.length < parts.length) return undefined;
  return { kind: "group", match, conditions, path };
}

function readSingle(node: JsonObject, path: string, reading: Reading): Condition | undefined {
  reading.leaves += 1;
  const field = readField(node["field"], `${path}.field`, reading);
  const op = readOp(node["op"], `${path}.op`, field, reading);
  if (op === undefined || field === undefined) return undefined;
  switch (op) {
    case "is_null":
    case "is_not_null":
      if (!takesOnly(node, [], op, path, reading)) return undefined;
      return { kind: "null", op, field, path };
    case "in":
    case "not_in": {
      if (!takesOnly(node, ["values"], op, path, reading)) return undefined;
      const values = readValues(node["values"], field, `${path}.values`, reading);
      return values && { kind: "member", op, field, values, path };
    }
    default: {
      if (!takesOnly(node, ["value"], op, path, reading)) return undefined;
      const value = readValue(node["value"] as Json, field, `${path}.value`, reading);
      return value && { kind: "compare", op, field, value, path };
    }
  }
}

function readField(raw: Json | undefined, path: string, reading: Reading): FilterField | undefined {
  const { fields } = reading;
  if (typeof raw !== "string") return refuse(reading.faults, path, "the name of a field", { got: raw ?? null });
  const field = fields.get(raw);
  if (field) return field;
  const nearest = nearestNames(raw, fields.keys());
  reading.faults.push({
    code: "unknown_fields",
    path,
    got: raw,
    message: `There is no field \`${raw.slice(0, 64)}\` to filter by.`,
    allowed: [...fields.keys()].slice(0, MOST_ECHOED),
    ...(nearest.length > 0 && { nearest }),
  });
  return undefined;
}

function readOp(
  raw: Json | undefined,
  path: string,
  field: FilterField | undefined,
  reading: Reading,
): FilterOp | undefined {
  const allowed = field?.ops ?? FILTER_OPS;
  const op = FILTER_OPS.find((one) => one === raw);
  if (op === undefined) {
    const nearest = typeof raw === "string" ? nearestNames(raw, allowed) : [];
    return refuse(reading.faults, path, `one of ${allowed.join(", ")}`, {
      got: raw ?? null,
      allowed,
      ...(nearest.length > 0 && { nearest }),
    });
  }
  if (allowed.includes(op)) return op;
  const message = `The field \`${field?.name}\` cannot be filtered by \`${op}\`; it has ${allowed.join(", ")}.`;
  reading.faults.push({ code: "filter_not_expressible", path, got: op, allowed, message });
  return undefined;
}

/** `value` and `values` belong to operators: what is missing or too much is refused, never guessed. */
function takesOnly(node: JsonObject, wanted: readonly string[], op: FilterOp, path: string, reading: Reading): boolean {
  const before = reading.faults.length;
  for (const key of ["value", "values"]) {
    if (Object.hasOwn(node, key) === wanted.includes(key)) continue;
    const takes = wanted.length === 0 ? "neither value nor values" : `\`${wanted[0]}\`, not \`${key}\``;
    const message = wanted.includes(key)
      ? `\`${path}.${key}\` is needed with \`op: ${op}\`.`
      : `\`op: ${op}\` takes ${takes} (\`${path}.${key}\`).`;
    reading.faults.push({ code: "invalid_arguments", path: `${path}.${key}`, message });
  }
  return reading.faults.length === before;
}

function readValues(
  raw: Json | undefined,
  field: FilterField,
  path: string,
  reading: Reading,
): readonly Literal[] | undefined {
  if (!Array.isArray(raw) || raw.length === 0 || raw.length > MOST_VALUES) {
    const got = Array.isArray(raw) ? raw.length : (raw ?? null);
    return refuse(reading.faults, path, `a list of 1 to ${MOST_VALUES} values`, { got });
  }
  const values = raw.map((one: Json, index) => readValue(one, field, `${path}[${index}]`, reading));
  const read = values.filter((value) => value !== undefined);
  return read.length < values.length ? undefined : read;
}
