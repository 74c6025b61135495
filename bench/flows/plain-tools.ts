import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import type { Answer, Server } from "./server.ts";

// What generators make of a spec: one tool an endpoint, its parameters as arguments, the body as it comes as the reply.

type Node = { readonly [name: string]: Node | Node[] | string | boolean | undefined };
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}
interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];

/** `headers` are sent with every request. */
export function openPlainTools(file: string, url: string, headers: Record<string, string>): Server {
  const text = readFileSync(file, "utf8");
  const spec = (file.endsWith(".json") ? JSON.parse(text) : load(text)) as Node;
  const endpoints = new Map<string, Endpoint>();
  const tools = Object.entries(spec["paths"] as Record<string, Record<string, Node>>).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const operation = item[method]!;
      const name = String(operation["operationId"]);
      const own = [...listOf(item["parameters"]), ...listOf(operation["parameters"])];
      const parameters = own.map((one) => resolve(one, spec) as unknown as Parameter & Node);
      endpoints.set(name, { method: method.toUpperCase(), path, parameters });
      return { name, description: describe(operation), inputSchema: inputSchema(parameters, operation, spec) };
    }),
  );
  const call = async (name: string, args: Record<string, unknown>): Promise<Answer> => {
    const { method, path, parameters } = endpoints.get(name)!;
    const query = new URLSearchParams();
    let filled = path;
    for (const parameter of parameters) {
      const value = args[parameter.name];
      if (parameter.in === "path") filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(String(value)));
      else if (parameter.in === "query" && value !== undefined) query.set(parameter.name, String(value));
    }
    const body = args["body"] === undefined ? {} : { body: JSON.stringify(args["body"]) };
    const answer = await fetch(`${url}${filled}${query.size > 0 ? `?${query}` : ""}`, { method, headers, ...body });
    const reply = await answer.text();
    if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${reply.slice(0, 500)}`);
    return { text: reply, json: reply === "" ? undefined : JSON.parse(reply) };
  };
  return { tools, call };
}

function listOf(node: unknown): Node[] {
  return Array.isArray(node) ? node : [];
}

function describe({ summary, description }: Node): string {
  return [summary, description].filter((text) => typeof text === "string").join("\n\n");
}

function inputSchema(parameters: readonly (Parameter & Node)[], operation: Node, spec: Node): object {
  const ofParameters = parameters.map(({ name, schema, description, type }) => [
    name,
    { ...(schema === undefined ? { type } : inline(schema as Node, spec, [])), description },
  ]);
  const content = resolve((operation["requestBody"] ?? {}) as Node, spec)["content"] as
    | Record<string, Node>
    | undefined;
  const swagger = parameters.find((one) => one.in === "body");
  const schema = content === undefined ? undefined : Object.values(content)[0]?.["schema"];
  const body = (schema ?? swagger?.["schema"]) as Node | undefined;
  const properties = Object.fromEntries([
    ...ofParameters.filter(([name]) => name !== swagger?.name),
    ...(body === undefined ? [] : [["body", inline(body, spec, [])]]),
  ]);
  return { type: "object", properties, required: parameters.flatMap((one) => (one.required ? [one.name] : [])) };
}

/** The schema without references, cut where it leads back to itself. */
function inline(node: Node, spec: Node, above: readonly string[]): Node {
  const reference = node["$ref"];
  if (typeof reference === "string")
    return above.includes(reference) ? {} : inline(resolve(node, spec), spec, [...above, reference]);
  const entries = Object.entries(node).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map((one) => (isNode(one) ? inline(one, spec, above) : one))];
    return [name, isNode(value) ? inline(value, spec, above) : value];
  });
  return Object.fromEntries(entries) as Node;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

function resolve(node: Node, spec: Node): Node {
  const reference = node["$ref"];
  if (typeof reference !== "string") return node;
  const names = reference.slice(2).split("/");
  return names.reduce((inside, name) => inside[name.replace("~1", "/").replace("~0", "~")] as Node, spec);
}
