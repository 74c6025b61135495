import { isJsonObject, type JsonObject } from "../../src/model/json.ts";
import type { OpenCase } from "./open-case.ts";

/** The names of a tool's inputs in the upstream's words, whether the body's properties are inputs of their own or stand in one. */
export function wireNames(opened: OpenCase): { all: string[]; required: string[]; body: string[]; leaves: string[] } {
  const { exposure, tool } = opened;
  const needed = new Set(tool.inputSchema.required ?? []);
  const outer = exposure.inputs.map((one) => ({ ...one, isNeeded: needed.has(one.name) }));
  const inside = bodyProperties(opened);
  return {
    all: [...outer.map(({ wire, in: where }) => wire ?? where), ...inside.map(({ wire }) => wire)],
    required: [
      ...outer.filter(({ isNeeded }) => isNeeded).map(({ wire, in: where }) => wire ?? where),
      ...inside.filter(({ isNeeded }) => isNeeded).map(({ wire }) => wire),
    ],
    body: outer.some(isPart) ? outer.filter(isPart).map(({ wire }) => wire!) : inside.map(({ wire }) => wire),
    leaves: [
      ...outer.filter(({ wire }) => wire !== undefined).map(({ name }) => name),
      ...inside.map(({ wire }) => `body/${wire}`),
    ],
  };
}

const isPart = (one: { readonly in: string; readonly wire?: string }) => one.in === "body" && one.wire !== undefined;

/** The properties of a body that is one input, mapped back to the upstream's names. */
function bodyProperties({ toolset, exposure, tool }: OpenCase): { wire: string; isNeeded: boolean }[] {
  const body = exposure.inputs.find((one) => one.in === "body" && one.wire === undefined);
  const type = toolset.tools[0]!.inputs.find(({ name }) => name === body?.name)?.type;
  if (type?.kind !== "object") return [];
  const isNeeded = tool.inputSchema.required?.includes(body!.name) ?? false;
  return type.properties.map((one) => ({ wire: one.wire, isNeeded: one.required && isNeeded }));
}

/** The advertised schema of an input, or of a property of the body, by its name upstream. */
export function anySchema(opened: OpenCase, wire: string): object | undefined {
  const { exposure, tool, toolset } = opened;
  const properties = (tool.inputSchema.properties ?? {}) as Readonly<Record<string, JsonObject>>;
  const own = exposure.inputs.find((one) => one.wire === wire);
  if (own !== undefined) return properties[own.name];
  const body = exposure.inputs.find((one) => one.in === "body" && one.wire === undefined);
  const type = toolset.tools[0]!.inputs.find(({ name }) => name === body?.name)?.type;
  const inner = type?.kind === "object" ? type.properties.find((one) => one.wire === wire)?.name : undefined;
  const inside = body && (properties[body.name]?.["properties"] as JsonObject | undefined);
  return inner === undefined ? undefined : (inside?.[inner] as object | undefined);
}

/** The advertised schema of a body that is one input, else of all inputs. */
export function bodySchema({ exposure, tool }: OpenCase): object | undefined {
  const body = exposure.inputs.find((one) => one.in === "body" && one.wire === undefined);
  return body === undefined ? tool.inputSchema : tool.inputSchema.properties?.[body.name];
}

/** Every schema in a schema, itself first. */
export function schemasIn(schema: JsonObject, path = "#"): { schema: JsonObject; path: string }[] {
  const properties = (isJsonObject(schema["properties"]) ? schema["properties"] : {}) as Readonly<
    Record<string, JsonObject>
  >;
  return [
    { schema, path },
    ...Object.entries(properties).flatMap(([name, inner]) => schemasIn(inner, `${path}/properties/${name}`)),
    ...(isJsonObject(schema["items"]) ? schemasIn(schema["items"], `${path}/items`) : []),
  ];
}
