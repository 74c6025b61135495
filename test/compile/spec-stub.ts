import { itemOf, listAlternatives, propertyNames } from "../../src/compile/expressions/list-alternatives.ts";
import { type Curation, CurationFile } from "../../src/curation/format.ts";
import type { Api, Operation, Response } from "../../src/model/api.ts";
import type { Schema } from "../../src/model/schema.ts";
import type { Input } from "../../src/model/tool.ts";
import type { ValueType } from "../../src/model/value.ts";

/** An Api of nothing but schemas: `$ref: Name` leads to the schema of that name. */
export function apiOf(schemas: Readonly<Record<string, Schema>>): Api {
  return {
    source: "spec.yaml",
    title: "Test",
    version: "1",
    files: [],
    problems: [],
    servers: [],
    securitySchemes: new Map(),
    index: [],
    find: () => undefined,
    subtypesOf: () => [],
    fetchPending: async () => false,
    read: () => ({ fault: "not here", pointer: "" }),
    resolve(schema) {
      const through: string[] = [];
      let at = schema;
      while (at.$ref !== undefined) {
        const target: Schema | undefined = schemas[at.$ref];
        if (target === undefined) return { fault: `No schema ${at.$ref}.`, pointer: at.$ref };
        through.push(at.$ref);
        const { $ref, ...siblings } = at;
        at = { ...target, ...siblings };
      }
      return { schema: at, through };
    },
  };
}

/** A curation whose positions spell the path in place of the file, so that a test sees where a finding stands. */
export function curationOf(tools: unknown, server: object = {}): Curation {
  const content = CurationFile.parse({
    vitrine: 1,
    api: { spec: "spec.yaml" },
    server: { name: "test", ...server },
    tools,
  });
  return {
    file: "test.yaml",
    content,
    leftOut: [],
    sha256: "",
    locate: (path) => ({ file: path.join("."), line: 1, column: 1 }),
  };
}

export function operationOf(responses: readonly Response[], method = "GET"): Operation {
  return {
    key: `${method} /things`,
    method,
    path: "/things",
    tags: [],
    deprecated: false,
    servers: [],
    parameters: [],
    responses,
    security: [],
  };
}

export function jsonResponse(schema: Schema, status = "200", mediaType = "application/json"): Response {
  return { status, description: "", content: [{ mediaType, schema, encoding: [] }] };
}

export function inputOf(name: string, type: ValueType, more: Partial<Input> = {}): Input {
  return { name, required: false, type, ...more };
}

/** A type in few letters: `string|null`, `[number]`, `{id,name}`, `any`. */
export function show(type: Schema, api: Api): string {
  const shown = listAlternatives(type, api).map((one) => {
    if (one.type === "array") return `[${show(itemOf(one), api)}]`;
    return one.type === "object" ? `{${propertyNames(one).join(",")}}` : one.type;
  });
  return [...new Set(shown)].sort().join("|");
}
