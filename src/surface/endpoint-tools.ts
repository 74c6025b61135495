import { type Api, isFault, type Operation } from "../model/api.ts";
import type { Json } from "../model/json.ts";
import type { Schema } from "../model/schema.ts";
import { ENCODINGS, type Encoding, openEncodings, type Tokens } from "./measure-cost.ts";

/** A tool as a converter makes it of one operation: its words and its request as the spec has them. */
export interface EndpointTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

/** What converting asks of an API. */
export type Operations = Pick<Api, "index" | "read" | "resolve">;

/** Beyond this a request is cut: it costs more than is counted here. */
const MOST_NODES = 4_000;

/**
 * One tool for each operation that can be read: what an agent would be shown without a curation. References are resolved, recursion is cut, and
 * answers are left out, so that no converter shows less.
 */
export function* endpointTools(api: Operations): Iterable<EndpointTool> {
  for (const entry of api.index) {
    const operation = api.read(entry);
    if (isFault(operation)) continue;
    const { id, key, summary, description } = operation;
    yield {
      name: id ?? key,
      description: [summary, description].filter((text) => text !== undefined && text !== "").join("\n\n"),
      inputSchema: inputOf(operation, api),
    };
  }
}

function inputOf({ parameters, body }: Operation, api: Operations): Json {
  const inline = openInliner(api);
  const named = parameters.map(({ name, description, schema }) => {
    const shown = inline(schema, new Set());
    const isBare = description === undefined || typeof shown !== "object" || shown === null;
    return [name, isBare ? shown : { description, ...shown }] as const;
  });
  const content = body?.content[0]?.schema;
  const required = [
    ...parameters.flatMap((one) => (one.required ? [one.name] : [])),
    ...(body?.required === true && content !== undefined ? ["body"] : []),
  ];
  const properties = Object.fromEntries([
    ...named,
    ...(content === undefined ? [] : [["body", inline(content, new Set())] as const]),
  ]);
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** Writes schemas without references, one after the other within one bound. */
function openInliner(api: Operations): (schema: Json | Schema, open: ReadonlySet<string>) => Json {
  let left = MOST_NODES;
  const inline = (node: Json | Schema, open: ReadonlySet<string>): Json => {
    if (typeof node !== "object" || node === null) return node;
    left -= 1;
    if (left < 0) return {};
    if (Array.isArray(node)) return node.map((one: Json) => inline(one, open));
    const { $ref } = node as Schema;
    if (typeof $ref !== "string") {
      const entries = Object.entries(node as Record<string, Json>).filter(([name]) => !name.startsWith("x-"));
      return Object.fromEntries(entries.map(([name, one]) => [name, inline(one, open)]));
    }
    const target = open.has($ref) ? undefined : api.resolve(node as Schema);
    return target === undefined || isFault(target) ? {} : inline(target.schema, new Set([...open, $ref]));
  };
  return inline;
}

export interface EndpointCost {
  readonly operations: number;
  readonly bytes: number;
  readonly tokens: Tokens;
  /** The spec is so large that not all of its operations were counted. */
  readonly atLeast: boolean;
}

/** Characters. */
const MOST_COUNTED = 8_000_000;

/** What the list of these tools would cost an agent. */
export async function measureEndpoints(api: Api): Promise<EndpointCost> {
  const tokensOf = await openEncodings();
  const tokens = Object.fromEntries(ENCODINGS.map((name) => [name, 0])) as Record<Encoding, number>;
  let [bytes, counted] = [0, 0];
  for (const tool of endpointTools(api)) {
    if (bytes > MOST_COUNTED) return { operations: api.index.length, bytes, tokens, atLeast: true };
    const text = JSON.stringify(tool);
    const own = tokensOf(text);
    for (const name of ENCODINGS) tokens[name] += own[name];
    bytes += Buffer.byteLength(text);
    counted += 1;
  }
  return { operations: counted, bytes, tokens, atLeast: false };
}
