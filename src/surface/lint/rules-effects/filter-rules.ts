import { ownValue } from "../../../model/json.ts";
import type { LintRule } from "../lint-rule.ts";

/** What these dialects do with rows without a value when they negate is not known unless the author says it. */
const UNKNOWN_ON_NEGATION: ReadonlySet<string> = new Set(["json", "text", "params"]);

const negationLeftOut: LintRule = {
  code: "filter_negation_left_out",
  severity: "note",
  title: "A filter that cannot say not",
  why: "Without a word on rows that have no value, ne, not_in and none are not offered: an agent that wants `all but` must read everything.",
  *check({ curation, tools }) {
    for (const [name, tool] of tools) {
      const entry = ownValue(curation.content.tools, name)?.filter;
      if (entry === undefined || entry.hidden === true || entry.nullOnNegation !== undefined) continue;
      const words = entry.templates?.ops;
      const hasNot = words === undefined || (words.ne ?? words.not_in ?? null) !== null;
      if (!UNKNOWN_ON_NEGATION.has(entry.dialect) || !hasNot) continue;
      const missing = (tool.filter?.fields ?? []).filter(({ name: field, nullable, ops }) => {
        const own = ownValue(entry.fields ?? {}, field);
        const isUnsaid = own !== undefined && !("operation" in own) && own.ops === undefined;
        return isUnsaid && nullable && ops?.includes("eq") === true && !ops.includes("ne");
      });
      if (missing.length === 0) continue;
      const named = missing
        .slice(0, 3)
        .map(({ name: field }) => `\`${field}\``)
        .join(", ");
      const more = missing.length > 3 ? ` and ${missing.length - 3} more` : "";
      const message = `Nobody can filter by what is not: ${named}${more}.`;
      const hint = "Write `nullOnNegation: keep` or `drop`, or `nullable: false` at fields that always have a value.";
      yield { severity: "note", at: ["tools", name, "filter"], tool: name, message, hint };
    }
  },
};

/** Names whose values are no plain texts. */
const MOMENT = /(?:_at|At|_on|date|Date|_time|Time)$|^(?:created|updated|modified|expires)$/;
const NUMBER =
  /(?:^|_)(?:amount|count|price|total|size|quantity|duration|cost|age)$|(?:Amount|Count|Price|Total|Size|Quantity|Duration|Cost)$/;

const filterTypeUnsaid: LintRule = {
  code: "filter_type_unsaid",
  severity: "note",
  title: "A filter field that is taken for a text",
  why: "Without a type a field is a text: callers then write a moment or a number as they like, and the upstream compares letters.",
  *check({ curation, tools }) {
    for (const [name, tool] of tools) {
      const entry = ownValue(curation.content.tools, name)?.filter;
      if (entry === undefined || entry.dialect === "params") continue;
      for (const { name: field, type } of tool.filter?.fields ?? []) {
        const own = ownValue(entry.fields ?? {}, field);
        if (own === undefined || "operation" in own || own.type !== undefined || type !== "string") continue;
        const meant = MOMENT.test(field) ? "date-time" : NUMBER.test(field) ? "decimal" : undefined;
        if (meant === undefined) continue;
        const message = `\`${field}\` has no type and is taken for a text.`;
        const at = ["tools", name, "filter", "fields", field];
        yield {
          severity: "note",
          at,
          tool: name,
          message,
          hint: `Write \`type: ${meant}\`, or \`type: string\` where it is one.`,
        };
      }
    }
  },
};

export const FILTER_RULES: readonly LintRule[] = [negationLeftOut, filterTypeUnsaid];
