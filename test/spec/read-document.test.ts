import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnreadableInput } from "../../src/model/errors.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { bodySchema, fakeEgress, openText, readOf, SOURCE } from "./open-spec.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vitrine-spec-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function refusal(text: string | Uint8Array): Promise<string> {
  const error = await openText(text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UnreadableInput)) throw new Error(`not refused as unreadable: ${String(error)}`);
  return error.message;
}

const HEAD = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\n";

describe("where a spec is read from", () => {
  test("a file", async () => {
    const file = join(folder, "spec.json");
    await writeFile(file, '{"openapi":"3.0.0","info":{},"paths":{"/a":{"get":{}}}}');
    const api = await loadApi(file, {});
    expect(api).toMatchObject({ source: file, index: [{ key: "GET /a" }] });
  });

  test.each([
    ["that is not there", "missing.yaml", /missing\.yaml: there is no such file\.$/],
    ["that is a folder", ".", /this is a folder, not a file\.$/],
  ])("a file %s is told in one line", async (_title, name, want) => {
    await expect(loadApi(join(folder, name), {})).rejects.toThrow(want);
  });

  test("a URL is reached through the egress alone", async () => {
    const egress = fakeEgress(`${HEAD}paths: {}`);
    await loadApi(SOURCE, { egress });
    expect(egress.asked).toEqual([SOURCE]);
    await expect(loadApi(SOURCE, {})).rejects.toThrow(/URLs cannot be read here/);
  });

  test.each([404, 302, 500, 204])("an answer of %i is no spec", async (status) => {
    await expect(loadApi(SOURCE, { egress: fakeEgress("x", status) })).rejects.toThrow(
      `${SOURCE}: the server answered ${status}, not 200.`,
    );
  });

  test("a URL that cannot be reached is unreadable, and why", async () => {
    const egress = { ...fakeEgress(""), request: () => Promise.reject(new Error("no\nroute")) };
    const loading = loadApi(SOURCE, { egress });
    await expect(loading).rejects.toThrow(UnreadableInput);
    await expect(loading).rejects.toThrow(`${SOURCE}: cannot be read: no route`);
  });

  test("more than 64 MiB are refused while they come", async () => {
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 1;
        yield new Uint8Array(1024 * 1024);
      }
    }
    const egress = {
      ...fakeEgress(""),
      request: async ({ url }: { url: string }) => ({ status: 200, headers: new Map(), url, body: endless() }),
    };
    await expect(loadApi(SOURCE, { egress })).rejects.toThrow(/larger than/);
    expect(sent).toBe(65);
  });
});

describe("what cannot be read is told in one line", () => {
  test.each([
    ["JSON that breaks off", '{"openapi": "3.0.0",\n "info"', `${SOURCE}:2:8: not valid JSON: `],
    [
      "JSON with a comment",
      '{\n  // hi\n  "openapi": "3.0.0"\n}',
      `${SOURCE}:2:3: JSON has no comments: take them out.`,
    ],
    [
      "JSON with a comment behind an address",
      '{"openapi": "3.0.0", "x": "http://a/*",\n"paths": {} /* none\nyet */}',
      `${SOURCE}:2:13: JSON has no comments: take them out.`,
    ],
    ["JSON with a slip", '{\n  "openapi": "3.0.0"\n  "info": {}\n}', `${SOURCE}:3:3: not valid JSON: `],
    ["YAML with a slip", `${HEAD}paths:\n  /a: {get: [}\n`, `${SOURCE}:4:14: not valid YAML: `],
    ["a text", "just words", `${SOURCE}: not an OpenAPI document: it holds no object.`],
    ["nothing", "", `${SOURCE}: not an OpenAPI document: it holds no object.`],
    ["a list", "[1]", `${SOURCE}: not an OpenAPI document: it holds no object.`],
    [
      "another object",
      '{"a": 1}',
      `${SOURCE}: not an OpenAPI document: it has neither "openapi" nor "swagger" at its top.`,
    ],
    [
      "version 4.0",
      "openapi: 4.0.0",
      `${SOURCE}: openapi "4.0.0" is not a version that can be read (2.0, 3.0, 3.1, 3.2).`,
    ],
    ["version 1.2", "swagger: '1.2'", `${SOURCE}: swagger "1.2" is not`],
    ["a version under the wrong key", "swagger: '3.0'", `${SOURCE}: swagger "3.0" is not`],
    ["a version that is none", "openapi: {a: 1}", `${SOURCE}: openapi {"a":1} is not`],
    ["gzip", gzipSync(HEAD), `${SOURCE}: it is compressed with gzip; unpack it first.`],
  ])("%s", async (_title, text, want) => {
    const message = await refusal(text);
    expect(message).not.toContain("\n");
    expect(message.startsWith(want) ? want : message).toBe(want);
  });
});

describe("what real specs do", () => {
  test.each([
    ["a byte order mark", `\uFEFF${HEAD}paths: {}`],
    ["CRLF", `${HEAD}paths: {}\n`.replaceAll("\n", "\r\n")],
    ["UTF-16", Buffer.from(`\uFEFF${HEAD}paths: {}`, "utf16le")],
    ["JSON with a trailing comma", '{"openapi": "3.1.0", "info": {"title": "t",}, "paths": {},}'],
    ["JSON with tabs and a byte order mark", '\uFEFF{\t"openapi": "3.1.0",\r\n"info": {"title": "t"}, "paths": {}}'],
    ["a closing brace at low indentation", `${HEAD}x: {\n  a: 1\n}\npaths: {}`],
    ["a literal block with odd blanks", `${HEAD}x:\n  example: |+\n    {\n      "a": 1\n    }\n     \n  \npaths: {}`],
    ["doubled keys", `${HEAD}tags: []\ntags: []\npaths: {}`],
    ["a version number without quotes", "openapi: 3.1\ninfo: {title: t}\npaths: {}"],
  ])("%s loads", async (_title, text) => {
    expect((await openText(text)).title).toBe("t");
  });

  test("merge keys merge, at every level, and own keys win", async () => {
    const text = `${HEAD}x-base: &base {type: object, title: base}\npaths: {/x: {post: {requestBody: {content: {application/json: {schema: {<<: *base, title: own, properties: {a: {<<: [*base, {minProperties: 1}]}}}}}}}}}`;
    expect(bodySchema(await openText(text))).toEqual({
      type: "object",
      title: "own",
      properties: { a: { type: "object", title: "base", minProperties: 1 } },
    });
  });

  test("dates, NO and on stay texts; number keys become texts", async () => {
    const text = `${HEAD}paths: {/x: {post: {requestBody: {content: {application/json: {schema: {enum: [NO, on, 2023-05-01, ~, 0x10, 1.5]}}}}, responses: {200: {description: ok}}}}}`;
    const api = await openText(text);
    expect(bodySchema(api).enum).toEqual(["NO", "on", "2023-05-01", null, 16, 1.5]);
    expect(readOf(api, "POST /x").responses[0]?.status).toBe("200");
  });

  test("bounds of int64 do no harm", async () => {
    const text = `${HEAD}paths: {/x: {post: {requestBody: {content: {application/json: {schema: {type: integer, minimum: -9223372036854775808, maximum: 9223372036854775807}}}}}}}`;
    expect(bodySchema(await openText(text))).toEqual({ type: "integer", minimum: -(2 ** 63), maximum: 2 ** 63 });
  });

  test("references in examples, defaults and enums are data", async () => {
    const data = "{$ref: '#/definitions/custom'}";
    const text = `${HEAD}paths: {/x: {post: {requestBody: {content: {application/json: {example: ${data}, schema: {example: ${data}, default: ${data}, enum: [${data}]}}}}}}}`;
    const $ref = "#/definitions/custom";
    expect(bodySchema(await openText(text))).toEqual({ examples: [{ $ref }], default: { $ref }, enum: [{ $ref }] });
  });
});

describe("hostile documents end quickly and plainly", () => {
  const bomb = (levels: number, width: number) => {
    const lines = [`${HEAD}x0: &a0 [lol]`];
    for (let level = 1; level <= levels; level++)
      lines.push(
        `x${level}: &a${level} [${Array(width)
          .fill(`*a${level - 1}`)
          .join(", ")}]`,
      );
    return [...lines, "paths: {}"].join("\n");
  };

  test.each([
    [
      "JSON 100,000 deep",
      `{"openapi":"3.1.0","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      /nested deeper than 500/,
    ],
    ["JSON 501 deep", `{"openapi":"3.1.0","x":${"[".repeat(500)}${"]".repeat(500)}}`, /nested deeper than 500/],
    ["open brackets without end", "[".repeat(20_000), /nested deeper than 500/],
    ["YAML flow lists", `${HEAD}x: ${"[".repeat(5_000)}${"]".repeat(5_000)}`, /not valid YAML: nesting exceeded/],
    [
      "YAML blocks",
      `${HEAD}x:\n${Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(depth + 1)}a:`).join("\n")}`,
      /not valid YAML: nesting exceeded/,
    ],
    ["nine levels of nine aliases", bomb(9, 9), /aliases expand/],
    ["an alias inside of itself", `${HEAD}x: &a {b: [*a]}\npaths: {}`, /an alias stands inside of what it stands for/],
    [
      "a chain of aliases",
      `${HEAD}x0: &a0 {}\n${Array.from({ length: 600 }, (_, at) => `x${at + 1}: &a${at + 1} {b: *a${at}}`).join("\n")}`,
      /nested deeper than 500/,
    ],
    [
      "merges upon merges",
      `${HEAD}b: &b {${Array.from({ length: 2_000 }, (_, at) => `k${at}: 1`).join(", ")}}\n${Array.from({ length: 200 }, (_, at) => `m${at}: {<<: *b}`).join("\n")}`,
      /merge keys exceeded/,
    ],
  ])("%s", async (_title, text, want) => {
    const started = performance.now();
    expect(await refusal(text)).toMatch(want);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("deep flow text that the first parser refuses never meets the second, twice in one process", async () => {
    const text = `${HEAD}x: @\ny: ${"[".repeat(1_000)}${"]".repeat(1_000)}`;
    expect(await refusal(text)).toMatch(/:3:4: not valid YAML/);
    expect(await refusal(text)).toMatch(/:3:4: not valid YAML/);
  });

  test("aliases that share a little are fine", async () => {
    expect((await openText(bomb(5, 5))).title).toBe("t");
  });

  test("500 levels are fine", async () => {
    const api = await openText(
      `{"openapi":"3.1.0","info":{"title":"t"},"paths":{},"x":${"[".repeat(499)}${"]".repeat(499)}}`,
    );
    expect(api.title).toBe("t");
  });

  test("brackets and escapes in texts count for nothing", async () => {
    const title = `${"[".repeat(600)}\\"{\\\\`;
    expect((await openText(JSON.stringify({ openapi: "3.1.0", info: { title }, paths: {} }))).title).toBe(title);
  });
});
