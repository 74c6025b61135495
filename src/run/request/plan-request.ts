import type { Call, OperationPlan } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import type { ResolvedUpstream, UpstreamRequest } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { type Assigned, assignBindings } from "./assign-bindings.ts";
import { checkPlanned } from "./check-planned.ts";
import { followTarget } from "./follow-target.ts";
import { encodeFixed, encodeQuery } from "./percent-encode.ts";
import { scalarText } from "./serialize-parameter.ts";
import { type WrittenBody, writeBody } from "./write-body.ts";
import { writeHeaders } from "./write-headers.ts";
import { parameterFor, writeParameter } from "./write-parameter.ts";
import { checkSegment, checkValue, fillSegment, namesIn, readTemplate } from "./write-path.ts";

/**
 * The request of one call, complete but for credentials. Values are converted to their places' types, pins are set last and win, and the result is
 * checked to have the base URL's origin, the template's path and every pin. Pure. Throws ToolError `invalid_arguments` or `pinned_argument`.
 */
export function planRequest(
  call: Call,
  operation: OperationPlan,
  upstream: ResolvedUpstream,
  roots: Roots,
): UpstreamRequest {
  const assigned = assignBindings(call.bindings, roots);
  const base = ownBase(upstream) ?? serverBase(operation);
  const path = joinPath(base, writePath(operation, assigned));
  const query = writeQuery(operation, assigned);
  const written = writeBodyOf(operation, assigned);
  const planned = `${base.origin}${path}${query === "" ? "" : `?${query}`}`;
  const { target } = call;
  const request: UpstreamRequest = {
    operation: operation.key,
    method: operation.method,
    url: target === undefined ? planned : followTarget(planned, target, operation, assigned, upstream.secrets),
    headers: writeHeaders(operation, assigned, upstream.headers, written?.contentType),
    ...(written !== undefined && { body: written.body }),
    safe: operation.safe,
  };
  checkPlanned(request, operation, assigned, {
    origin: base.origin,
    path: target === undefined ? path : new URL(request.url).pathname,
  });
  return request;
}

/** A path in the base URL comes before the operation's; slashes between them become one. */
function joinPath(base: Base, path: string): string {
  return `${base.path}/${path.replace(/^\//, "")}`;
}

interface Base {
  readonly origin: string;
  /** Without slashes at its end. */
  readonly path: string;
}

function readBase(text: string): Base {
  const { origin, pathname } = new URL(text);
  return { origin, path: pathname.replace(/\/+$/, "") };
}

const ownBase = onceFor(({ baseUrl }: ResolvedUpstream) => (baseUrl === undefined ? undefined : readBase(baseUrl)));
const serverBase = onceFor(({ server }: OperationPlan) => readBase(server));
const templateOf = onceFor(({ path }: OperationPlan) => readTemplate(path));

function writePath(operation: OperationPlan, assigned: Assigned): string {
  return templateOf(operation)
    .segments.map((segment) => writeSegment(segment, operation, assigned))
    .join("/");
}

function writeSegment(segment: readonly string[], operation: OperationPlan, assigned: Assigned): string {
  const names = namesIn(segment);
  const given = names.map((name) => {
    const value = assigned.values.get(`path.${name}`);
    if (value === undefined) throw missing(name);
    const parameter = parameterFor(operation, "path", name);
    const pieces = writeParameter(parameter, value, assigned, (written) =>
      checkValue(value.value, written.join(""), parameter.style),
    );
    return { value, text: pieces.join("") };
  });
  const text = fillSegment(segment, new Map(given.map((one, at) => [names[at]!, one.text])));
  const [first] = given;
  if (first !== undefined) assigned.explain(first.value.place, first.value.value, () => checkSegment(text));
  return text;
}

function writeQuery(operation: OperationPlan, assigned: Assigned): string {
  const named = [...assigned.values.values()].filter(({ place }) => place.in === "query" || place.in === "querystring");
  const rank = (name: string) =>
    operation.parameters.findIndex((one) => one.in !== "header" && one.name === name) >>> 0;
  const sorted = named.toSorted((a, b) => rank(nameOf(a.place)) - rank(nameOf(b.place)));
  const pieces = sorted.flatMap((one) =>
    writeParameter(
      parameterFor(operation, one.place.in === "query" ? "query" : "querystring", nameOf(one.place)),
      one,
      assigned,
    ),
  );
  return [...fixedPairs(templateOf(operation).query, assigned), ...pieces].join("&");
}

/** The query that stands in the template. A pair with a `{name}` in it is filled where that is a value of the path, else left to the parameter. */
function fixedPairs(query: string, assigned: Assigned): string[] {
  return query.split("&").flatMap((pair) => {
    if (pair === "") return [];
    const [, name] = /\{([^{}]*)\}/.exec(pair) ?? [];
    if (name === undefined) return [encodeFixed(pair)];
    const value = assigned.values.get(`path.${name}`);
    const write = () => pair.replace(/\{[^{}]*\}/, () => encodeQuery(scalarText(value!.value)));
    return value === undefined ? [] : [assigned.explain(value.place, value.value, write)];
  });
}

function nameOf(place: { readonly in: string; readonly name?: string }): string {
  return place.name ?? "";
}

function writeBodyOf(operation: OperationPlan, { body, explain }: Assigned): WrittenBody | undefined {
  const plan = operation.body ?? { required: false, mediaType: "application/json", encoding: [] };
  const value: Json | undefined = body === undefined && plan.required ? {} : body;
  if (value === undefined) return undefined;
  return explain({ in: "body", pointer: [] }, value, () => writeBody(plan, value));
}

function missing(name: string): ToolError {
  return new ToolError("invalid_arguments", {
    message: `The path parameter \`${name}\` has no value.`,
    recover: `Set \`${name}\`.`,
    path: name,
  });
}
