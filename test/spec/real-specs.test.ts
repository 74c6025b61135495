import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type Api, isFault, type MediaType } from "../../src/model/api.ts";
import type { Schema } from "../../src/model/schema.ts";
import { loadApi } from "../../src/spec/load-api.ts";

const SPECS = resolve(import.meta.dirname, "../../../shared/specs");
const isHere = existsSync(SPECS);
if (!isHere) process.stderr.write(`\nSKIPPED: the real specs are not at ${SPECS}.\n`);

/** References behind an operation that lead nowhere. */
const DANGLING: Readonly<Record<string, readonly string[]>> = {
  square: ["#/components/schemas/CatalogModifierToggleOverrideType"],
};

interface Listed {
  readonly name: string;
  readonly file: string;
  readonly operations: number;
}

function listSpecs(): Listed[] {
  if (!isHere) return [];
  const rows = readFileSync(resolve(SPECS, "SOURCES.md"), "utf8").matchAll(
    /^\| ([\w.-]+) \| (\S+\/\S+\.(?:json|yaml)) \|(?:[^|]*\|){6} (\d+) \|/gm,
  );
  return [...rows].map(([, name = "", file = "", operations]) => ({ name, file, operations: Number(operations) }));
}

/** Every schema that an operation reaches, each once; gives the references that lead nowhere. */
function walkSchemas(api: Api): { schemas: number; dangling: Set<string> } {
  const seen = new Set<Schema>();
  const dangling = new Set<string>();
  const open: Schema[] = api.index.flatMap((entry) => {
    const operation = api.read(entry);
    if (isFault(operation)) return [];
    const media: MediaType[] = [operation.body, ...operation.responses].flatMap((part) => part?.content ?? []);
    return [...operation.parameters.map(({ schema }) => schema), ...media.flatMap(({ schema }) => schema ?? [])];
  });
  const byRef = new Map<string, Schema | undefined>();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (schema.$ref !== undefined) {
      if (!byRef.has(schema.$ref)) {
        const resolved = api.resolve(schema);
        byRef.set(schema.$ref, isFault(resolved) ? undefined : resolved.schema);
        if (isFault(resolved)) dangling.add(schema.$ref);
      }
      schema = byRef.get(schema.$ref) ?? {};
    }
    if (seen.has(schema)) continue;
    seen.add(schema);
    const {
      items,
      additionalProperties,
      not,
      properties = {},
      patternProperties = {},
      allOf = [],
      anyOf = [],
      oneOf = [],
      prefixItems = [],
    } = schema;
    const children = [
      items,
      additionalProperties,
      not,
      ...Object.values(properties),
      ...Object.values(patternProperties),
      ...allOf,
      ...anyOf,
      ...oneOf,
      ...prefixItems,
    ];
    open.push(...children.filter((child) => child !== undefined));
  }
  return { schemas: seen.size, dangling };
}

describe.skipIf(!isHere)("specs in daily use", () => {
  test("all 29 are listed", () => {
    expect(listSpecs()).toHaveLength(29);
  });

  test.each(listSpecs())("$name: every operation is read", async ({ name, file, operations }) => {
    const started = performance.now();
    const api = await loadApi(resolve(SPECS, file), {});
    const loaded = performance.now();
    const broken = api.index.filter((entry) => isFault(api.read(entry)));
    const read = performance.now();
    const { schemas, dangling } = walkSchemas(api);
    const ms = (from: number, to: number) => `${Math.round(to - from)} ms`;
    process.stderr.write(
      `${name}: ${api.index.length} operations, ${broken.length} broken; load ${ms(started, loaded)}, read all ${ms(loaded, read)}, ${schemas} schemas ${ms(read, performance.now())}\n`,
    );
    expect(api.index).toHaveLength(operations);
    expect(broken).toEqual([]);
    expect([...dangling]).toEqual(DANGLING[name] ?? []);
    expect(new Set(api.index.map((entry) => entry.key)).size).toBe(api.index.length);
  });

  test("the YAML with merge keys that PowerDNS publishes says what its JSON says", async () => {
    const [json, yaml] = await Promise.all(
      ["json", "yaml"].map((ext) => loadApi(resolve(SPECS, `powerdns-auth-2.0/pdns-oas.${ext}`), {})),
    );
    const read = (api: Api | undefined) => new Map(api?.index.map((entry) => [entry.key, api.read(entry)]));
    expect(read(yaml)).toEqual(read(json));
    expect(yaml?.servers).toEqual([{ url: "/api/v1", variables: [] }]);
  });
});
