import type { ReplyBody } from "../../model/exchange.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../../model/json.ts";
import type { Upstream } from "../../model/tool.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { readableText } from "./readable-text.ts";

/** What the upstream itself says of a failure, readable and cut. */
export interface UpstreamWords {
  readonly code?: string;
  readonly message?: string;
}

const MOST_MESSAGE = 500;
const MOST_TEXT = 300;
const MOST_ERRORS = 5;
/** Where APIs put their words, most telling first; RFC 9457 has `title`, `detail` and often `errors`. */
const MESSAGES = [
  "title",
  "detail",
  "message",
  "msg",
  "error_description",
  "error_message",
  "errorMessage",
  "description",
  "reason",
];
const CODES = ["code", "error_code", "errorCode", "error", "type", "status"];
const FIELDS = ["field", "path", "pointer", "loc", "param", "parameter", "property", "name", "key", "source"];
const LISTS = ["errors", "detail", "details", "invalid-params", "violations", "messages"];

/** The upstream's own code and message: where the curation says they are, else where APIs usually have them, else the text itself. */
export function readUpstreamWords(body: ReplyBody, errors: Upstream["errors"], roots: Roots): UpstreamWords {
  switch (body.kind) {
    case "json":
      return readJsonWords(body.value, errors, roots);
    case "text":
      return said(undefined, readableText(body.text, MOST_TEXT));
    case "binary":
    case "empty":
      return {};
    default:
      return body satisfies never;
  }
}

function readJsonWords(body: Json, errors: Upstream["errors"], roots: Roots): UpstreamWords {
  const usual = usualWords(body);
  const message = errors.message && textOf(evaluateExpression(errors.message, body, roots));
  const code = errors.code && textOf(evaluateExpression(errors.code, body, roots));
  return said(
    code || usual.code,
    readableText(message || usual.message || JSON.stringify(body), message || usual.message ? MOST_MESSAGE : MOST_TEXT),
  );
}

function said(code: string | undefined, message: string): UpstreamWords {
  return { ...(code && { code: readableText(code, 100) }), ...(message !== "" && { message }) };
}

function usualWords(body: Json): UpstreamWords {
  if (typeof body === "string") return { message: body };
  if (!isJsonObject(body)) {
    const message = describeErrors(body);
    return message ? { message } : {};
  }
  const inner = ["error", "fault", "Error"].map((name) => ownValue(body, name)).find(isJsonObject);
  const nested = inner ? usualWords(inner) : {};
  const parts = MESSAGES.map((name) => textOf(ownValue(body, name)));
  const error = ownValue(body, "error");
  const lists = LISTS.map((name) => describeErrors(ownValue(body, name)));
  const all = [...parts, nested.message, typeof error === "string" ? error : undefined, ...lists].filter(Boolean);
  const code = nested.code ?? firstCode(body);
  return { ...(code && { code }), ...(all.length > 0 && { message: [...new Set(all)].join(" – ") }) };
}

function firstCode(body: JsonObject): string | undefined {
  return CODES.map((name) => textOf(ownValue(body, name))).find(
    (code) => code !== undefined && /^[\w.:/-]{1,100}$/.test(code) && code !== "about:blank",
  );
}

/** `email: required; name: too long` out of the many ways in which APIs list what is wrong; undefined where it is no list of that. */
function describeErrors(list: Json | undefined): string | undefined {
  if (typeof list !== "object" || list === null) return undefined;
  const all = isJsonObject(list)
    ? Object.entries(list).map(([field, error]) => `${field}: ${describeError(error)}`)
    : list.map(describeError);
  if (all.length === 0) return undefined;
  const rest = all.length - MOST_ERRORS;
  return `${all.slice(0, MOST_ERRORS).join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}

function describeError(error: Json): string {
  if (Array.isArray(error)) return error.map((one) => describeError(one as Json)).join(", ");
  if (!isJsonObject(error)) return String(error);
  const field = FIELDS.map((name) => fieldOf(ownValue(error, name))).find(Boolean);
  const message =
    MESSAGES.map((name) => textOf(ownValue(error, name))).find(Boolean) ?? textOf(ownValue(error, "error"));
  if (!message) return JSON.stringify(error).slice(0, 200);
  return field ? `${field}: ${message}` : message;
}

function fieldOf(value: Json | undefined): string | undefined {
  if (Array.isArray(value)) return value.map(String).join(".");
  return isJsonObject(value)
    ? (textOf(ownValue(value, "pointer")) ?? textOf(ownValue(value, "parameter")))
    : textOf(value);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
