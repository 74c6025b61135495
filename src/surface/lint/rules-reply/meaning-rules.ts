import { ownValue } from "../../../model/json.ts";
import type { LintRule } from "../lint-rule.ts";
import { columnsOf, typeOf } from "./reply-columns.ts";

/** Says which thing it is and not what it is. */
const OPAQUE = /(?:^|_)(?:ids?|uuids?|guid|key|hash|sha)$|[a-z](?:Ids?|IDs?|Uuids?|UUIDs?|Guid|GUID|Key|Hash)$/;
/** Says how a thing is, and not which. */
const FACTS: ReadonlySet<string> = new Set(["boolean", "integer", "number"]);
const MOMENT = /(?:_at|At|_on|date|Date|time|Time)$|^(?:created|updated|at)$/;

const idsWithoutNames: LintRule = {
  code: "ids_without_names",
  severity: "note",
  title: "Rows of identifiers alone",
  why: "Agents mistake identifiers that look alike; a name beside each makes them markedly more precise.",
  *check(subject) {
    for (const [name, tool] of subject.tools) {
      if (tool.shape.kind !== "list") continue;
      const columns = columnsOf(tool, subject);
      const opaque = columns.filter(({ name: one, path }) => OPAQUE.test(one) || OPAQUE.test(path.jmespath));
      const others = columns.filter((one) => !opaque.includes(one) && !MOMENT.test(one.name));
      const tells = others.some(({ schema }) => schema === undefined || !FACTS.has(typeOf(schema) ?? ""));
      if (opaque.length === 0 || tells) continue;
      const message = "The rows name things by identifiers alone, and nothing says what they are.";
      const hint = "Add a column with a name or title.";
      yield { severity: "note", at: ["tools", name, "result", "fields"], tool: name, message, hint };
    }
  },
};

const SPEAKS_OF_SUMS = /\b(?:add(?:ed|ing)?|sums?|totals?)\b/i;

const totalMissing: LintRule = {
  code: "total_missing",
  severity: "note",
  title: "Money without a total",
  why: "Agents add up the rows that they see, and what they see may be a part; they are also poor at adding.",
  *check({ curation, tools }) {
    const { instructions = "" } = curation.content.server;
    for (const [name, { shape, description }] of tools) {
      if (shape.kind !== "list" || shape.totals !== undefined || shape.group !== undefined) continue;
      const money = shape.fields?.find((field) => field.kind === "column" && field.unit !== undefined);
      const entry = ownValue(curation.content.tools, name);
      if (money?.kind !== "column" || SPEAKS_OF_SUMS.test(`${instructions} ${description} ${entry?.returns ?? ""}`))
        continue;
      const message = `\`${money.name}\` has a unit and no total: whoever wants one will add up the rows of one page.`;
      const hint = "Write `totals`, or say in `notFor` which tool gives sums.";
      yield { severity: "note", at: ["tools", name, "result", "fields", money.name], tool: name, message, hint };
    }
  },
};

const outputSchemaMissing: LintRule = {
  code: "output_schema_missing",
  severity: "note",
  title: "Replies without a schema",
  why: "ChatGPT's review warns of tools without an output schema, and programs that read replies cannot check them.",
  *check({ listed }) {
    if (listed.length === 0 || listed.some(({ outputSchema }) => outputSchema !== undefined)) return;
    const message = "No tool says in a schema what it returns.";
    const hint =
      "Take `structured: false` out; where a client needs it (LangChain's adapters), waive this with the client's name.";
    yield { severity: "note", at: ["server", "structured"], message, hint };
  },
};

export const MEANING_RULES: readonly LintRule[] = [idsWithoutNames, totalMissing, outputSchemaMissing];
