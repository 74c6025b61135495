import { type Api, isFault, type Operation } from "../../src/model/api.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Schema } from "../../src/model/schema.ts";
import type { CaseArgs, CaseCredentials } from "./read-case.ts";

/** `apart`: an input a top-level property of the body; `whole`: one input for the body. */
export type Mode = "apart" | "whole";

export interface Exposed {
  readonly name: string;
  readonly in: keyof CaseArgs;
  /** The upstream's name; undefined for a body or query string as a whole. */
  readonly wire?: string;
  readonly place: string;
}

/** A curation of one tool with all inputs of one operation. */
export interface Exposure {
  readonly mode: Mode;
  readonly curation: JsonObject;
  readonly inputs: readonly Exposed[];
  /** The tool's arguments for arguments by location. */
  toArguments(args: CaseArgs): JsonObject;
}

export const TOOL = "the_tool";
const RESERVED = new Set(["limit", "pageToken", "filter", "confirm"]);
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

export interface ExposeOptions {
  readonly mode: Mode;
  readonly baseUrl?: string;
  readonly auth?: JsonObject;
  /** Chosen types of inputs that are unions. */
  readonly types?: Readonly<Record<string, string>>;
}

export function exposeOperation(api: Api, key: string, options: ExposeOptions): Exposure {
  const entry = api.find(key);
  const operation = entry && api.read(entry);
  const inputs =
    operation === undefined || isFault(operation) ? [] : nameInputs(listPlaces(api, operation, options.mode));
  const { types = {} } = options;
  const tool = {
    operation: key,
    input: Object.fromEntries(inputs.map(({ name }) => [name, types[name] === undefined ? {} : { type: types[name] }])),
    args: Object.fromEntries(inputs.map(({ name, place }) => [place, `\${input.${name}}`])),
  };
  return {
    mode: options.mode,
    inputs,
    curation: {
      vitrine: 1,
      api: {
        spec: "spec.yaml",
        ...(options.baseUrl !== undefined && { baseUrl: options.baseUrl }),
        ...(options.auth !== undefined && { auth: options.auth }),
      },
      server: { name: "case", writes: true },
      tools: { [TOOL]: tool },
    },
    toArguments: (args) => Object.fromEntries(inputs.flatMap((input) => argumentOf(input, args))),
  };
}

function argumentOf({ name, in: where, wire }: Exposed, args: CaseArgs): [string, Json][] {
  const given = args[where] as Json | undefined;
  if (given === undefined) return [];
  if (wire === undefined) return [[name, given]];
  const names = isJsonObject(given) ? Object.keys(given) : [];
  const found = names.find((one) => one === wire || (where === "header" && one.toLowerCase() === wire.toLowerCase()));
  return found === undefined ? [] : [[name, (given as JsonObject)[found]!]];
}

/** Whether the body has properties that can be inputs of their own. */
export function hasProperties(api: Api, key: string): boolean {
  const entry = api.find(key);
  const operation = entry && api.read(entry);
  return operation !== undefined && !isFault(operation) && bodyProperties(api, operation).length > 0;
}

function listPlaces(api: Api, operation: Operation, mode: Mode): Omit<Exposed, "name">[] {
  const credentials = new Set(
    [...api.securitySchemes.values()].flatMap((one) =>
      one.type === "apiKey" ? [`${one.in}.${one.name.toLowerCase()}`] : [],
    ),
  );
  const parameters = operation.parameters
    .filter((one) => !credentials.has(`${one.in}.${one.name.toLowerCase()}`))
    .map((one) =>
      one.in === "querystring"
        ? { in: one.in, place: "querystring" }
        : { in: one.in, wire: one.name, place: `${one.in}.${escapePart(one.name)}` },
    );
  if (operation.body === undefined) return parameters;
  const properties = mode === "whole" ? [] : bodyProperties(api, operation);
  const body =
    properties.length === 0
      ? [{ in: "body" as const, place: "body" }]
      : properties.map((wire) => ({ in: "body" as const, wire, place: `body/${escapePart(wire)}` }));
  return [...parameters, ...body];
}

function escapePart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function bodyProperties(api: Api, operation: Operation): string[] {
  const schema = operation.body?.content[0]?.schema;
  return schema === undefined ? [] : [...new Set(propertiesOf(api, schema, 0))];
}

function propertiesOf(api: Api, schema: Schema, depth: number): string[] {
  const resolved = api.resolve(schema);
  if (isFault(resolved) || depth > 4) return [];
  const { properties = {}, allOf = [], anyOf = [], oneOf = [], discriminator } = resolved.schema;
  const named = [
    ...Object.values(discriminator?.mapping ?? {}),
    ...(discriminator ? resolved.through.flatMap((name) => api.subtypesOf(name)) : []),
  ];
  const subtypes = depth === 0 ? named.map(($ref) => ({ $ref })) : [];
  const own = Object.entries(properties).filter(([, inner]) => {
    const read = api.resolve(inner);
    return isFault(read) || read.schema.readOnly !== true;
  });
  return [
    ...own.map(([name]) => name),
    ...[...allOf, ...anyOf, ...oneOf, ...subtypes].flatMap((one) => propertiesOf(api, one, depth + 1)),
  ];
}

/** The upstream's own name where it can be an argument's and is nobody else's. */
function nameInputs(places: readonly Omit<Exposed, "name">[]): Exposed[] {
  const wires = places.map(({ in: where, wire }) => wire ?? where);
  const taken = new Set<string>();
  return places.map((place, at) => {
    const wire = wires[at]!;
    const isFree = NAME.test(wire) && !RESERVED.has(wire) && wires.filter((one) => one === wire).length === 1;
    const folded = `${place.in}_${wire.replace(/[^A-Za-z0-9]+/g, "_")}`.slice(0, 60);
    let name = isFree ? wire : folded;
    for (let count = 2; taken.has(name); count += 1) name = `${folded}_${count}`;
    taken.add(name);
    return { ...place, name };
  });
}

/** `api.auth` of a curation, every secret behind a variable of `env`. */
export function exposeCredentials(
  api: Api,
  credentials: CaseCredentials,
): { auth: JsonObject; env: Record<string, string> } {
  const env: Record<string, string> = {};
  const hide = (value: string) => {
    const name = `SECRET_${Object.keys(env).length}`;
    env[name] = value;
    return `\${env.${name}}`;
  };
  const auth = Object.entries(credentials).map(([scheme, given]): [string, JsonObject] => {
    if (typeof given === "string") {
      const isKey = api.securitySchemes.get(scheme)?.type === "apiKey";
      return [scheme, isKey ? { apiKey: hide(given) } : { bearer: hide(given) }];
    }
    const { username, password, client_id: id, client_secret: secret } = given;
    if (username !== undefined)
      return [scheme, { basic: { username: hide(username), password: hide(password ?? "") } }];
    return [scheme, { clientCredentials: { clientId: hide(id ?? ""), clientSecret: hide(secret ?? "") } }];
  });
  return { auth: Object.fromEntries(auth), env };
}
