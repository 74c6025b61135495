import type { Call } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import type { Field, Group, OrderRule, Shape, Totals } from "../../model/shape.ts";
import type { Conduct, ManifestField } from "../manifest-format.ts";
import { formText, valueJson, valueText } from "./value-text.ts";

type Told = Pick<Conduct, "limit" | "budget" | "fields" | "order" | "totals" | "group" | "all" | "text">;

/** What a caller feels of how a reply is made. */
export function describeReply(shape: Shape, keyOf: (call: Call) => string): Told {
  const { budget, text } = shape;
  const told = { budget, ...(text !== undefined && { text }) };
  if (shape.kind === "value") return told;
  const fields = describeFields(shape.fields ?? []);
  const columns = Object.keys(fields).length === 0 ? {} : { fields };
  if (shape.kind === "object") return { ...told, ...columns };
  const { limit, order, totals, group, all } = shape;
  return {
    ...told,
    ...columns,
    ...(limit !== undefined && { limit }),
    ...(order !== undefined && { order: order.map(orderText) }),
    ...(totals !== undefined && { totals: describeTotals(totals, keyOf) }),
    ...(group !== undefined && { group: describeGroup(group) }),
    ...(all !== undefined && { all: all.max }),
  };
}

function describeFields(fields: readonly Field[]): Readonly<Record<string, ManifestField>> {
  const described = fields.flatMap((field): [string, ManifestField][] => {
    if (field.kind === "columns") return [];
    const { name, form, unit, clip, round } = field;
    const one = {
      // The unit of minor ones stands by itself.
      ...(form !== undefined && { form: unit === undefined ? formText(form) : form.as }),
      ...(unit !== undefined && { unit: valueText(unit) }),
      ...(clip !== undefined && { clip }),
      ...(round !== undefined && { round }),
    };
    return Object.keys(one).length === 0 ? [] : [[name, one]];
  });
  return Object.fromEntries(described);
}

function orderText({ when, by }: OrderRule): string {
  const columns = by.map(({ column, descending }) => `${descending ? "-" : ""}${column}`).join(", ");
  return when === undefined ? columns : `${columns} when ${when.jmespath}`;
}

function describeGroup({ by, sum, count, maxPages }: Group): Json {
  return {
    by: by.map((one) => (typeof one === "string" ? one : valueText(one))),
    sum,
    ...(count !== undefined && { count }),
    maxPages,
  };
}

function describeTotals(totals: Totals, keyOf: (call: Call) => string): Json {
  if (totals.kind === "count") {
    const { kind, count, exactWhen } = totals;
    return { kind, count: count.jmespath, ...(exactWhen !== undefined && { exactWhen: exactWhen.jmespath }) };
  }
  const { kind, measure, unit, additive } = totals;
  const caveats = totals.caveats.map(({ when, code, note }) => ({
    code,
    note,
    ...(when !== undefined && { when: when.jmespath }),
  }));
  const common = { kind, measure, additive, caveats, ...(unit !== undefined && { unit: valueJson(unit) }) };
  return totals.kind === "walk"
    ? { ...common, maxPages: totals.maxPages }
    : { ...common, operation: keyOf(totals.call), value: totals.value.jmespath };
}
