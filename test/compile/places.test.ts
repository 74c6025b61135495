import { describe, expect, test } from "vitest";
import type { Binding } from "../../src/model/call.ts";
import { placeText } from "../../src/model/place.ts";
import { compileTools, errorsOf, shown, toolOf } from "./compile-text.ts";

const SPEC = `
security: [{key: []}]
paths:
  /users/{id}:
    put:
      operationId: putUser
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: id, in: query, schema: {type: string}}
        - {name: x-api-key, in: header, required: true, schema: {type: string}}
        - {name: X-Tenant, in: header, schema: {type: string}}
        - {name: mode, in: query, required: true, schema: {type: string, default: fast}}
        - name: created
          in: query
          style: deepObject
          schema: {anyOf: [{type: object, properties: {gte: {type: integer}, lt: {type: integer}}}, {type: integer}]}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/User'}
          application/xml: {schema: {type: object}}
      responses: {'200': {description: ok}}
  /search:
    get:
      operationId: search
      parameters:
        - {name: q, in: query, schema: {type: string}}
        - {name: page, in: query, schema: {type: integer}}
        - {name: state, in: query, schema: {type: string, enum: [open, closed]}}
      responses: {'200': {description: ok}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Api-Key}}
  schemas:
    User:
      type: object
      required: [name, kind, created]
      properties:
        id: {type: integer}
        name: {type: string, nullable: true}
        kind: {const: person}
        created: {type: string, readOnly: true}
        note: {type: [string, 'null']}
        range: {type: object, required: [from, unit], properties: {from: {type: string, format: date-time}, to: {type: string}, unit: {type: string, enum: [day]}}}
        labels: {type: object, additionalProperties: {type: string}}
        extra: {}
`;

function put(input: string, args = "{}", more = "") {
  return compileTools(
    SPEC,
    `put_user: {operation: putUser, effect: read, use: Test., input: ${input}, args: ${args}${more}}`,
  );
}

/** `place = value`, with * for what must be sent and ? for what waits for its object. */
function bindingsOf(result: Awaited<ReturnType<typeof put>>): string[] {
  const { plan } = toolOf(result);
  return plan.kind === "call" ? plan.call.bindings.map(showBinding) : [];
}

function showBinding({ place, value, required, type, whereSent }: Binding): string {
  const shownValue =
    value.kind === "expression"
      ? value.expression.jmespath
      : value.kind === "literal"
        ? JSON.stringify(value.value)
        : value.kind;
  return `${placeText(place)}${required ? "*" : ""}${whereSent ? "?" : ""} = ${shownValue} (${type})`;
}

describe("where a value goes", () => {
  const cases: readonly [title: string, input: string, args: string, want: readonly string[]][] = [
    [
      "an input that nothing names goes to the place of its own name",
      "{name: {}, note: {}}",
      "{path.id: '1'}",
      [
        'path.id* = "1" (string)',
        "body/name* = input.name (string)",
        "body/note = input.note (string)",
        'query.mode* = "fast" (string)',
        'body/kind* = "person" (string)',
      ],
    ],
    [
      "the same name in path, query and body are three places",
      "{a: {}, b: {}, c: {}, name: {}}",
      "{path.id: '${input.a}', query.id: '${input.b}', body/id: '${input.c}'}",
      [
        "path.id* = input.a (string)",
        "query.id = input.b (string)",
        "body/id = input.c (integer)",
        "body/name* = input.name (string)",
        'query.mode* = "fast" (string)',
        'body/kind* = "person" (string)',
      ],
    ],
    [
      "a pointer leads inside a parameter and a map",
      "{since: {}, colour: {}, name: {}}",
      "{path.id: '1', query.created/gte: '${input.since}', body/labels/colour: '${input.colour}'}",
      [
        'path.id* = "1" (string)',
        "query.created/gte = input.since (integer)",
        "body/labels/colour = input.colour (string)",
        "body/name* = input.name (string)",
        'query.mode* = "fast" (string)',
        'body/kind* = "person" (string)',
      ],
    ],
    [
      "a header is named without letter case",
      "{name: {}, tenant: {}}",
      "{path.id: '1', header.x-tenant: '${input.tenant}'}",
      [
        'path.id* = "1" (string)',
        "header.x-tenant = input.tenant (string)",
        "body/name* = input.name (string)",
        'query.mode* = "fast" (string)',
        'body/kind* = "person" (string)',
      ],
    ],
    [
      "what an optional object needs waits for it",
      "{name: {}, from: {}}",
      "{path.id: '1', body/range/from: '${input.from}'}",
      [
        'path.id* = "1" (string)',
        "body/range/from = input.from (string)",
        "body/name* = input.name (string)",
        'query.mode* = "fast" (string)',
        'body/kind* = "person" (string)',
        'body/range/unit*? = "day" (string)',
      ],
    ],
  ];
  test.each(cases)("%s", async (_title, input, args, want) => {
    expect(bindingsOf(await put(input, args))).toStrictEqual(want);
  });

  test("of an operation only the parameters that are filled are kept, and the body's JSON", async () => {
    const { toolset } = await put("{name: {}}", "{path.id: '1'}");
    const [plan] = toolset!.operations;
    expect(plan!.parameters.map(({ in: where, name }) => `${where}.${name}`)).toStrictEqual(["path.id", "query.mode"]);
    expect(plan!.body).toStrictEqual({ required: true, mediaType: "application/json", encoding: [] });
  });
});

test("of a list that goes out part by part, what is a file is known by position", async () => {
  const schema =
    "{type: array, prefixItems: [{type: object}, {type: string, format: binary}], items: {type: string, format: binary}}";
  const content = `{multipart/mixed: {schema: ${schema}, itemEncoding: {contentType: image/png}}}`;
  const spec = `openapi: 3.2.0
info: {title: Test, version: '1'}
servers: [{url: 'https://api.example.com'}]
paths: {/x: {post: {operationId: x, requestBody: {required: true, content: ${content}}, responses: {}}}}
`;
  const { toolset } = await compileTools(
    spec,
    "send: {operation: x, effect: read, use: Test., input: {all: {}}, args: {body: '${input.all}'}}",
  );
  expect(toolset!.operations[0]!.body!.encoding).toStrictEqual([
    { property: "1", file: true },
    { property: "*", contentType: "image/png", file: true },
  ]);
});

describe("which inputs a caller must give", () => {
  const optional = `paths: {/jobs: {post: {operationId: start, requestBody: {content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string}, b: {type: string}, o: {type: object, required: [c], properties: {c: {type: string}, d: {type: string}}}}}}}}, responses: {'200': {description: ok}}}}}`;
  const needed = optional.replace("requestBody: {", "requestBody: {required: true, ");
  const job = (spec: string, input: string, args = "{}") =>
    compileTools(spec, `start: {operation: start, effect: read, use: Test., input: ${input}, args: ${args}}`);

  const cases: readonly [
    title: string,
    spec: string,
    input: string,
    args: string,
    want: readonly string[] | undefined,
  ][] = [
    ["none, where the body is optional", optional, "{a: {}, b: {}}", "{}", undefined],
    ["what the body needs, where it is required", needed, "{a: {}, b: {}}", "{}", ["a"]],
    ["what the body needs, where something is sent in it anyway", optional, "{a: {}}", "{body/b: x}", ["a"]],
    [
      "what the body needs, where an input with a default is sent in it",
      optional,
      "{a: {}, b: {default: x}}",
      "{}",
      ["a"],
    ],
    [
      "what an inner object needs, where something is sent in it anyway",
      needed,
      "{a: {}, c: {}}",
      "{body/o/c: '${input.c}', body/o/d: x}",
      ["a", "c"],
    ],
    ["none of an inner object that may be left out", needed, "{a: {}, c: {}}", "{body/o/c: '${input.c}'}", ["a"]],
    ["not one with a default", needed, "{a: {default: x}}", "{}", undefined],
    ["what the author says", needed, "{a: {}, b: {required: true}}", "{}", ["a", "b"]],
    ["not what the author says is not", needed, "{a: {required: false}}", "{}", undefined],
    [
      "not one whose default the spec says",
      needed.replace("a: {type: string}", "a: {type: string, default: x}"),
      "{a: {}}",
      "{}",
      undefined,
    ],
  ];
  test.each(cases)("%s", async (_title, spec, input, args, want) => {
    expect(toolOf(await job(spec, input, args)).inputSchema.required).toStrictEqual(want);
  });

  test("what the spec fills in by itself is then sent, for the place needs it", async () => {
    const spec = needed.replace("a: {type: string}", "a: {type: string, default: x}");
    expect(toolOf(await job(spec, "{a: {}}")).inputs[0]?.default).toStrictEqual({ kind: "literal", value: "x" });
  });
});

describe("mistakes", () => {
  const mistakes: readonly [title: string, input: string, args: string, want: string][] = [
    [
      "an unknown name",
      "{name: {}, nmae: {}}",
      "{path.id: '1'}",
      'unknown_place: putUser has no parameter and no top-level body property `nmae`. Did you mean "name"? A name of your own is sent by args: { name: "${input.nmae}" }.',
    ],
    [
      "an unknown place",
      "{name: {}}",
      "{path.id: '1', query.crated: 1}",
      'unknown_place: putUser has no `query.crated`. Did you mean "query.created" or "body/created"?',
    ],
    [
      "an unknown property",
      "{name: {}}",
      "{path.id: '1', body/range/form: x, body/range/from: y}",
      'unknown_place: There is no `form` in `body/range` of putUser. Did you mean "from"?',
    ],
    [
      "a name in two places",
      "{id: {}, name: {}}",
      "{path.id: '1'}",
      "ambiguous_name: `id` is both `path.id` and `query.id` and `body/id` in putUser. Write the place under `args`.",
    ],
    [
      "a credential by its place",
      "{name: {}}",
      "{path.id: '1', header.X-API-KEY: x}",
      "refused_place: `header.x-api-key` carries a credential. Write it under `api.auth`.",
    ],
    [
      "the media type's header",
      "{name: {}}",
      "{path.id: '1', header.Accept: text/csv}",
      "refused_place: `header.accept` may not be set. Use `accept:`.",
    ],
    [
      "an input that nobody knows",
      "{name: {}}",
      "{path.id: '${input.nam}'}",
      'unknown_input: There is no input `nam`. Did you mean "name"?',
    ],
    [
      "a pin that nobody knows",
      "{name: {}}",
      "{path.id: '${pins.tenant}'}",
      "unknown_pin: There is no pin `tenant`. There is no pin at all.",
    ],
    [
      "a place that is filled twice",
      "{name: {}, other: {}}",
      "{path.id: '1', name: '${input.other}', body/name: x}",
      "place_twice: `body/name` is filled twice. Keep one of the two.",
    ],
    [
      "a literal of another type",
      "{name: {}}",
      "{path.id: '1', body/id: many}",
      'bad_value: "many" is no integer, which the spec wants here. Write a value that is an integer; or `unchecked: true` where the spec is wrong.',
    ],
    [
      "an input that has no type",
      "{name: {}, x: {}}",
      "{path.id: '1', body/note: '${input.x && input.name}'}",
      "place_needs_type: `x` stands whole in no place, so its type is not known. Add `type`.",
    ],
    [
      "a place of which the spec says nothing",
      "{name: {}, x: {}}",
      "{path.id: '1', body/extra/deep: '${input.x}'}",
      "place_needs_type: `x` goes to a place of which the spec says nothing, so its type is not known. Add `type`.",
    ],
    [
      "what is required and not filled",
      "{name: {}}",
      "{}",
      "required_unfilled: `path.id` is required by `putUser`, and nothing fills it. Add an input of that name, or send a value through `args`.",
    ],
    [
      "what an object that is filled in part requires",
      "{name: {}, to: {}}",
      "{path.id: '1', body/range/to: '${input.to}'}",
      "required_unfilled: `body/range/from` is required by `putUser`, and nothing fills it. Add an input of that name, or send a value through `args`.",
    ],
  ];
  test.each(mistakes)("%s", async (_title, input, args, want) => {
    const result = await put(input, args);
    expect(result.toolset).toBeUndefined();
    const errors = shown(result.problems.filter(({ severity }) => severity === "error"));
    expect(errors.map((line) => line.replace(/^\d+ /, ""))).toContain(want);
  });

  test("a place that the spec does not have is fine where the author says that the spec is wrong", async () => {
    const result = await put(
      "{name: {}, x: {type: string}}",
      "{path.id: '1', query.x: '${input.x}', body/range: null}",
      ", unchecked: true",
    );
    expect(errorsOf(result)).toStrictEqual([]);
    expect(result.toolset!.operations[0]!.parameters.at(-1)).toMatchObject({
      in: "query",
      name: "x",
      style: "form",
      explode: true,
    });
  });

  test("an unknown media type, and a known one", async () => {
    expect(errorsOf(await put("{name: {}}", "{path.id: '1'}", ", contentType: text/plain"))).toContain(
      "unknown_media_type",
    );
    const result = await put("{}", "{path.id: '1', body: <user/>}", ", contentType: application/xml");
    expect(result.toolset!.operations[0]!.body?.mediaType).toBe("application/xml");
  });
});

describe("free text meets no query language", () => {
  const cases: readonly [title: string, args: string, want: readonly string[]][] = [
    ["free text beside other text", "{q: 'name:${input.text}'}", ["free_text_in_text"]],
    ["free text inside a list", "{q: ['name:${input.text}']}", ["free_text_in_text"]],
    ["what is computed of free text", "{q: 'name:${to_string(input.text)}'}", ["free_text_in_text"]],
    ["free text by itself", "{q: '${input.text}'}", []],
    ["an integer, a boolean and one of a list", "{q: 'a:${input.count} b:${input.flag} c:${input.state}'}", []],
    ["a pin", "{q: 'team:${pins.team}'}", []],
  ];
  test.each(cases)("%s", async (_title, args, want) => {
    const input =
      "{text: {type: string}, count: {type: integer}, flag: {type: boolean}, state: {enum: [open, closed]}}";
    const tools = `find: {operation: search, use: Test., unpinned: {team: none}, input: ${input}, args: ${args}, errors: [{when: "$.input.text && $.input.count && $.input.flag && $.input.state", error: x, recover: Stop.}]}`;
    const result = await compileTools(SPEC, tools, { pins: "{team: a}" });
    expect(errorsOf(result)).toStrictEqual(want);
  });

  test("a path segment is escaped whole, so free text may stand in it", async () => {
    expect(errorsOf(await put("{name: {}, text: {type: string}}", "{path.id: 'u-${input.text}'}"))).toStrictEqual([]);
  });
});

describe("a header that the spec requires and no curation sends", () => {
  const compile = (name: string, more = "") =>
    compileTools(
      `
paths:
  /x:
    get:
      operationId: x
      parameters: [{name: ${name}, in: header, required: true, schema: {type: string${more}}}]
      responses: {'200': {description: ok}}
`,
      "get_x: {operation: x, use: Test.}",
    );

  test.each(["Host", "content-length", "Connection", "User-Agent"])("%s: the client writes it", async (name) => {
    const { toolset, problems } = await compile(name);
    expect([toolset?.tools.length, shown(problems)]).toEqual([1, []]);
  });

  test.each(["X-Forwarded-For", "Content-Encoding", "Proxy-Authorization", "TE"])(
    "%s: a note says that it is not sent",
    async (name) => {
      const { toolset, problems } = await compile(name);
      expect(toolset?.tools).toHaveLength(1);
      expect(problems).toMatchObject([
        {
          code: "header_unsent",
          severity: "note",
          message: `\`header.${name}\` is required by \`x\`, and is not sent.`,
          hint: expect.stringContaining("may not be set"),
        },
      ]);
    },
  );

  test.each(["Content-Range", "X-HTTP-Method-Override", "X-Rewrite-URL"])(
    "%s: the request would mean another thing without, so it is an error",
    async (name) => {
      const { toolset, problems } = await compile(name);
      expect(toolset).toBeUndefined();
      expect(problems).toMatchObject([
        { code: "required_unfilled", hint: expect.stringMatching(/may not be set: .*\. So no tool can send/) },
      ]);
    },
  );

  test("its default is not sent in its place", async () => {
    const { toolset } = await compile("Host", ", default: internal");
    expect(toolset?.tools[0]).toMatchObject({ plan: { kind: "call", call: { bindings: [] } } });
  });

  test("but a cookie is a credential, which can be written", async () => {
    expect((await compile("Cookie")).problems).toMatchObject([
      { code: "required_unfilled", hint: expect.stringContaining("apiKey: { value: …, in: header, name: Cookie }") },
    ]);
  });
});

describe("a required parameter that says it is the credential", () => {
  const told = "Authentication token. Requires scope: read";
  const spec = (description: string, security: string) => `
paths:
  /huts:
    get:
      operationId: listHuts
      security: ${security}
      parameters: [{name: token, in: query, required: true, description: '${description}', schema: {type: string}}]
      responses: {'200': {description: ok}}
components: {securitySchemes: {main: {type: http, scheme: bearer}}}
`;
  const cases: [title: string, description: string, security: string, want: readonly string[]][] = [
    ["is sent by the scheme of its operation", told, "[{main: []}]", []],
    ["is unfilled where its operation asks for no scheme", told, "[]", ["required_unfilled"]],
    ["is unfilled where it may be a value like others", "The token to look up.", "[{main: []}]", ["required_unfilled"]],
  ];
  test.each(cases)("%s", async (_title, description, security, want) => {
    const parts = { api: "auth: {main: {bearer: '${env.TOKEN}'}}" };
    const result = await compileTools(
      spec(description, security),
      "list_huts: {operation: listHuts, use: Test.}",
      parts,
    );
    expect(errorsOf(result)).toStrictEqual(want);
  });
});
