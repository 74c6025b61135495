import { describe, expect, test } from "vitest";
import { isFault } from "../../src/model/api.ts";
import { checkSpec } from "../../src/spec/check-spec.ts";
import { apiOfText, compileText, curationText, shown } from "./compile-text.ts";

const OK = "responses: {'200': {description: ok}}";
const SPEC = `openapi: 3.1.0
info: {title: Faulty, version: '1'}
servers: [{url: 'https://api.example.com'}]
paths:
  /good: {get: {operationId: good, ${OK}}}
  /also/{id}: {get: {operationId: alsoGood, ${OK}}}
  /dangling: {get: {operationId: dangling, parameters: [{$ref: '#/components/parameters/None'}], ${OK}}}
  /away: {get: {operationId: away, parameters: [{name: q, in: query, schema: {$ref: '../../outside.yaml'}}], ${OK}}}
  /circle: {post: {operationId: circle, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Loop'}}}}, ${OK}}}
  /nowhere: {get: {operationId: nowhere, parameters: [{name: q, in: the-air}], ${OK}}}
  /gone: {get: {operationId: gone, responses: {'200': {$ref: gone.yaml}}}}
components:
  schemas: {Loop: {$ref: '#/components/schemas/Pool'}, Pool: {$ref: '#/components/schemas/Loop'}}
`;
const BROKEN = ["dangling", "away", "circle", "nowhere", "gone"];

describe("a spec with faults of five kinds", () => {
  const tools = ["good", "alsoGood", ...BROKEN].map(
    (id) => `${id.toLowerCase()}: {operation: ${id}, use: Do it.${id === "alsoGood" ? ", input: {id: {}}" : ""}}`,
  );

  test("serves every tool that they do not touch, and says of the others why not", async () => {
    const api = await apiOfText(SPEC);
    const { toolset, problems } = compileText(api, curationText(tools.join("\n"), { server: "writes: true" }));
    expect(toolset?.tools.map(({ name }) => name)).toEqual(["alsogood", "good"]);
    const errors = problems.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code }) => code)).toEqual(BROKEN.map(() => "spec_fault"));
    const whys = [
      /leads nowhere/,
      /leads out of the folder/,
      /only leads back to itself/,
      /where OpenAPI has none/,
      /does not exist/,
    ];
    expect(shown(errors)).toEqual(whys.map((why) => expect.stringMatching(why)));
  });

  test("has each of them among the findings, none an error", async () => {
    const api = await apiOfText(SPEC);
    expect(api.index.filter((entry) => isFault(api.read(entry))).map(({ id }) => id)).toEqual(BROKEN);
    const faults = (await checkSpec(api)).filter(({ code }) => code === "spec_fault");
    expect(faults.map(({ severity, line }) => [severity, line])).toEqual(
      expect.arrayContaining([7, 8, 9, 10, 11].map((line) => ["warning", line])),
    );
  });
});
