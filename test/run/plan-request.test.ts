import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Binding, OperationPlan, ParameterPlan } from "../../src/model/call.ts";
import { ToolError } from "../../src/model/errors.ts";
import type { ResolvedUpstream, UpstreamRequest } from "../../src/model/exchange.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Place } from "../../src/model/place.ts";
import { planRequest } from "../../src/run/request/plan-request.ts";

const upstream: ResolvedUpstream = {
  baseUrl: "https://api.example.com/v1",
  headers: [],
  credentials: new Map(),
  secrets: [],
};

const styles = { path: "simple", query: "form", header: "simple", cookie: "form", querystring: "form" } as const;
const parameter = (place: ParameterPlan["in"], name: string, more: Partial<ParameterPlan> = {}): ParameterPlan => ({
  name,
  in: place,
  required: false,
  style: styles[place],
  explode: styles[place] === "form",
  allowReserved: false,
  ...more,
});

const operation = (path: string, more: Partial<OperationPlan> = {}): OperationPlan => ({
  key: `GET ${path}`,
  method: "GET",
  path,
  server: "",
  parameters: [],
  accept: "application/json",
  security: [],
  safe: true,
  ...more,
});
const json: Partial<OperationPlan> = {
  method: "POST",
  body: { required: true, mediaType: "application/json", encoding: [] },
};

const at = (place: Place, value: Json, more: Partial<Binding> = {}): Binding => ({
  place,
  value: { kind: "literal", value },
  pinned: false,
  type: "any",
  required: false,
  nullable: false,
  ...more,
});
const named = (where: "path" | "query" | "header" | "cookie", name: string, ...pointer: string[]): Place => ({
  in: where,
  name,
  pointer,
});
const inBody = (...pointer: string[]): Place => ({ in: "body", pointer });
const input = (name: string, place: Place, more: Partial<Binding> = {}): Binding =>
  at(place, null, { ...more, value: { kind: "expression", expression: { jmespath: `input.${name}` } } });

const plan = (
  of: OperationPlan,
  bindings: Binding[],
  inputs: JsonObject = {},
  up: Partial<ResolvedUpstream> = {},
): UpstreamRequest => planRequest({ operation: 0, bindings }, of, { ...upstream, ...up }, { input: inputs, pins: {} });

const refusal = (run: () => unknown): ToolError => {
  try {
    run();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
};

describe("the URL", () => {
  const cases: [string, string, string, Binding[], string][] = [
    ["a path in the base URL comes first", "https://h/v1", "/pets/", [], "https://h/v1/pets/"],
    ["slashes between them become one", "https://h/v1//", "/pets", [], "https://h/v1/pets"],
    ["a base without a path", "https://h", "/pets", [], "https://h/pets"],
    ["the root", "https://h/", "/", [], "https://h/"],
    [
      "a query written into the path stays first",
      "https://h",
      "/r?beta=true",
      [at(named("query", "limit"), 2)],
      "https://h/r?beta=true&limit=2",
    ],
    [
      "a fragment written into the path is not sent",
      "https://h",
      "/#Action=List",
      [at(named("query", "Version"), "1")],
      "https://h/?Version=1",
    ],
    [
      "a path value is encoded once",
      "https://h",
      "/files/{key}/meta",
      [at(named("path", "key"), "a/b c?d#e%2F+ü")],
      "https://h/files/a%2Fb%20c%3Fd%23e%252F%2B%C3%BC/meta",
    ],
    [
      "values beside literals in one segment",
      "https://h",
      "/c/{a}...{b}.json",
      [at(named("path", "a"), "x"), at(named("path", "b"), "y")],
      "https://h/c/x...y.json",
    ],
    ["a literal that needs encoding", "https://h", "/a b/{x}", [at(named("path", "x"), 1)], "https://h/a%20b/1"],
    [
      "nulls of optional places are left out, empty texts are not",
      "https://h",
      "/l",
      [at(named("query", "a"), null), at(named("query", "c"), []), at(named("query", "d"), "")],
      "https://h/l?d=",
    ],
    [
      "a place inside a parameter",
      "https://h",
      "/l",
      [at(named("query", "created", "gte"), 5)],
      "https://h/l?created%5Bgte%5D=5",
    ],
    [
      "a whole query string",
      "https://h",
      "/l",
      [at({ in: "querystring", pointer: [] }, { a: "b c", d: 1 })],
      "https://h/l?a=b%20c&d=1",
    ],
  ];
  test.each(cases)("%s", (_title, baseUrl, path, bindings, want) => {
    const created = parameter("query", "created", { style: "deepObject" });
    expect(plan(operation(path, { parameters: [created] }), bindings, {}, { baseUrl }).url).toBe(want);
  });

  test("the spec's server is used where the curation names none", () => {
    const { baseUrl: _none, ...bare } = upstream;
    expect(
      planRequest({ operation: 0, bindings: [] }, operation("/x", { server: "https://spec.example/api" }), bare, {
        input: {},
        pins: {},
      }).url,
    ).toBe("https://spec.example/api/x");
  });

  test("query parameters stand in the spec's order", () => {
    const parameters = [parameter("query", "b"), parameter("query", "a")];
    expect(
      plan(operation("/x", { parameters }), [
        at(named("query", "a"), 1),
        at(named("query", "b"), 2),
        at(named("query", "z"), 3),
      ]).url,
    ).toBe("https://api.example.com/v1/x?b=2&a=1&z=3");
  });
});

describe("a path value never leaves its segment", () => {
  const of = operation("/users/{id}/profile");
  const send = (id: Json) => plan(of, [input("id", named("path", "id"), { required: true })], { id });

  test.each([
    "",
    ".",
    "..",
    "．．",
    "‥",
    "..;",
    "..;a=b",
    ".;",
    "\t..",
    ".. ",
    "\u200b..",
    "．．／admin",
    "a\0",
    "a\nb",
  ])("%j is refused", (id) => {
    const error = refusal(() => send(id));
    expect([error.code, error.detail.path]).toEqual(["invalid_arguments", "id"]);
  });

  const fine: [string, string][] = [
    ["../admin", "..%2Fadmin"],
    ["..\\admin", "..%5Cadmin"],
    ["a/../b", "a%2F..%2Fb"],
    ["...", "..."],
    ["..a", "..a"],
    [".env", ".env"],
    ["a;b=c", "a%3Bb%3Dc"],
    ["100%", "100%25"],
    ["%41", "%2541"],
    // Once decoded these are texts with a `%` in them, as the caller wrote.
    ["%2e%2e", "%252e%252e"],
    ["..%2fadmin", "..%252fadmin"],
    ["a/%2e%2e/b", "a%2F%252e%252e%2Fb"],
    ["é", "%C3%A9"],
    ["!'()*", "!'()*"],
    ["a:b@c", "a%3Ab%40c"],
  ];
  test.each(fine)("%s goes out as %s", (id, want) => {
    expect(send(id).url).toBe(`https://api.example.com/v1/users/${want}/profile`);
  });

  test("any text is either refused or read by the server as it was, in its own segment", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(".", "/", "\\", "%", "2", "e", "f", ";", "?", "#", " ", "．", "a") }),
    );
    fc.assert(
      fc.property(anything, (id) => {
        let url: string;
        try {
          url = send(id).url;
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
          return;
        }
        const segments = new URL(url).pathname.split("/");
        expect(segments.toSpliced(3, 1)).toEqual(["", "v1", "users", "profile"]);
        expect(decodeURIComponent(segments[3] ?? "")).toBe(id);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([[["."]], [[".."]], [[""]], [[]], [{}]])("nor does %j", (id) => {
    expect(refusal(() => send(id)).code).toBe("invalid_arguments");
  });

  test("what the URL standard would fold away is refused wherever it comes from", () => {
    const two = operation("/a/{x}{y}/b");
    expect(refusal(() => plan(two, [at(named("path", "x"), "."), at(named("path", "y"), ".")])).code).toBe(
      "invalid_arguments",
    );
    expect(refusal(() => plan(operation("/a/../b"), [])).code).toBe("invalid_arguments");
    expect(refusal(() => plan(operation("/a/%2e%2E/b"), [])).code).toBe("invalid_arguments");
  });

  const path = (style: ParameterPlan["style"], explode: boolean) => parameter("path", "p", { style, explode });
  const inSegment: [string, ParameterPlan, Json, string | undefined][] = [
    ["/m{p}", path("matrix", true), ["a", "b/c"], "/m;p=a;p=b%2Fc"],
    ["/m{p}", path("matrix", false), { k: "..", m: "2" }, "/m;p=k,..,m,2"],
    ["/{p}", path("matrix", true), "..", "/;p=.."],
    ["/l{p}", path("label", true), ["x", "y"], "/l.x.y"],
    ["/{p}", path("label", false), "x", "/.x"],
    ["/{p}", path("label", false), ".", undefined],
    ["/{p}", path("label", false), "", undefined],
    ["/{p}", path("label", true), [], undefined],
    ["/a{p}", path("simple", false), "..", "/a.."],
    ["/{p}.json", path("simple", false), ".", "/..json"],
    ["/{p}.", path("simple", false), ".", undefined],
    ["/{p}.", path("simple", false), "", undefined],
    ["/{p}:run", path("simple", false), "..", "/..:run"],
    ["/{p}/x", path("simple", false), ["..", "x"], "/..,x/x"],
  ];
  test.each(inSegment)("in %s, spelt %j, %j", (template, of, value, want) => {
    const send = () => plan(operation(template, { parameters: [of] }), [at(named("path", "p"), value)]).url;
    if (want === undefined) expect(refusal(send).code).toBe("invalid_arguments");
    else expect(send()).toBe(`https://api.example.com/v1${want}`);
  });

  test("a query that stands in the template is filled from the path and otherwise left to its parameters", () => {
    const of = operation("/x?beta=true&a={p}&q={q}&s=a b", { parameters: [parameter("query", "q")] });
    const sent = plan(of, [at(named("path", "p"), "1&2"), at(named("query", "q"), "z")]);
    expect(sent.url).toBe("https://api.example.com/v1/x?beta=true&a=1%262&s=a%20b&q=z");
  });

  test("a path parameter without a value is refused", () => {
    expect(refusal(() => plan(of, [input("id", named("path", "id"))])).detail.path).toBe("id");
  });
});

describe("headers", () => {
  const send = (value: Json, more: Partial<ResolvedUpstream> = {}) =>
    plan(operation("/h"), [input("t", named("header", "X-Tenant"))], { t: value }, more);
  const headers = (request: UpstreamRequest) => Object.fromEntries(request.headers);

  test("say what is accepted and who asks", () => {
    expect(headers(plan(operation("/h"), []))).toEqual({ accept: "application/json", "user-agent": "vitrine" });
  });
  const fine: [Json, string][] = [
    ["t", "t"],
    [false, "false"],
    [[1, 2], "1,2"],
    ["", ""],
    ["a\tb", "a\tb"],
    ["a, b; c", "a, b; c"],
  ];
  test.each(fine)("%j is sent as %j", (value, want) => {
    expect(headers(send(value))["x-tenant"]).toBe(want);
  });
  test.each(["a\r\nX-Evil: 1", "a\n", "a\0", "ü", " a", "a ", "\x7f", "x".repeat(8193), "a\u2028b"])(
    "%j is refused",
    (value) => {
      const error = refusal(() => send(value));
      expect([error.code, error.detail.path]).toEqual(["invalid_arguments", "t"]);
    },
  );
  test("any text is either refused or sent as it is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string()), (value) => {
        try {
          const sent = headers(send(value))["x-tenant"] ?? "";
          expect([sent, /[^\t\x20-\x7e]/.test(sent), sent.trim() === sent]).toEqual([value, false, true]);
        } catch (error) {
          if (!(error instanceof ToolError)) throw error;
        }
      }),
    );
  });
  test("the author's own win over a caller's, pins win over both", () => {
    const own: Partial<ResolvedUpstream> = {
      headers: [
        ["x-tenant", "author"],
        ["accept", "text/x"],
      ],
    };
    expect(headers(send("caller", own))).toMatchObject({ "x-tenant": "author", accept: "text/x" });
    const pin = at(named("header", "X-TENANT"), "pin", { pinned: true });
    expect(
      headers(plan(operation("/h"), [input("t", named("header", "x-tenant")), pin], { t: "caller" }, own))["x-tenant"],
    ).toBe("pin");
  });
  test("cookies go into one header", () => {
    const bindings = [at(named("cookie", "sid"), "a b;c"), at(named("cookie", "dbg"), 1)];
    expect(headers(plan(operation("/c"), bindings)).cookie).toBe("sid=a%20b%3Bc; dbg=1");
  });
});

describe("a value is converted to its place's type or refused", () => {
  type Type = Binding["type"];
  const fine: [Json, Type, string][] = [
    [1, "string", '"1"'],
    [true, "string", '"true"'],
    [1e21, "string", '"1000000000000000000000"'],
    ["007", "string", '"007"'],
    ["12", "integer", "12"],
    [12, "integer", "12"],
    ["9007199254740993", "integer", "9007199254740993"],
    ["-9223372036854775808", "integer", "-9223372036854775808"],
    ["0", "integer", "0"],
    ["1.5", "number", "1.5"],
    ["1.10", "number", "1.1"],
    ["0.1234567890123456789", "number", "0.1234567890123456789"],
    ["1e3", "number", "1000"],
    ["9007199254740993", "number", "9007199254740993"],
    [1e300, "number", "1e+300"],
    ["true", "boolean", "true"],
    [false, "boolean", "false"],
    [[1], "array", "[1]"],
    [{ a: 1 }, "object", '{"a":1}'],
    [["x", { y: null }], "any", '["x",{"y":null}]'],
  ];
  test.each(fine)("%j as %s is %s", (value, type, want) => {
    expect(plan(operation("/b", json), [input("x", inBody("x"), { type })], { x: value }).body).toBe(`{"x":${want}}`);
  });
  const bad: [Json, Type][] = [
    [[1], "string"],
    [{}, "string"],
    ["1.5", "integer"],
    [1.5, "integer"],
    ["007", "integer"],
    ["-0", "integer"],
    ["", "integer"],
    [" 1", "integer"],
    ["0x10", "integer"],
    [true, "integer"],
    [2 ** 53, "integer"],
    ["1e400", "integer"],
    ["abc", "number"],
    ["NaN", "number"],
    ["Infinity", "number"],
    ["1e9999", "number"],
    ["yes", "boolean"],
    [1, "boolean"],
    ["a", "array"],
    [{}, "array"],
    ["{}", "object"],
    [[], "object"],
    [1, "object"],
  ];
  test.each(bad)("%j is no %s", (value, type) => {
    const error = refusal(() => plan(operation("/b", json), [input("x", inBody("x"), { type })], { x: value }));
    expect([error.code, error.detail.path]).toEqual(["invalid_arguments", "x"]);
  });
  test.each(["9007199254740993", "-9223372036854775808"])(
    "%s arrives with all its digits in path, query, header and body",
    (digits) => {
      const request = plan(
        operation("/{a}", json),
        [named("path", "a"), named("query", "b"), named("header", "c"), inBody("d", "e")].map((place) =>
          input("n", place, { type: "integer" }),
        ),
        { n: digits },
      );
      expect([request.url, Object.fromEntries(request.headers).c, request.body]).toEqual([
        `https://api.example.com/v1/${digits}?b=${digits}`,
        digits,
        `{"d":{"e":${digits}}}`,
      ]);
    },
  );
});

describe("what stands inside a list or an object is converted too", () => {
  const inside = [
    { pointer: ["-", "id"], type: "integer" },
    { pointer: ["-", "ref"], type: "string" },
    { pointer: ["-", "map", "-"], type: "number" },
  ] as const;
  const cases: [title: string, given: Json, want: string][] = [
    ["digits beyond 2^53", [{ id: "9007199254740993" }], '[{"id":9007199254740993}]'],
    ["digits as text for a number, a number for a text", [{ id: "5", ref: 7 }], '[{"id":5,"ref":"7"}]'],
    ["the values of a map", [{ map: { a: "1.5", b: 2 } }], '[{"map":{"a":1.5,"b":2}}]'],
    [
      "nothing that has no such form",
      [{ id: "x", ref: null, map: ["1"], more: "1" }, "2"],
      '[{"id":"x","ref":null,"map":[1],"more":"1"},"2"]',
    ],
  ];
  test.each(cases)("%s", (_title, given, want) => {
    const bindings = [input("x", inBody("x"), { type: "array", inside })];
    expect(plan(operation("/b", json), bindings, { x: given }).body).toBe(`{"x":${want}}`);
  });
});

describe("null", () => {
  const send = (more: Partial<Binding>, place: Place = inBody("x")) =>
    plan(operation("/b", json), [input("x", place, more)], { x: null });
  test("leaves an optional place out", () => {
    expect(send({}).body).toBe("{}");
    expect(send({ nullable: true }).body).toBe("{}");
  });
  test("is sent to a required place that takes it", () => {
    expect(send({ required: true, nullable: true }).body).toBe('{"x":null}');
  });
  test("is refused for any other, before anything is sent", () => {
    expect(refusal(() => send({ required: true })).detail).toMatchObject({ path: "x" });
  });
});

describe("the body", () => {
  test("is built from places of any depth, over what an input gives whole", () => {
    const bindings = [
      input("query", inBody()),
      at(inBody("range", "from"), 1),
      at(inBody("range", "to"), 2),
      at(inBody("a/b"), 3),
    ];
    expect(plan(operation("/b", json), bindings, { query: { range: { from: 0, zone: "utc" }, keep: true } }).body).toBe(
      '{"range":{"from":1,"zone":"utc","to":2},"keep":true,"a/b":3}',
    );
  });
  test("takes a key `__proto__` as any other and changes no prototype", () => {
    const body = plan(operation("/b", json), [
      at(inBody("__proto__", "polluted"), 1),
      at(inBody("constructor", "prototype", "polluted"), 1),
    ]).body;
    expect(body).toBe('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
  test("is absent where nothing is set and none is required", () => {
    const request = plan(
      operation("/b", { method: "POST", body: { required: false, mediaType: "application/json", encoding: [] } }),
      [at(inBody("x"), null)],
    );
    expect([request.body, request.headers.some(([name]) => name === "content-type")]).toEqual([undefined, false]);
  });
  test("leaves the caller's arguments as they were", () => {
    const query = Object.freeze({ range: Object.freeze({ from: 0 }) });
    expect(() =>
      plan(operation("/b", json), [input("query", inBody()), at(inBody("range", "from"), 1)], { query }),
    ).not.toThrow();
  });
});

describe("pins", () => {
  const pin = (place: Place, more: Partial<Binding> = {}) =>
    at(place, "t-1", { pinned: true, required: true, type: "string", ...more });

  test("win in every place, wherever they stand in the list", () => {
    const places = [
      named("path", "t"),
      named("query", "t"),
      named("header", "t"),
      named("cookie", "t"),
      inBody("deep", "t"),
    ];
    const bindings = [...places.map((place) => pin(place)), ...places.map((place) => input("t", place))];
    const request = plan(operation("/{t}", json), bindings, { t: "evil" });
    expect(JSON.stringify(request)).not.toContain("evil");
    expect([request.url, request.body, Object.fromEntries(request.headers)]).toMatchObject([
      "https://api.example.com/v1/t-1?t=t-1",
      '{"deep":{"t":"t-1"}}',
      { t: "t-1", cookie: "t=t-1" },
    ]);
  });

  test("in optional parts of a body are set only where their holder is sent", () => {
    const bindings = [
      input("query", inBody()),
      pin(inBody("items", "-", "t"), { whereSent: true }),
      pin(inBody("map", "-", "t"), { whereSent: true }),
      pin(inBody("none", "t"), { whereSent: true }),
    ];
    const query = { items: [{ t: "evil" }, { a: 1 }, "x"], map: { k: { t: "evil" } } };
    expect(plan(operation("/b", json), bindings, { query }).body).toBe(
      '{"items":[{"t":"t-1"},{"a":1,"t":"t-1"},"x"],"map":{"k":{"t":"t-1"}}}',
    );
  });

  const smuggled: [string, OperationPlan, Place][] = [
    ["an exploded query object", operation("/x", { parameters: [parameter("query", "more")] }), named("query", "more")],
    ["an exploded cookie object", operation("/x"), named("cookie", "more")],
    [
      "a form body",
      operation("/x", {
        method: "POST",
        body: {
          required: true,
          mediaType: "application/x-www-form-urlencoded",
          encoding: [{ property: "more", style: "form", explode: true }],
        },
      }),
      inBody("more"),
    ],
  ];
  test.each(smuggled)("cannot be sent a second time through %s", (_title, of, place) => {
    const where = place.in === "body" ? inBody("tenantID") : named(place.in as "query", "tenantID");
    for (const name of ["tenantID", "TENANTID"]) {
      expect(refusal(() => plan(of, [pin(where), input("more", place)], { more: { [name]: "evil" } })).code).toBe(
        "pinned_argument",
      );
    }
    expect(() => plan(of, [pin(where), input("more", place)], { more: { other: "fine" } })).not.toThrow();
  });

  test("hold on the wire whatever a caller writes elsewhere", () => {
    const parameters = [
      parameter("query", "more"),
      parameter("query", "deep", { style: "deepObject" }),
      parameter("query", "tenantID"),
    ];
    const of = operation("/{id}/x", { parameters, ...json });
    const bindings = [
      pin(named("query", "tenantID")),
      pin(named("query", "deep", "tenantID")),
      pin(inBody("tenantID")),
      pin(inBody("range", "tenantID")),
      input("id", named("path", "id")),
      input("more", named("query", "more")),
      input("deep", named("query", "deep")),
      input("range", inBody("range")),
      input("text", named("header", "x")),
    ];
    const name = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom("tenantID", "tenantid", "tenantID]", "tenantID=x", "&tenantID", "__proto__"),
    );
    const value = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom("x&tenantID=evil", "t-1", "#", "..", "\r\n"),
    );
    fc.assert(
      fc.property(
        value,
        fc.dictionary(name, value),
        fc.dictionary(name, value),
        fc.dictionary(name, value),
        value,
        (id, more, deep, range, text) => {
          let request: UpstreamRequest;
          try {
            request = plan(of, bindings, { id, more, deep, range, text });
          } catch (error) {
            expect(error).toBeInstanceOf(ToolError);
            return;
          }
          const url = new URL(request.url);
          const body = JSON.parse(String(request.body));
          expect([
            url.origin,
            url.pathname.split("/").length,
            url.searchParams.getAll("tenantID"),
            url.searchParams.getAll("deep[tenantID]"),
            body.tenantID,
            body.range.tenantID,
          ]).toEqual(["https://api.example.com", 4, ["t-1"], ["t-1"], "t-1", "t-1"]);
          expect(request.headers.every(([, one]) => /^[\t\x20-\x7e]*$/.test(one))).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
