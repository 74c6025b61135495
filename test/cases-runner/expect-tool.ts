import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { isFault } from "../../src/model/api.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import { portableFaults } from "../compile/portable-faults.ts";
import { loadCase, type OpenCase } from "./open-case.ts";
import { type Case, type CaseArgs, honour } from "./read-case.ts";
import { anySchema, bodySchema, schemasIn, wireNames } from "./tool-schemas.ts";

export interface ToolContext {
  readonly opened: OpenCase;
  readonly given: Case;
}

export async function expectTool(expected: JsonObject, context: ToolContext): Promise<void> {
  // Whatever a case asks for: the portable subset, as every client reads it.
  expect(portableFaults(context.opened.tool.inputSchema)).toEqual([]);
  await honour(expected, CHECKS, context);
}

const whole = ({ opened }: ToolContext) => JSON.stringify(opened.tool);
const names = (context: ToolContext) => wireNames(context.opened).all;
const required = (context: ToolContext) => wireNames(context.opened).required;
const root = ({ opened }: ToolContext) => opened.tool.inputSchema as JsonObject;

function isAbsent(found: readonly string[], absent: readonly string[]): void {
  const folded = found.map((name) => name.toLowerCase());
  expect(absent.filter((name) => folded.includes(name.toLowerCase()))).toEqual([]);
}

/** What a client may send is sent: the call succeeds, and the upstream gets exactly that body (nulls of optional properties aside). */
async function accepts(bodies: readonly Json[], { opened, given }: ToolContext): Promise<void> {
  for (const body of bodies) {
    const { result, requests } = await opened.call({ ...given.args, body } as CaseArgs);
    expect([result.isError ?? false, requests.length], JSON.stringify(result.content)).toEqual([false, 1]);
    const text = requests[0]!.body.toString();
    expect(withoutNulls(text === "" ? {} : JSON.parse(text))).toEqual(withoutNulls(body));
  }
}

function withoutNulls(body: Json): Json {
  return isJsonObject(body) ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) : body;
}

function everySchema(context: ToolContext, isFine: (schema: JsonObject, path: string) => boolean): void {
  expect(schemasIn(root(context)).filter(({ schema, path }) => !isFine(schema, path))).toEqual([]);
}

const CHECKS: Readonly<Record<string, (value: never, context: ToolContext) => void | Promise<void>>> = {
  load_ok: (_: true, { opened }) => expect(opened.tool.name).toBe(opened.toolset.tools[0]!.name),
  load_ms_max: async (most: number, { given }) => {
    const start = performance.now();
    await loadCase(given);
    expect(performance.now() - start).toBeLessThan(most);
  },
  json_stringify_ok: (_: true, context) => expect(JSON.parse(whole(context))).toEqual(context.opened.tool),
  max_schema_bytes: (most: number, context) => expect(Buffer.byteLength(whole(context))).toBeLessThanOrEqual(most),
  input_has: (list: readonly string[], context) => expect(names(context)).toEqual(expect.arrayContaining([...list])),
  input_absent: (list: readonly string[], context) => isAbsent(names(context), list),
  required_has: (list: readonly string[], context) =>
    expect(required(context)).toEqual(expect.arrayContaining([...list])),
  required_absent: (list: readonly string[], context) => isAbsent(required(context), list),
  body_properties: (list: readonly string[], context) =>
    expect(wireNames(context.opened).body.toSorted()).toEqual(list.toSorted()),
  property_schema: (schemas: JsonObject, context) => {
    for (const [name, schema] of Object.entries(schemas))
      expect(anySchema(context.opened, name)).toMatchObject(schema as object);
  },
  body_schema: (schema: JsonObject, context) => expect(bodySchema(context.opened)).toMatchObject(schema),
  body_accepts: accepts,
  body_rejects: async (bodies: readonly Json[], { opened, given }) => {
    for (const body of bodies) {
      const { result, requests } = await opened.call({ ...given.args, body } as CaseArgs);
      expect([result.isError, requests], JSON.stringify(body)).toEqual([true, []]);
    }
  },
  accepts: async (list: readonly CaseArgs[], { opened }) => {
    for (const args of list) expect((await opened.call(args)).requests).toHaveLength(1);
  },
  accepts_arguments: async (list: readonly Json[], { opened }) => {
    for (const given of list) expect((await opened.callRaw(given)).requests, JSON.stringify(given)).toHaveLength(1);
  },
  must_not_contain: (list: readonly string[], context) => {
    for (const part of list) expect(whole(context)).not.toContain(part);
  },
  contains: (list: readonly string[], context) => {
    for (const part of list) expect(whole(context)).toContain(part);
  },
  mentions: (list: readonly string[], context) => {
    for (const part of list) expect(whole(context)).toContain(part);
  },
  root_absent: (list: readonly string[], context) => isAbsent(Object.keys(root(context)), list),
  root_type: (type: string, context) => expect(root(context)["type"]).toBe(type),
  input_schema_exact: (schema: JsonObject, context) => expect(root(context)).toEqual(schema),
  meta_schema_valid: (dialect: string, context) => {
    expect(dialect).toBe("2020-12");
    const engine = new Ajv2020({ strict: true, strictTypes: false });
    expect(engine.validateSchema(root(context)), JSON.stringify(engine.errors)).toBe(true);
    engine.compile(root(context));
  },
  no_type_arrays: (_: true, context) => everySchema(context, ({ type }) => typeof type === "string"),
  no_boolean_schemas: (_: true, context) => everySchema(context, isJsonObject),
  every_array_has_items: (_: true, context) =>
    everySchema(context, ({ type, items }) => type !== "array" || isJsonObject(items)),
  no_anyof_in_items: (_: true, context) =>
    everySchema(context, (schema, path) => !path.includes("items") || !("anyOf" in schema)),
  no_properties_on_non_object: (_: true, context) =>
    everySchema(context, ({ type, properties }) => type === "object" || !properties),
  no_type_plus_anyof: (_: true, context) => everySchema(context, (schema) => !("anyOf" in schema)),
  profile: (profile: string, context) => {
    expect(profile).toBe("gemini");
    everySchema(context, ({ enum: values }) => !Array.isArray(values) || (values.length > 0 && !values.includes("")));
  },
  output_schema: (what: string, { opened }) => {
    expect(what).toBe("absent, or {type: object} with no $ref");
    const { outputSchema } = opened.tool;
    if (outputSchema !== undefined)
      expect([outputSchema.type, JSON.stringify(outputSchema).includes("$ref")]).toEqual(["object", false]);
  },
  list_tools_parses_with: (sdk: string, { opened }) => {
    expect(sdk).toBe("@modelcontextprotocol/sdk");
    expect(ListToolsResultSchema.parse({ tools: [opened.tool] }).tools).toHaveLength(1);
    const engine = new Ajv2020({ strict: false });
    engine.compile(opened.tool.outputSchema ?? {});
  },
  description: (text: string, { opened }) => expect(opened.tool.description).toBe(text),
  property_key_pattern: (pattern: string, context) => {
    for (const { schema } of schemasIn(root(context)))
      for (const name of Object.keys((schema["properties"] ?? {}) as object)) expect(name).toMatch(new RegExp(pattern));
  },
  property_count: (count: number, context) =>
    expect(Object.keys(root(context)["properties"] as object)).toHaveLength(count),
  required_count: (count: number, context) => expect((root(context)["required"] ?? []) as object).toHaveLength(count),
  distinct_inputs: (count: number, context) => expect(new Set(wireNames(context.opened).leaves).size).toBe(count),
  stdout_clean: (_: true, { opened }) => expect(opened.reported).toEqual([]),
  json_type_of: (types: JsonObject, { opened }) => {
    expect(types).toEqual({ "info.version": "string" });
    expect(typeof opened.api.version).toBe("string");
    expect(readFileSync(join(opened.folder, "spec.yaml"), "utf8")).toContain(`version: ${opened.api.version}`);
  },
  response_keys: (keys: readonly string[], { opened, given }) => {
    const operation = opened.api.read(opened.api.find(given.operation!)!);
    expect(isFault(operation) ? operation : operation.responses.map(({ status }) => status)).toEqual(keys);
  },
};
