import { unescapeToken } from "../model/json-pointer.ts";
import type { Place } from "../model/place.ts";

/** A name that stands for the parameter or the top-level body property so called; only the spec tells which. */
export interface BarePlace {
  readonly bare: string;
  readonly pointer: readonly string[];
}

export interface PlaceFault {
  readonly fault: string;
  readonly hint: string;
}

const NAMED = /^(path|query|header|cookie)\.(.*)$/s;
const WHOLE = new Set(["querystring", "body"]);
// RFC 9110 5.6.2: what a field name may consist of.
export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Reads `query.created/gte`, `body/range/from`, `owner`: see the contract, Places. The name may hold dots and brackets. */
export function parsePlace(text: string): Place | BarePlace | PlaceFault {
  const [head = "", ...rest] = text.split("/");
  const parts = [head, ...rest].map(unescapePart);
  if (parts.includes(undefined))
    return {
      fault: `\`${text}\` has a ~ that is neither ~0 nor ~1.`,
      hint: "Write ~1 for a slash in a name and ~0 for a tilde.",
    };
  const [name = "", ...pointer] = parts as string[];
  if (name === "" || pointer.includes(""))
    return {
      fault: `\`${text}\` has an empty part.`,
      hint: "Write each part between slashes, for example body/range/from.",
    };
  if ([name, ...pointer].includes("__proto__"))
    return { fault: "`__proto__` is not a place.", hint: "Name a parameter or property of the spec." };
  return readPlace(text, name, pointer);
}

function readPlace(text: string, name: string, pointer: readonly string[]): Place | BarePlace | PlaceFault {
  if (WHOLE.has(name)) return { in: name as "querystring" | "body", pointer };
  const [, where, own = ""] = NAMED.exec(name) ?? [];
  if (where === undefined) {
    const [whole = ""] = name.split(".");
    if (!WHOLE.has(whole)) return { bare: name, pointer };
    return { fault: `\`${text}\` is not a place.`, hint: `Write \`${text.replace(".", "/")}\`.` };
  }
  if (own === "")
    return { fault: `\`${text}\` names no parameter.`, hint: `Write the name after the dot, for example ${where}.id.` };
  if (where === "header") {
    const refused = refuseHeader(own);
    if (refused !== undefined) return refused;
  }
  return { in: where as "path" | "query" | "header" | "cookie", name: own, pointer };
}

function unescapePart(part: string): string | undefined {
  return /~(?![01])/.test(part) ? undefined : unescapeToken(part);
}

const CREDENTIAL = "carries credentials; write them under `api.auth`";
const MESSAGE = "is written by the client that sends the request";
const ROUTE = "would change where the request goes or whom it seems to come from";
const METHOD = "would change the method";

/** Names in lower case, and those that end in `*` as beginnings of names. */
const REFUSED: readonly (readonly [name: string, reason: string])[] = [
  ["authorization", CREDENTIAL],
  ["cookie", CREDENTIAL],
  ["host", ROUTE],
  ["content-*", MESSAGE],
  ["proxy-*", ROUTE],
  ["forwarded", ROUTE],
  ["x-forwarded-*", ROUTE],
  ["x-real-ip", ROUTE],
  ["x-original-url", ROUTE],
  ["x-rewrite-url", ROUTE],
  ["connection", MESSAGE],
  ["keep-alive", MESSAGE],
  ["transfer-encoding", MESSAGE],
  ["te", MESSAGE],
  ["trailer", MESSAGE],
  ["upgrade", MESSAGE],
  ["expect", MESSAGE],
  ["mcp-*", "belongs to the protocol that callers speak"],
  ["x-http-method*", METHOD],
  ["x-method-override", METHOD],
];

/** Why a header may not be set by a curation or a caller, in any letter case; undefined where it may. */
export function refuseHeader(name: string): PlaceFault | undefined {
  if (!HEADER_NAME.test(name))
    return { fault: `\`${name}\` is not the name of a header.`, hint: "Use letters, digits and dashes." };
  const lower = name.toLowerCase();
  const entry = REFUSED.find(([refused]) =>
    refused.endsWith("*") ? lower.startsWith(refused.slice(0, -1)) : lower === refused,
  );
  return entry && { fault: `The header \`${name}\` may not be set: it ${entry[1]}.`, hint: "Leave it out." };
}
