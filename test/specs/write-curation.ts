import { type Api, isFault, type MediaType, type Operation } from "../../src/model/api.ts";
import type { Schema } from "../../src/model/schema.ts";

/** One tool of the generated curation: an operation with everything that a caller can say to it. */
export interface WholeTool {
  readonly name: string;
  readonly operation: Operation;
  readonly inputs: WholeInput[];
}

export interface WholeInput {
  readonly name: string;
  /** As the curation writes it. */
  readonly place: string;
  /** What is sent there. */
  readonly part:
    | { readonly kind: "parameter"; readonly at: number }
    | { readonly kind: "body"; readonly property?: string };
  /** Set where the spec leaves a union and the author has to choose. */
  type?: "json";
}

/** One tool an operation, under short unique names: every parameter, and the body whole or (every other operation) by its properties. */
export function wholeTool(operation: Operation, at: number, body: MediaType | undefined, api: Api): WholeTool {
  const taken = new Set<string>(["limit", "pageToken", "filter", "confirm"]);
  const inputs = operation.parameters.map((one, index): WholeInput => {
    const place = one.in === "querystring" ? "querystring" : `${one.in}.${escapePart(one.name)}`;
    return { name: freeName(one.name, taken), place, part: { kind: "parameter", at: index } };
  });
  const properties = body?.schema !== undefined && at % 2 === 1 ? plainProperties(body.schema, api) : undefined;
  if (properties !== undefined)
    for (const property of properties)
      inputs.push({
        name: freeName(property, taken),
        place: `body/${escapePart(property)}`,
        part: { kind: "body", property },
      });
  else if (operation.body !== undefined)
    inputs.push({ name: freeName("body", taken), place: "body", part: { kind: "body" } });
  return { name: `op_${at + 1}`, operation, inputs };
}

/** The settable properties of a body that is an object and nothing else; undefined where the body has to be given whole. */
function plainProperties(schema: Schema, api: Api): string[] | undefined {
  const resolved = api.resolve(schema);
  if (isFault(resolved)) return undefined;
  const { schema: own } = resolved;
  const isPlain =
    own.type === "object" && own.oneOf === undefined && own.anyOf === undefined && own.allOf === undefined;
  if (!isPlain || own.additionalProperties !== undefined || own.discriminator !== undefined) return undefined;
  const properties = Object.entries(own.properties ?? {}).filter(([name, inner]) => {
    const one = api.resolve(inner);
    return name !== "" && !isFault(one) && one.schema.readOnly !== true;
  });
  const names = new Set([
    ...properties.map(([name]) => name),
    ...(own.required ?? []).filter((name) => !Object.hasOwn(own.properties ?? {}, name)),
  ]);
  return properties.length > 0 && names.size <= 60 ? [...names] : undefined;
}

function freeName(text: string, taken: Set<string>): string {
  const folded =
    text
      .replace(/[^A-Za-z0-9]+/g, "_")
      .replace(/^[^A-Za-z]+/, "")
      .slice(0, 50) || "value";
  let name = folded;
  for (let count = 2; taken.has(name); count += 1) name = `${folded}_${count}`;
  taken.add(name);
  return name;
}

function escapePart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export interface WrittenCuration {
  readonly text: string;
  /** By line, from 1: what stands there. */
  readonly lines: ReadonlyMap<number, { readonly tool: WholeTool; readonly input?: WholeInput }>;
}

/** The curation as YAML, one thing a line, so that a finding's line names what it is about. */
export function writeCuration(tools: readonly WholeTool[], baseUrl: string): WrittenCuration {
  const text = [
    "vitrine: 1",
    `api: {spec: spec.json, baseUrl: ${JSON.stringify(baseUrl)}, retries: 0}`,
    "server: {name: specs, writes: true}",
    "tools:",
  ];
  const lines = new Map<number, { tool: WholeTool; input?: WholeInput }>();
  const add = (line: string, what: { tool: WholeTool; input?: WholeInput }) => {
    text.push(line);
    lines.set(text.length, what);
  };
  for (const tool of tools) {
    add(`  ${tool.name}:`, { tool });
    add(`    operation: ${JSON.stringify(tool.operation.key)}`, { tool });
    add("    use: Calls the operation with everything it takes.", { tool });
    if (tool.inputs.length === 0) continue;
    add("    input:", { tool });
    for (const input of tool.inputs)
      add(`      ${input.name}: {${input.type === undefined ? "" : `type: ${input.type}`}}`, { tool, input });
    add("    args:", { tool });
    for (const input of tool.inputs)
      add(`      ${JSON.stringify(input.place)}: ${JSON.stringify(`\${input.${input.name}}`)}`, { tool, input });
  }
  return { text: `${text.join("\n")}\n`, lines };
}
