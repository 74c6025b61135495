import { isJsonObject, type Json } from "../model/json.ts";
import {
  type CurrentNode,
  type ExpressionFault,
  parseExpression,
  parseUnit,
  parseValue,
  ROOTS,
  type Roots,
} from "./expression.ts";
import type { Finding, Path } from "./finding.ts";
import { parsePlace, refuseHeader } from "./place.ts";

/** Looks at a part of the file, whatever its shape, for expressions and places; what has another shape is not its business. */
type Check = (value: Json, path: Path) => readonly Finding[];

/** Every expression and every place of the file that is wrong whatever the spec says. */
export function checkExpressions(file: Json): readonly Finding[] {
  return curation(file, []);
}

const keys =
  (table: Readonly<Record<string, Check>>): Check =>
  (value, path) =>
    isJsonObject(value)
      ? Object.entries(value).flatMap(([name, entry]) =>
          Object.hasOwn(table, name) ? table[name]!(entry, [...path, name]) : [],
        )
      : [];

/** Each item of a list, or each entry of a mapping. */
const each =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((item: Json, index) => check(item, [...path, index]))
      : isJsonObject(value)
        ? Object.entries(value).flatMap(([name, entry]) => check(entry, [...path, name]))
        : [];

const oneOrEach =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value) ? each(check)(value, path) : check(value, path);

const both =
  (...checks: readonly Check[]): Check =>
  (value, path) =>
    checks.flatMap((check) => check(value, path));

const value =
  (roots: Roots, current: CurrentNode = "roots"): Check =>
  (raw, path) =>
    found(parseValue(raw, roots, current).faults, path);

const expression =
  (roots: Roots, current: CurrentNode = "data"): Check =>
  (raw, path) =>
    typeof raw === "string" && raw !== "" ? found(parseExpression(raw, roots, current).faults, path) : [];

const unit =
  (roots: Roots, current: CurrentNode): Check =>
  (raw, path) =>
    typeof raw === "string" ? found(parseUnit(raw, roots, current).faults, path) : [];

function found(faults: readonly ExpressionFault[], path: Path): Finding[] {
  return faults.map(({ code, message, hint, path: inside }) => ({
    code,
    path: [...path, ...inside],
    at: "value",
    message,
    hint,
  }));
}

const place: Check = (raw, path) => (typeof raw === "string" ? badPlace(raw, path, "value") : []);

function badPlace(text: string, path: Path, at: Finding["at"]): Finding[] {
  const parsed = parsePlace(text);
  return "fault" in parsed ? [{ code: "bad_place", path, at, message: parsed.fault, hint: parsed.hint }] : [];
}

/** A map from places to values. */
const args =
  (roots: Roots): Check =>
  (raw, path) =>
    isJsonObject(raw)
      ? Object.entries(raw).flatMap(([name, entry]) => [
          ...badPlace(name, [...path, name], "key"),
          ...value(roots)(entry, [...path, name]),
        ])
      : [];

const headers: Check = (raw, path) =>
  isJsonObject(raw)
    ? Object.keys(raw).flatMap((name) => {
        const refused = refuseHeader(name);
        return refused
          ? [{ code: "bad_place", path: [...path, name], at: "key", message: refused.fault, hint: refused.hint }]
          : [];
      })
    : [];

const pages = (roots: Roots): Check =>
  oneOrEach(keys({ send: place, size: place, next: expression(roots), more: expression(roots) }));

const listing = (roots: Roots): Readonly<Record<string, Check>> => ({
  args: args(roots),
  rows: expression(roots),
  field: expression(roots),
  type: expression(roots),
});

const fields =
  (roots: Roots): Check =>
  (raw, path) =>
    each((entry, at) => {
      if (at.at(-1) === "...") return value(roots)(entry, at);
      return typeof entry === "string" ? expression(roots)(entry, at) : field(roots)(entry, at);
    })(raw, path);

const field = (roots: Roots): Check => keys({ path: expression(roots), unit: unit(roots, "data") });

/** `result.value` and everything below it. */
const template =
  (roots: Roots, current: CurrentNode): Check =>
  (raw, path) =>
    typeof raw === "string"
      ? expression(roots, current)(raw, path)
      : isJsonObject(raw)
        ? each(template(roots, current))(raw, path)
        : [];

/** `from` may be a field's own name: only a mapping with an operation lists fields. */
const filterField =
  (roots: Roots): Check =>
  (raw, path) =>
    isJsonObject(raw) && Object.hasOwn(raw, "operation")
      ? keys(listing(roots))(raw, path)
      : keys({ unit: unit(roots, "roots") })(raw, path);

const filter = (roots: Roots): Check => keys({ to: place, always: value(roots), fields: each(filterField(roots)) });

const result = (roots: Roots, body: CurrentNode): Check =>
  keys({
    rows: expression(roots, body),
    value: template(roots, body),
    fields: fields(roots),
    search: value(roots),
    order: each(keys({ when: expression(roots, "roots") })),
    group: keys({ by: oneOrEach(value(roots)) }),
    rest: each(keys({ args: value(roots), of: expression(roots, body) })),
    totals: keys({
      args: args(roots),
      value: expression(roots),
      unit: unit(roots, "data"),
      count: expression(roots),
      exactWhen: expression(roots),
      caveats: each(keys({ when: expression(roots) })),
    }),
  });

const callOf = (roots: Roots): Readonly<Record<string, Check>> => ({ args: args(roots), pages: pages(roots) });

const step: Check = (raw, path) => {
  const isLoop = isJsonObject(raw) && Object.hasOwn(raw, "forEach");
  return keys({
    ...callOf(isLoop ? ROOTS.item : ROOTS.step),
    value: expression(ROOTS.step, "roots"),
    when: expression(ROOTS.step, "roots"),
    forEach: expression(ROOTS.step, "roots"),
    all: keys({ rows: expression(ROOTS.step) }),
  })(raw, path);
};

const tool: Check = (raw, path) => {
  const isWorkflow = isJsonObject(raw) && Object.hasOwn(raw, "steps");
  const roots = isWorkflow ? ROOTS.step : ROOTS.call;
  return keys({
    ...callOf(ROOTS.call),
    input: each(keys({ unit: unit(ROOTS.call, "roots"), valuesFrom: keys(listing(ROOTS.call)) })),
    filter: filter(ROOTS.call),
    steps: each(step),
    result: result(roots, isWorkflow ? "roots" : "data"),
    errors: each(keys({ when: expression(roots) })),
    confirm: value(roots),
    suggest: each(keys({ args: value(ROOTS.item), when: expression(ROOTS.item) })),
  })(raw, path);
};

const pin: Check = (raw, path) =>
  isJsonObject(raw) ? keys({ value: value(ROOTS.pin), places: each(place) })(raw, path) : value(ROOTS.pin)(raw, path);

const alias = keys({ args: args(ROOTS.alias), to: value(ROOTS.alias), ids: expression(ROOTS.alias) });

const curation: Check = keys({
  api: keys({
    baseUrl: value(ROOTS.api),
    serverVariables: value(ROOTS.api),
    auth: value(ROOTS.api),
    headers: both(headers, value(ROOTS.api)),
    pages: pages([]),
    errors: each(expression([])),
    idempotencyKey: place,
  }),
  pins: each(pin),
  entities: each(keys({ aliases: each(alias) })),
  states: each(keys({ args: args(ROOTS.state), when: expression(ROOTS.state) })),
  tools: each(tool),
});
