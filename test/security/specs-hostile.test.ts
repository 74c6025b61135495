import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apiOfText, compileText, curationText, shown } from "../compile/compile-text.ts";
import { openTools } from "./open-tools.ts";

describe("names that every object has are names like any other, from the spec to the wire", () => {
  const NAMES = ["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"];
  let before: PropertyDescriptorMap;
  beforeEach(() => {
    before = Object.getOwnPropertyDescriptors(Object.prototype);
  });
  afterEach(() => {
    expect(Object.getOwnPropertyDescriptors(Object.prototype)).toEqual(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  const specOf = (name: string) => `paths:
  /${name}/{${name}}:
    parameters: [{name: ${name}, in: path, required: true, schema: {type: string}}]
    post:
      operationId: ${name}
      tags: [${name}]
      parameters: [{name: ${name}, in: query, schema: {$ref: '#/components/schemas/${name}'}}, {name: ${name}, in: header, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {${name}: {type: object, properties: {polluted: {type: boolean}}}}}}}}
      responses: {200: {description: ok, content: {application/json: {schema: {type: object, properties: {${name}: {type: string}}}}}}}
components:
  schemas: {${name}: {type: string, enum: [${name}, other]}}
`;

  test.each(NAMES)("%s", async (name) => {
    const tools = `it_is:
  operation: ${name === "__proto__" ? `'POST /${name}/{${name}}'` : name}
  effect: read
  use: Does.
  input: {a: {}, b: {}, c: {}, d: {type: boolean}}
  args: {path.${name}: "\${input.a}", query.${name}: "\${input.b}", header.${name}: "\${input.c}", body/some/polluted: "\${input.d}"}
  result: {value: {got: '"${name}"'}}`.replace("body/some", name === "__proto__" ? "body/other" : `body/${name}`);
    const spec =
      name === "__proto__"
        ? specOf(name).replace("properties: {__proto__: {type: object", "properties: {other: {type: object")
        : specOf(name);
    const { call, sent } = await openTools(spec, tools, () => ({ body: JSON.parse(`{"${name}":"mine"}`) }));
    const reply = await call("it_is", { a: "1", b: name, c: "h", d: true });
    expect(reply).toEqual({ got: "mine" });
    expect(sent[0]?.url).toBe(`https://api.example.com/v1/${name}/1?${name}=${name}`);
    expect(sent[0]?.headers).toContainEqual([name.toLowerCase(), "h"]);
    expect(String(sent[0]?.body)).toBe(`{"${name === "__proto__" ? "other" : name}":{"polluted":true}}`);
  });
});

describe("a spec does not decide where requests go but by a plain absolute URL of http", () => {
  const TOOL = "get_a: {operation: getA, use: Gets., input: {region: {}}}";
  const specOf = (server: string) =>
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\nservers: [${server}]\npaths: {/a: {get: {operationId: getA, parameters: [{name: region, in: query, schema: {type: string}}], responses: {200: {description: ok}}}}}\n`;

  test.each([
    "{url: 'javascript:alert(1)'}",
    "{url: 'file:///etc'}",
    "{url: 'data:,x'}",
    "{url: 'ftp://api.example.com'}",
    "{url: '//api.example.com'}",
    "{url: '/v1'}",
    "{url: 'https://user:password@api.example.com'}",
    "{url: 'https://api.example.com?x=1'}",
    "{url: 'https://api.example.com#x'}",
    "{url: 'https://{host}'}",
    "{url: ''}",
  ])("%s", async (server) => {
    const { toolset, problems } = compileText(await apiOfText(specOf(server)), curationText(TOOL));
    expect(toolset).toBeUndefined();
    expect(shown(problems).join()).toMatch(/base_url_needed|bad_base_url|bad_value/);
  });

  test("a variable of a server is its default, whatever a caller calls so", async () => {
    const spec = specOf("{url: 'https://{region}.example.com', variables: {region: {default: eu, enum: [eu, us]}}}");
    const { call, sent } = await openTools(spec, TOOL, () => ({ body: {} }));
    await call("get_a", { region: "evil.example/" });
    expect(sent.map(({ url }) => url)).toEqual(["https://eu.example.com/a?region=evil.example%2F"]);
  });
});

describe("what a spec says twice", () => {
  const get = (id: string) => `{get: {operationId: ${id}, responses: {200: {description: ok}}}}`;

  test("an operationId names none of its operations, and the tool says so at its line", async () => {
    const api = await apiOfText(`paths: {/a: ${get("same")}, /b: ${get("same")}}`);
    const { problems } = compileText(api, curationText("get_it: {operation: same, use: Gets.}"));
    expect(shown(problems).join()).toMatch(/^5 \w+: .*same.*/);
    const { toolset } = compileText(api, curationText("get_it: {operation: GET /b, use: Gets.}"));
    expect(toolset?.operations.map(({ path }) => path)).toEqual(["/b"]);
  });

  test("paths that differ by the name of a parameter alone are each what was named, never the other", async () => {
    const parameter = (name: string) =>
      `parameters: [{name: ${name}, in: path, required: true, schema: {type: string}}]`;
    const spec = ["a", "b"].map(
      (name) =>
        `'/x/{${name}}': {get: {operationId: by_${name}, ${parameter(name)}, responses: {200: {description: ok}}}}`,
    );
    const { call, sent } = await openTools(
      `paths: {${spec.join(", ")}}`,
      "get_it: {operation: by_b, use: Gets., input: {b: {}}}",
      () => ({ body: {} }),
    );
    await call("get_it", { b: "1" });
    expect(sent[0]?.url).toBe("https://api.example.com/v1/x/1");
  });
});
