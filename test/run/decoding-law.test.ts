import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Binding, OperationPlan, ParameterPlan } from "../../src/model/call.ts";
import { ToolError } from "../../src/model/errors.ts";
import type { ResolvedUpstream } from "../../src/model/exchange.ts";
import type { Json } from "../../src/model/json.ts";
import type { Place } from "../../src/model/place.ts";
import { planRequest } from "../../src/run/request/plan-request.ts";

// The law: for any text, what the server decodes is what the caller meant, or nothing is sent. The decoders here are written from RFC 6570,
// RFC 3986, RFC 6265 and OpenAPI 3.1.1 4.8.12.4, and share nothing with the code that encodes.

type Decoded = readonly (readonly [string, string])[] | readonly string[] | string;
type Style = ParameterPlan["style"];
type Where = Exclude<ParameterPlan["in"], "querystring">;

const NAME = "p x&y";
const upstream: ResolvedUpstream = { baseUrl: "https://h/v1", headers: [], credentials: new Map(), secrets: [] };

/** What goes over the wire for one parameter; undefined where it is refused. */
function send(where: Where, style: Style, explode: boolean, value: Json) {
  const name = where === "header" ? "X-P" : where === "cookie" || where === "path" ? "p" : NAME;
  const parameter: ParameterPlan = { name, in: where, required: true, style, explode, allowReserved: false };
  const operation: OperationPlan = {
    key: "GET /a",
    method: "GET",
    path: where === "path" ? "/a/{p}/z" : "/a",
    server: "",
    parameters: [parameter],
    accept: "*/*",
    security: [],
    safe: true,
  };
  const place: Place = { in: where, name, pointer: [] };
  const binding: Binding = {
    place,
    value: { kind: "literal", value },
    pinned: false,
    type: "any",
    required: true,
    nullable: false,
  };
  try {
    const { url, headers } = planRequest({ operation: 0, bindings: [binding] }, operation, upstream, {
      input: {},
      pins: {},
    });
    const { pathname, search, hash } = new URL(url);
    expect(hash).toBe("");
    const header = (one: string) => headers.find(([known]) => known === one)?.[1];
    return { path: pathname.split("/"), query: search.slice(1), header: header("x-p"), cookie: header("cookie") };
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError);
    return undefined;
  }
}

const decode = (text: string) => decodeURIComponent(text);
const pairs = (parts: readonly string[], sign: string) =>
  parts.map((part): [string, string] => {
    const at = part.indexOf(sign);
    return at === -1 ? [decode(part), ""] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
  });
const alternating = (parts: readonly string[]) =>
  parts.flatMap((part, at): [string, string][] => (at % 2 === 0 ? [[decode(part), decode(parts[at + 1] ?? "")]] : []));
const own = (query: string) => pairs(query.split("&"), "=").map(([name, value]) => [name, value] as const);
const cut = (text: string | undefined, from: number, separator: string) => (text ?? "").slice(from).split(separator);

type Sent = NonNullable<ReturnType<typeof send>>;
type Kind = "text" | "list" | "object";

/** The value, read from what was sent. */
const DECODERS: readonly (readonly [Where, Style, boolean, Kind, (sent: Sent) => Decoded])[] = [
  ["path", "simple", false, "text", ({ path }) => decode(path[3]!)],
  ["path", "simple", false, "list", ({ path }) => path[3]!.split(",").map(decode)],
  ["path", "simple", false, "object", ({ path }) => alternating(path[3]!.split(","))],
  ["path", "simple", true, "object", ({ path }) => pairs(path[3]!.split(","), "=")],
  ["path", "label", false, "text", ({ path }) => decode(path[3]!.slice(1))],
  ["path", "label", false, "list", ({ path }) => cut(path[3], 1, ",").map(decode)],
  ["path", "label", true, "list", ({ path }) => cut(path[3], 1, ".").map(decode)],
  ["path", "label", true, "object", ({ path }) => pairs(cut(path[3], 1, "."), "=")],
  ["path", "matrix", false, "text", ({ path }) => pairs([path[3]!.slice(1)], "=")[0]![1]],
  ["path", "matrix", false, "list", ({ path }) => cut(path[3], ";p=".length, ",").map(decode)],
  ["path", "matrix", true, "list", ({ path }) => pairs(cut(path[3], 1, ";"), "=").map(([, text]) => text)],
  ["path", "matrix", true, "object", ({ path }) => pairs(cut(path[3], 1, ";"), "=")],
  ["query", "form", true, "text", ({ query }) => own(query)[0]![1]],
  ["query", "form", true, "list", ({ query }) => own(query).map(([name, text]) => (name === NAME ? text : "?"))],
  ["query", "form", true, "object", ({ query }) => own(query)],
  [
    "query",
    "form",
    false,
    "list",
    ({ query }) =>
      query
        .slice(query.indexOf("=") + 1)
        .split(",")
        .map(decode),
  ],
  ["query", "form", false, "object", ({ query }) => alternating(query.slice(query.indexOf("=") + 1).split(","))],
  ["query", "pipeDelimited", false, "list", ({ query }) => own(query)[0]![1].split("|")],
  ["query", "spaceDelimited", false, "list", ({ query }) => own(query)[0]![1].split(" ")],
  [
    "query",
    "deepObject",
    true,
    "object",
    ({ query }) => own(query).map(([name, text]) => [name.slice(NAME.length + 1, -1), text] as const),
  ],
  ["header", "simple", false, "text", ({ header }) => header ?? ""],
  ["header", "simple", false, "list", ({ header }) => (header ?? "").split(",")],
  ["cookie", "form", true, "text", ({ cookie }) => pairs([cookie ?? ""], "=")[0]![1]],
  ["cookie", "form", false, "list", ({ cookie }) => cut(cookie, "p=".length, ",").map(decode)],
  ["cookie", "form", true, "object", ({ cookie }) => pairs((cookie ?? "").split("; "), "=")],
  ["cookie", "cookie", true, "text", ({ cookie }) => (cookie ?? "").slice("p=".length)],
];

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(
      ".",
      ",",
      ";",
      "=",
      "&",
      "|",
      "/",
      "\\",
      "%",
      "2",
      "e",
      "+",
      " ",
      "#",
      "?",
      "[",
      "]",
      "é",
      "．",
      "\n",
    ),
    maxLength: 8,
  }),
);
const VALUES: Readonly<Record<Kind, fc.Arbitrary<Json>>> = {
  text,
  list: fc.array(text, { minLength: 1, maxLength: 4 }),
  object: fc.dictionary(text, text, { minKeys: 1, maxKeys: 4 }),
};

describe("for any text the server decodes what the caller meant, or nothing is sent", () => {
  test.each(DECODERS)("%s %s, exploded %s, a %s", (where, style, explode, kind, read) => {
    let carried = 0;
    fc.assert(
      fc.property(VALUES[kind], (value) => {
        const sent = send(where, style, explode, value);
        if (sent === undefined) return;
        carried += 1;
        expect(read(sent)).toEqual(kind === "object" ? Object.entries(value as object) : value);
        if (where === "path") expect(sent.path.toSpliced(3, 1)).toEqual(["", "v1", "a", "z"]);
        else expect(sent.path).toEqual(["", "v1", "a"]);
      }),
      { numRuns: 500 },
    );
    // A law over nothing says nothing.
    expect(carried).toBeGreaterThan(10);
  });
});
