import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { escapeToken } from "../../model/json-pointer.ts";
import type { Path } from "../finding.ts";
import { follow } from "./read-inputs.ts";
import { findRuntimeExpressions, readPointer } from "./runtime-expression.ts";
import { type FlowNames, type Refuse, writeValue } from "./write-expression.ts";

/** What a step sends, in the words of `args`. */
export interface Sends {
  readonly args: Readonly<Record<string, Json>>;
  readonly contentType?: string;
  /** Where each of `args` stands in the document. */
  readonly origins: ReadonlyMap<string, Path>;
}

/** The parameters and the body of a step; those of the workflow count where the step does not say them itself. */
export function readSends(
  document: JsonObject,
  workflow: JsonObject,
  step: JsonObject,
  [flowAt, at]: readonly [flow: Path, step: Path],
  names: FlowNames,
  refuse: Refuse,
): Sends {
  const args = new Map<string, Json>();
  const origins = new Map<string, Path>();
  const send = (place: string, value: Json, here: Path) => {
    args.set(place, writeValue(value, here, names, refuse));
    origins.set(place, here);
  };
  for (const [owner, list] of [
    [flowAt, workflow.parameters],
    [at, step.parameters],
  ] as const)
    for (const [index, raw] of (Array.isArray(list) ? list : []).entries())
      readParameter(document, raw, [...owner, "parameters", index], send, refuse);
  const contentType = readBody(step.requestBody ?? null, [...at, "requestBody"], args, send, refuse);
  return { args: Object.fromEntries(args), origins, ...(contentType !== undefined && { contentType }) };
}

/** OAS 3.1 4.8.12.1: these are no parameters. */
const OURS = /^(accept|authorization|content-type|cookie)$/i;

type Send = (place: string, value: Json, at: Path) => void;

const PLACES: ReadonlySet<string> = new Set(["path", "query", "header", "cookie"]);

function readParameter(document: JsonObject, raw: Json, at: Path, send: Send, refuse: Refuse): void {
  const given = isJsonObject(raw) ? raw : {};
  const name = /^\$components\.parameters\.(.+)$/.exec(String(given.reference ?? ""))?.[1];
  const shared = name === undefined ? undefined : follow(document, ["components", "parameters", name]);
  if (given.reference !== undefined && !isJsonObject(shared)) {
    refuse(
      "arazzo_invalid",
      [...at, "reference"],
      "The reference leads to no parameter.",
      "Write $components.parameters.NAME.",
    );
    return;
  }
  const parameter: JsonObject = { ...(shared as JsonObject | undefined), ...given };
  if (typeof parameter.name !== "string" || typeof parameter.in !== "string" || !PLACES.has(parameter.in)) {
    refuse(
      "arazzo_invalid",
      at,
      "The parameter says not where it goes.",
      "Add name, and in: path, query, header or cookie.",
    );
    return;
  }
  if (parameter.in === "header" && OURS.test(parameter.name)) {
    const message = `\`${parameter.name}\` is sent by rules of its own, so the workflow's is left out.`;
    refuse("arazzo_ignored", at, message, "Credentials stand under `api.auth`; media types follow the spec.");
    return;
  }
  send(`${parameter.in}.${escapeToken(parameter.name)}`, parameter.value ?? null, [
    ...at,
    ...(given.value === undefined ? [] : ["value"]),
  ]);
}

function readBody(raw: Json, at: Path, args: Map<string, Json>, send: Send, refuse: Refuse): string | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { payload, contentType, replacements } = raw;
  if (payload !== undefined) sendPayload(openText(payload, contentType), [...at, "payload"], send);
  for (const [index, one] of (Array.isArray(replacements) ? replacements : []).entries()) {
    const here = [...at, "replacements", index];
    const target = isJsonObject(one) ? one.target : undefined;
    if (typeof target !== "string" || !target.startsWith("/")) {
      refuse("arazzo_unsupported", here, "The target of a replacement is a JSON pointer.", "Write it as /order/id.");
      continue;
    }
    const place = ["body", ...readPointer(target).map(escapeToken)].join("/");
    for (const other of [...args.keys()]) if (other === place || other.startsWith(`${place}/`)) args.delete(other);
    send(place, (one as JsonObject).value ?? null, [...here, "value"]);
  }
  return typeof contentType === "string" ? contentType : undefined;
}

/** Part by part, so that each goes to a place of its own; a list goes whole. */
function sendPayload(payload: Json, at: Path, send: Send, place = "body"): void {
  if (!isJsonObject(payload) || Object.keys(payload).length === 0) {
    send(place, payload, at);
    return;
  }
  for (const [name, value] of Object.entries(payload))
    sendPayload(value, [...at, name], send, `${place}/${escapeToken(name)}`);
}

/** JSON may be written as a text, in which an expression may stand where a value does. */
function openText(payload: Json, contentType: Json | undefined): Json {
  const isJson = contentType === undefined || /[/+]json\b/.test(String(contentType));
  if (typeof payload !== "string" || !isJson || !/^\s*[[{]/.test(payload)) return payload;
  const whole = findRuntimeExpressions(payload.trim());
  if (whole.length === 1 && typeof whole[0] !== "string") return payload;
  for (const text of [payload, payload.replace(/([:[,]\s*)(\{\$[^{}"]+\})/g, '$1"$2"')]) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      // Then it is a text.
    }
  }
  return payload;
}
