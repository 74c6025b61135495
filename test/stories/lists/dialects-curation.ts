import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { offerOps } from "../../../src/filter/offer-ops.ts";
import type { FilterField, WrittenFilter } from "../../../src/model/filter.ts";
import type { Upstream } from "../../filter/dialects.ts";
import type { Asked } from "../../setup/sql-upstream.ts";

/** How a filter of each kind travels: in which place, and read back out of the request as the writer must have meant it. */
type Travels = "text" | "json" | "parameters" | "places";

const BY_JSON = ["elasticsearch", "mongo", "directus", "notion", "aws-cost-explorer", "hubspot", "json"];
const BY_PARAMETERS = ["django", "postgrest", "strapi", "json-api"];

export function travels({ target: { dialect } }: Upstream): Travels {
  if (BY_JSON.includes(dialect)) return "json";
  if (BY_PARAMETERS.includes(dialect)) return "parameters";
  return dialect === "params" ? "places" : "text";
}

export const toolOf = ({ title }: Upstream): string => `find_${title.replaceAll("-", "_")}`;

/** A tool without a filter of callers, whose input `text` is a condition on `code` that no caller sees. */
export const hiddenToolOf = (upstream: Upstream): string => `${toolOf(upstream)}_hidden`;

const ANSWER = {
  "200": {
    description: "Rows.",
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: { rows: { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } } },
        },
      },
    },
  },
};

/** A document with one operation a dialect, and a curation with one tool each. JSON is YAML. */
export function writeDialects(upstreams: readonly Upstream[]): string {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-dialects-"));
  const paths = Object.fromEntries(upstreams.map((one) => [`/${one.title}`, operationOf(one)]));
  const spec = { openapi: "3.1.0", info: { title: "Dialects", version: "1" }, paths };
  writeFileSync(join(folder, "dialects.json"), JSON.stringify(spec));
  const curation = {
    vitrine: 1,
    api: { spec: "./dialects.json", baseUrl: "${env.DIALECTS_URL}", retries: 0 },
    server: { name: "dialects" },
    tools: Object.fromEntries(
      upstreams.flatMap((one) => {
        const tool = curatedTool(one);
        const always = { code: "${input.text}" };
        const hidden = {
          ...tool,
          input: { text: { type: "string", required: true } },
          filter: { ...tool.filter, hidden: true, always },
        };
        return [
          [toolOf(one), tool],
          [hiddenToolOf(one), hidden],
        ];
      }),
    ),
  };
  writeFileSync(join(folder, "dialects.curation.yaml"), JSON.stringify(curation));
  return join(folder, "dialects.curation.yaml");
}

function operationOf(upstream: Upstream): object {
  const operationId = toolOf(upstream);
  const query = (name: string, more: object = { schema: { type: "string" } }) => ({ name, in: "query", ...more });
  switch (travels(upstream)) {
    case "text":
      return { get: { operationId, parameters: [query("q")], responses: ANSWER } };
    case "parameters":
      return { get: { operationId, responses: ANSWER } };
    case "places":
      return {
        get: {
          operationId,
          parameters: upstream.fields.map((field) => query(field.name, placeOf(field))),
          responses: ANSWER,
        },
      };
    case "json": {
      const schema = { type: "object", properties: { filter: { type: "object" } } };
      return { post: { operationId, requestBody: { content: { "application/json": { schema } } }, responses: ANSWER } };
    }
  }
}

function placeOf({ type, templates }: FilterField): object {
  if (type === "enum") return { schema: { type: "array", items: { type: "string" } }, style: "form", explode: true };
  if (type === "integer" || type === "date-time")
    return { schema: { type: "object", additionalProperties: { type: "string" } }, style: "deepObject", explode: true };
  return templates?.in === undefined
    ? { schema: { type: "string" } }
    : { schema: { type: "array", items: { type: "string" } }, style: "form", explode: true };
}

function curatedTool(upstream: Upstream) {
  const { target, fields } = upstream;
  const { dialect, ...said } = target;
  const kind = travels(upstream);
  return {
    operation: toolOf(upstream),
    use: `Find rows in ${upstream.title}.`,
    ...(kind === "json" && { effect: "read" }),
    filter: {
      dialect,
      ...(kind === "text" && { to: "query.q" }),
      ...(kind === "json" && { to: "body/filter" }),
      ...said,
      fields: Object.fromEntries(
        fields.flatMap((field) => {
          const ops = offerOps(field, target);
          return ops.length === 0 ? [] : [[field.name, curatedField(field, ops)] as const];
        }),
      ),
      depth: 2,
    },
    result: { rows: "rows", fields: { id: "id" }, limit: { default: 1000, max: 1000 } },
  };
}

const curatedField = ({ type, to, nullable, values, templates }: FilterField, ops: readonly string[]): object => ({
  type: type === "enum" ? values?.map(({ text }) => text) : type,
  to,
  ...(!nullable && { nullable }),
  ...(templates && { ops: Object.fromEntries(Object.entries(templates).filter(([op]) => ops.includes(op))) }),
});

/** The filter as it arrived, undefined where none did. */
export function arrived(upstream: Upstream, { url, body }: Asked): WrittenFilter | undefined {
  const parameters = [...url.searchParams];
  switch (travels(upstream)) {
    case "text": {
      const text = url.searchParams.get("q");
      return text === null ? undefined : { kind: "text", text };
    }
    case "json": {
      const value = (body as { filter?: unknown } | undefined)?.filter;
      return value === undefined
        ? undefined
        : { kind: "json", value: value as Extract<WrittenFilter, { kind: "json" }>["value"] };
    }
    case "parameters":
      return parameters.length === 0 ? undefined : { kind: "parameters", parameters };
    case "places":
      return parameters.length === 0 ? undefined : { kind: "places", values: placesOf(upstream, parameters) };
  }
}

type Places = Extract<WrittenFilter, { kind: "places" }>["values"];

function placesOf({ fields }: Upstream, parameters: readonly [string, string][]): Places {
  return fields.flatMap(({ name, to }): Places => {
    const plain = parameters.filter(([key]) => key === name).map(([, value]) => value);
    const inner = parameters.flatMap(([key, value]) => {
      const found = new RegExp(`^${name}\\[(\\w+)\\]$`).exec(key)?.[1];
      return found === undefined ? [] : [[found, value] as const];
    });
    if (inner.length > 0) return [{ to, value: Object.fromEntries(inner) }];
    if (plain.length === 0) return [];
    return [{ to, value: plain.length === 1 ? plain[0]! : plain }];
  });
}
