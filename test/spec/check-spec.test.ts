import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Api } from "../../src/model/api.ts";
import { checkSpec } from "../../src/spec/check-spec.ts";
import { openapi, openSpec, openText, SOURCE } from "./open-spec.ts";

const HEAD = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\n";
const OK = "responses: {'200': {description: ok}}";

describe("findings about the spec itself", () => {
  test("a sound spec has none", async () => {
    expect(await checkSpec(await openText(`${HEAD}paths: {/a: {get: {${OK}}}}`))).toEqual([]);
  });

  test("what the validator finds is a warning", async () => {
    const problems = await checkSpec(
      await openText(`${HEAD}paths: {/a/{id}: {get: {${OK}}}}`.replace("/a/{id}", "'/a/{id}'")),
    );
    expect(problems).toMatchObject([
      {
        code: "spec_invalid",
        severity: "warning",
        file: SOURCE,
        message: expect.stringContaining("missing path parameter"),
      },
    ]);
  });

  test("a broken operation is a warning at its line, with its pointer", async () => {
    const [first] = await checkSpec(
      await openText(
        `${HEAD}paths:\n  /a:\n    get:\n      parameters:\n        - $ref: '#/components/parameters/Missing'\n      ${OK}`,
      ),
    );
    expect(first).toMatchObject({
      ...{ code: "spec_fault", severity: "warning", line: 7, column: 11 },
      message: 'GET /a: $ref "#/components/parameters/Missing" leads nowhere. At #/paths/~1a/get/parameters/0.',
    });
  });

  test("a broken reference that no operation needs is one too, and one in an example is not", async () => {
    const schemas = {
      A: {
        properties: { example: { $ref: "#/x" }, b: { $ref: "other.yaml" } },
        example: { $ref: "#/y" },
        default: { $ref: "#/z" },
      },
    };
    const problems = await checkSpec(await openSpec(openapi("3.1.0", { paths: {}, components: { schemas } })));
    expect(problems.filter(({ code }) => code === "spec_fault").map(({ message }) => message)).toEqual([
      '$ref "#/x" leads nowhere. At #/components/schemas/A/properties/example.',
      '$ref "other.yaml" leads to a document that cannot be read: https://spec.example/other.yaml: the server answered 404, not 200. At #/components/schemas/A/properties/b.',
    ]);
  });

  test.each([
    ["openapi", "3.1"],
    ["openapi", "3.0"],
    ["swagger", "2.0"],
  ])("a version without quotes is found as one with them: %s: %s", async (key, version) => {
    const found = async (stated: string) =>
      await checkSpec(await openText(`${key}: ${stated}\ninfo: {title: t, version: '1'}\npaths: {}`));
    expect(await found(version)).toStrictEqual(await found(`"${version}"`));
  });

  test("3.2 is not known to the validator, which is a note", async () => {
    expect(await checkSpec(await openText("openapi: 3.2.0\ninfo: {title: t, version: '1'}\npaths: {}"))).toMatchObject([
      { code: "spec_not_validated", severity: "note" },
    ]);
  });

  test("the findings are at most twenty of a kind, and the rest a number", async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`/p${at}`, { get: { $ref: "gone.yaml" } }]),
    );
    const faults = (await checkSpec(await openSpec(openapi("3.0.3", { paths })))).filter(
      ({ code }) => code === "spec_fault",
    );
    expect(faults).toHaveLength(21);
    expect(faults[20]).toMatchObject({ severity: "note", message: "10 more of this kind." });
  });

  test("a validator that does not end is stopped", async () => {
    const level = (at: number) => ({
      type: "object",
      properties: Object.fromEntries(
        ["a", "b", "c"].map((name) => [name, { $ref: `#/components/schemas/L${at + 1}` }]),
      ),
    });
    const schemas = {
      ...Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`L${at}`, level(at)])),
      L16: { type: "string" },
    };
    const post = {
      requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/L0" } } } },
      responses: { 200: { description: "ok" } },
    };
    const started = performance.now();
    const problems = await checkSpec(
      await openSpec(openapi("3.0.3", { paths: { "/big": { post } }, components: { schemas } })),
      { deadlineMs: 1_500 },
    );
    expect(problems).toMatchObject([
      { code: "spec_not_validated", severity: "note", message: expect.stringContaining("stopped after 1500 ms") },
    ]);
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  test("no file that the spec names is opened", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vitrine-check-"));
    const canary = join(folder, "canary.json");
    await writeFile(canary, '{"type": "string", "description": 12345, "secret-canary": true}');
    const schema = { type: "object", properties: { a: { $ref: canary } }, example: { $ref: canary } };
    const problems = await checkSpec(
      await openSpec(openapi("3.0.3", { paths: {}, components: { schemas: { A: schema } } })),
    );
    await rm(folder, { recursive: true });
    expect(problems.some(({ code }) => code === "spec_fault")).toBe(true);
    expect(JSON.stringify(problems)).not.toMatch(/secret-canary|12345/);
  });

  test("the document is left as it was", async () => {
    const api = await openSpec(
      openapi("3.0.3", {
        paths: {},
        components: { schemas: { A: { $ref: "#/components/schemas/B" }, B: { type: "string" } } },
      }),
    );
    await checkSpec(api);
    expect(api.resolve({ $ref: "#/components/schemas/A" })).toMatchObject({
      through: ["#/components/schemas/A", "#/components/schemas/B"],
    });
  });

  test("an Api that this room did not make has none", async () => {
    const stranger: Api = { ...(await openText(`${HEAD}paths: {}`)) };
    expect(await checkSpec(stranger)).toEqual([]);
  });
});
