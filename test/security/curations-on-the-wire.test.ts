import { describe, expect, test } from "vitest";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { apiOfText, compileText, curationText, errorsOf } from "../compile/compile-text.ts";
import { openTools } from "./open-tools.ts";

const SPEC = `paths:
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getNote
      parameters: [{name: q, in: query, schema: {type: string}}, {name: X-Trace, in: header, schema: {type: string}}]
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}, text: {type: string}}}}}}}
    put:
      operationId: putNote
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {text: {type: string}, by: {type: string}}}}}}
      responses: {200: {description: ok}}
`;

describe("what stands in an argument is data: it is never read as a template again", () => {
  const TOOLS = `put_note:
  operation: putNote
  effect: read
  use: Puts.
  input: {id: {}, text: {}}
  args: {body/text: "\${input.text}"}
get_note:
  operation: getNote
  use: Gets.
  input: {id: {}, q: {}}
  args: {query.q: "\${input.q}"}`;
  const more = {
    pins: '{who: "${env.WHO}"}',
    api: 'headers: {X-Key: "${env.SECRET}"}',
    env: { WHO: "me", SECRET: "canary-secret" },
  };

  test.each([
    "${env.SECRET}",
    "${pins.who}",
    "${input.id}",
    "$${input.id}",
    "{{SECRET}}",
    "{value}",
    "`1` || env.SECRET",
    "'); env.SECRET",
    "%{env.SECRET}",
    "<%= SECRET %>",
  ])("%s", async (text) => {
    const { call, sent } = await openTools(SPEC, TOOLS, () => ({ body: {} }), {
      ...more,
      pins: `{who: {value: "\${env.WHO}", places: [body/by, header.X-Trace]}}`,
    });
    await call("put_note", { id: text, text });
    expect(JSON.parse(String(sent[0]?.body))).toEqual({ text, by: "me" });
    expect(decodeURIComponent(new URL(sent[0]!.url).pathname)).toBe(`/v1/notes/${text}`);
    await call("get_note", { id: "1", q: text });
    expect(new URL(sent[1]!.url).searchParams.get("q")).toBe(text);
    expect(sent[1]!.headers.filter(([name]) => name.toLowerCase() === "x-trace")).toEqual([["x-trace", "me"]]);
  });
});

describe("an argument chooses no host, no scheme, no name of a header and no secret's place", () => {
  const tool = (more: string) => `get_note: {operation: getNote, use: Gets., input: {id: {}, q: {}}${more}}`;
  test.each([
    ["the base URL", "forbidden_root", 'baseUrl: "https://${input.q}/v1"', tool("")],
    ["the base URL's path", "forbidden_root", 'baseUrl: "https://api.example.com/${input.q}"', tool("")],
    ["a server's variable", "forbidden_root", 'serverVariables: {region: "${input.q}"}', tool("")],
    ["a header of every request", "forbidden_root", 'headers: {X-A: "${input.q}"}', tool("")],
    [
      "a credential",
      "forbidden_root",
      `auth: {default: {apiKey: {value: "\${input.q}", in: header, name: X-Key}}}`,
      tool(""),
    ],
    ["the name of a header", "bad_place", 'headers: {"${env.NAME}": a}', tool("")],
    ["the name of a header of one tool", "bad_place", "", tool(', args: {"header.${input.q}": a}')],
    ["the name of a place", "unknown_place", "", tool(', args: {"query.${input.q}": a}')],
    ["an operation", "unknown_operation", "", tool("").replace("getNote", '"${input.q}"')],
    ["the Host header", "bad_place", "", tool(', args: {header.Host: "${input.q}"}')],
    ["the Authorization header", "bad_place", "", tool(', args: {header.Authorization: "${input.q}"}')],
    ["a part of a query's text", "free_text_in_text", "", tool(', args: {query.q: "name:${input.q}"}')],
  ])("%s: %s", async (_, code, api, tools) => {
    const text = curationText(tools, { api });
    const { problems } = loadCuration("test.yaml", text);
    const found = problems.filter(({ severity }) => severity === "error").map((one) => one.code);
    expect(found.length > 0 ? found : errorsOf(compileText(await apiOfText(SPEC), text))).toContain(code);
  });
});

describe("what the environment and the key hold is read for credentials and pins alone", () => {
  test.each([
    ["an argument", 'input: {id: {}}, args: {q: "${env.SECRET}"}'],
    ["a claim as an argument", 'input: {id: {}}, args: {q: "${key.token}"}'],
    ["a field of the reply", "input: {id: {}}, result: {fields: {a: $.env.SECRET}}"],
    ["all roots at once", 'input: {id: {}}, result: {fields: {a: "$"}}'],
    [
      "a hint on an error",
      'input: {id: {}}, errors: [{status: 400, when: "$.env.SECRET", error: no_note, recover: Look.}]',
    ],
  ])("%s cannot read it", (_, more) => {
    const { problems } = loadCuration("test.yaml", curationText(`get_note: {operation: getNote, use: Gets., ${more}}`));
    expect(problems.map(({ code }) => code)).toContain("forbidden_root");
  });

  test("and every other text is what it says, in the list of tools and on the wire", async () => {
    const text = "${env.SECRET}";
    const tools = `get_note: {operation: getNote, title: "T ${text}", use: "U ${text}.", notFor: "N ${text}.", returns: "R ${text}.", input: {id: {describe: "D ${text}."}, q: {default: "${text}"}}}`;
    const { compiled, call, sent } = await openTools(SPEC, tools, () => ({ body: { text: "a" } }), {
      api: 'headers: {X-Key: "${env.SECRET}"}',
      env: { SECRET: "canary-secret" },
    });
    const reply = await call("get_note", { id: "1" });
    expect(JSON.stringify([compiled.toolset?.tools, compiled.toolset?.server, reply])).not.toContain("canary");
    expect(sent[0]?.headers).toContainEqual(["x-key", "canary-secret"]);
    expect(new URL(sent[0]!.url).searchParams.get("q")).toBe(text);
  });
});

test("a field that the upstream adds is in no reply that names its fields, at any depth", async () => {
  const list = SPEC.replace("/notes/{id}:", "/notes:")
    .replace("    parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n", "")
    .replace(
      "{type: object, properties: {id: {type: string}, text: {type: string}}}",
      "{type: array, items: {type: object, properties: {id: {type: string}, who: {type: object, properties: {name: {type: string}}}}}}",
    );
  const canary = "canary-not-selected";
  const row = { id: "1", who: { name: "n", ssn: canary }, secret: canary, [canary]: 1 };
  const { call } = await openTools(
    list,
    'list_notes: {operation: getNote, use: Lists., result: {rows: "@", fields: {id: id, name: who.name}}}',
    () => ({
      body: [row, { ...row, id: "2" }],
      headers: { "x-secret": canary },
    }),
  );
  const reply = await call("list_notes", {});
  expect(reply["data"]).toEqual([
    { id: "1", name: "n" },
    { id: "2", name: "n" },
  ]);
  expect(JSON.stringify(reply)).not.toContain(canary);
});
