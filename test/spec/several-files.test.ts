import fs, { realpathSync, symlinkSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Api, isFault } from "../../src/model/api.ts";
import { checkSpec } from "../../src/spec/check-spec.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { readOf, resolveOf } from "./open-spec.ts";
import { folderOf, HEAD } from "./spec-folder.ts";

/** The files of a folder `spec/`, opened at `spec/root.yaml`; other files stand beside that folder. */
async function open(files: Readonly<Record<string, string>>): Promise<{ api: Api; folder: string }> {
  const folder = folderOf(files);
  return { api: await loadApi(join(folder, "spec/root.yaml"), {}), folder };
}

function namesOf(api: Api): string[] {
  return api.files.map(({ path }) => basename(path));
}

function faultOf(api: Api, reference: string): string {
  const operation = api.read(api.find(reference)!);
  if (!isFault(operation)) throw new Error(`${reference} is sound`);
  return `${operation.fault} At ${operation.pointer}`;
}

const SHOP = {
  "spec/root.yaml": `${HEAD}paths:
  /orders/{id}: {$ref: './paths/order.yml'}
  /items: {get: {$ref: 'operations/list items.json'}}
  /plain: {get: {operationId: plain, responses: {'200': {description: ok}}}}
components:
  securitySchemes: {key: {$ref: 'parts.yaml#/Key'}}
  schemas: {$ref: './schemas/index.yaml'}
`,
  "spec/paths/order.yml": `parameters: [{$ref: '../parts.yaml#/OrderId'}]
get:
  operationId: getOrder
  responses: {'200': {$ref: '../parts.yaml#/Responses/Order'}}
`,
  "spec/operations/list items.json": JSON.stringify({
    operationId: "listItems",
    responses: {
      200: {
        description: "ok",
        content: { "application/json": { schema: { $ref: "../root.yaml#/components/schemas/Item" } } },
      },
    },
  }),
  "spec/parts.yaml": `Key: {type: apiKey, in: header, name: X-Key}
OrderId: {name: id, in: path, required: true, schema: {$ref: 'schemas/order.yaml#/properties/id'}}
Responses: {Order: {description: ok, content: {application/json: {schema: {$ref: schemas/order.yaml}}}}}
`,
  "spec/schemas/order.yaml": `type: object
properties: {id: {type: string}, next: {$ref: '#'}, item: {$ref: item.yaml}}
`,
  "spec/schemas/item.yaml": "type: object\nproperties: {order: {$ref: order.yaml}}\n",
  "spec/schemas/index.yaml": "Item: {$ref: item.yaml}\n",
};

describe("a spec of several files", () => {
  test("each reference is relative to the file that it stands in, JSON and YAML alike", async () => {
    const { api } = await open(SHOP);
    const order = readOf(api, "getOrder");
    expect(order.parameters).toMatchObject([{ name: "id", in: "path" }]);
    expect(resolveOf(api, order.parameters[0]!.schema)).toEqual({ type: "string" });
    const schema = resolveOf(api, order.responses[0]!.content[0]!.schema!);
    expect(Object.keys(schema.properties!)).toEqual(["id", "next", "item"]);
    expect(resolveOf(api, schema.properties!.next!)).toBe(schema);
    const item = resolveOf(api, schema.properties!.item!);
    expect(resolveOf(api, item.properties!.order!)).toBe(schema);
    expect(api.securitySchemes.get("key")).toEqual({ type: "apiKey", in: "header", name: "X-Key" });
  });

  test("a reference leads back to the root, and through a file of all components", async () => {
    const { api } = await open(SHOP);
    const resolved = api.resolve(readOf(api, "listItems").responses[0]!.content[0]!.schema!);
    expect(resolved).toMatchObject({
      schema: { type: "object" },
      through: ["schemas/index.yaml#/Item", "schemas/item.yaml#"],
    });
  });

  test("only the files that are needed are read", async () => {
    const { api } = await open(SHOP);
    expect(namesOf(api)).toEqual(["root.yaml"]);
    expect(api.find("GET /plain")).toMatchObject({ id: "plain" });
    expect(namesOf(api)).toEqual(["root.yaml"]);
    readOf(api, "GET /orders/{id}");
    expect(namesOf(api)).toEqual(["root.yaml", "order.yml", "parts.yaml", "order.yaml"]);
    for (const { sha256 } of api.files) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test("the index is whole, in the order of the document", async () => {
    const { api } = await open(SHOP);
    expect(api.index.map(({ key, id }) => [key, id])).toEqual([
      ["GET /orders/{id}", "getOrder"],
      ["GET /items", "listItems"],
      ["GET /plain", "plain"],
    ]);
  });

  test("an operationId that names its own file is found without reading the others", async () => {
    const { api } = await open({
      "spec/root.yaml": `${HEAD}paths:\n  /a: {get: {$ref: a/list_a.yml}, post: {$ref: a/add_a.yml}}\n  /b: {get: {$ref: b/list_b.yml}}\n`,
      "spec/a/list_a.yml": "operationId: list_a\nresponses: {}\n",
      "spec/a/add_a.yml": "operationId: add_a\nresponses: {}\n",
      "spec/b/list_b.yml": "operationId: other\nresponses: {}\n",
    });
    expect(api.find("list_a")?.key).toBe("GET /a");
    expect(namesOf(api)).toEqual(["root.yaml", "list_a.yml"]);
    expect(api.find("list_b")).toBeUndefined();
    expect(api.find("other")?.key).toBe("GET /b");
  });

  test("a path item is laid over the one that it refers to, each with its own base", async () => {
    const { api } = await open({
      "spec/root.yaml": `${HEAD}paths:
  /a:
    $ref: deep/item.yaml
    parameters: [{$ref: 'own.yaml#/Q'}]
    servers: [{url: 'https://near.example'}]
`,
      "spec/own.yaml": "Q: {name: q, in: query, schema: {type: string}}\n",
      "spec/deep/item.yaml": `parameters: [{$ref: 'own.yaml#/P'}]
servers: [{url: 'https://far.example'}]
get: {responses: {}}
`,
      "spec/deep/own.yaml": "P: {name: p, in: query, schema: {type: string}}\n",
    });
    const { parameters, servers } = readOf(api, "GET /a");
    expect(parameters.map(({ name }) => name)).toEqual(["p", "q"]);
    expect(servers).toEqual([{ url: "https://near.example", variables: [] }]);
  });

  test("files that refer to each other in a circle end", async () => {
    const { api } = await open({
      "spec/root.yaml": `${HEAD}paths: {/a: {get: {$ref: a.yaml}}, /b: {$ref: b.yaml}, /c: {get: {$ref: 'd.yaml#/x/y'}}}\n`,
      "spec/a.yaml": "$ref: c.yaml\n",
      "spec/c.yaml": "$ref: a.yaml\n",
      "spec/b.yaml": "$ref: b.yaml\n",
      "spec/d.yaml": "x: {$ref: '#/x/y/z'}\n",
    });
    expect(faultOf(api, "GET /a")).toMatch(/only leads back to itself/);
    expect(faultOf(api, "GET /c")).toMatch(/through too many others/);
    expect(api.index.map(({ key }) => key)).toEqual(["GET /a", "GET /c"]);
  });

  test("a fault names the file where it stands, and a finding its line", async () => {
    const { api } = await open({
      "spec/root.yaml": `${HEAD}paths: {/a: {get: {$ref: 'a b.yaml'}}}\n`,
      "spec/a b.yaml": "operationId: a\nparameters:\n  - $ref: '#/nowhere'\nresponses: {}\n",
    });
    expect(faultOf(api, "GET /a")).toBe('$ref "#/nowhere" leads nowhere. At a%20b.yaml#/parameters/0');
    const [first] = await checkSpec(api);
    expect(first).toMatchObject({ code: "spec_fault", line: 3, column: 5, file: expect.stringMatching(/a b\.yaml$/) });
  });

  test("a file that is torn is the fault of whoever needs it", async () => {
    const { api } = await open({
      "spec/root.yaml": `${HEAD}paths: {/a: {get: {$ref: a.yaml}}, /b: {get: {operationId: b, responses: {}}}}\n`,
      "spec/a.yaml": "a: [\n",
    });
    expect(faultOf(api, "GET /a")).toMatch(/cannot be read: .*a\.yaml:\d+:\d+: not valid YAML/);
    expect(readOf(api, "b").id).toBe("b");
  });

  test("a schema in a further file is lifted as the root's version has it", async () => {
    const { api } = await open({
      "spec/root.yaml":
        "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {parameters: [{name: q, in: query, schema: {$ref: 'q.json'}}], responses: {}}}}\n",
      "spec/q.json": '{"type": "integer", "minimum": 1, "exclusiveMinimum": true, "nullable": true}',
    });
    expect(resolveOf(api, readOf(api, "GET /a").parameters[0]!.schema)).toEqual({
      type: ["integer", "null"],
      exclusiveMinimum: 1,
    });
  });
});

describe("a path whose file cannot be read", () => {
  const ROOT = `${HEAD}paths:
  /a: {$ref: gone.yaml, post: {operationId: mine, responses: {}}}
  /b: {get: {operationId: b, responses: {}}}
`;

  test("may have any operation, which is then a broken one; what stands beside its reference is sound", async () => {
    const { api } = await open({ "spec/root.yaml": ROOT });
    expect(api.index.map(({ key }) => key)).toEqual(["POST /a", "GET /b"]);
    expect(readOf(api, "mine").key).toBe("POST /a");
    expect(faultOf(api, "GET /a")).toBe('$ref "gone.yaml" names a file that does not exist. At #/paths/~1a');
    expect(faultOf(api, "listA")).toBe('$ref "gone.yaml" names a file that does not exist. At #/paths/~1a');
    expect(api.find("GET /c")).toBeUndefined();
  });

  test("where all can be read, what is not there is not found", async () => {
    const { api } = await open({ "spec/root.yaml": ROOT, "spec/gone.yaml": "get: {operationId: a, responses: {}}\n" });
    expect(readOf(api, "a").key).toBe("GET /a");
    expect(api.find("listA")).toBeUndefined();
    expect(api.find("PUT /a")).toBeUndefined();
  });
});

describe("nothing outside of the spec's own folder is opened", () => {
  const touched: string[] = [];
  const originals = { readFileSync: fs.readFileSync, openSync: fs.openSync };
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    touched.length = 0;
  });
  function watch(): void {
    for (const name of ["readFileSync", "openSync"] as const)
      vi.spyOn(fs, name).mockImplementation(((path: string, ...rest: unknown[]) => {
        touched.push(String(path));
        return (originals[name] as (...all: unknown[]) => unknown)(path, ...rest);
      }) as never);
    syncBuiltinESMExports();
  }

  const ways: [title: string, ref: string, want: RegExp][] = [
    ["a folder above", "../secret.yaml", /leads out of the folder/],
    ["a folder above, encoded", "%2e%2e/secret.yaml", /leads out of the folder/],
    ["a folder above, by backslash", "..\\secret.yaml", /leads out of the folder/],
    ["a way around", "sub/../../secret.yaml", /leads out of the folder/],
    ["an encoded slash", "sub%2f..%2f..%2fsecret.yaml", /is not the name of a file|does not exist/],
    ["an absolute path", "/etc/hostname", /absolute path/],
    ["an absolute path by backslash", "\\etc\\hostname", /absolute path/],
    ["a file URL", "file:///etc/hostname", /leads to a URL/],
    ["a web address", "http://169.254.169.254/latest", /leads to a URL/],
    ["a web address without scheme", "//169.254.169.254/latest", /absolute path/],
    ["a name with NUL", "a%00b.yaml", /is not the name of a file/],
    ["a link to a file outside", "link.yaml", /leads out of the folder/],
    ["a link to a folder outside", "linked/secret.yaml", /leads out of the folder/],
    ["a folder", "sub", /does not name a file/],
    ["the folder itself", "./", /leads out of the folder/],
  ];
  test.each(ways)("%s", async (_title, ref, want) => {
    const text = `${HEAD}paths: {/a: {get: {parameters: [{$ref: ${JSON.stringify(ref)}}], responses: {}}}}\n`;
    const folder = folderOf({
      "spec/root.yaml": text,
      "spec/sub/x.yaml": "{}",
      "secret.yaml": "canary: 1\n",
      "other/secret.yaml": "canary: 1\n",
    });
    symlinkSync("../secret.yaml", join(folder, "spec/link.yaml"));
    symlinkSync("../other", join(folder, "spec/linked"));
    const api = await loadApi(join(folder, "spec/root.yaml"), {});
    watch();
    expect(faultOf(api, "GET /a")).toMatch(want);
    expect(touched).toEqual([]);
    expect(api.files.filter(({ sha256 }) => sha256 !== undefined)).toHaveLength(1);
  });

  test("the watch over it sees what is opened inside", async () => {
    const { api } = await open(SHOP);
    watch();
    readOf(api, "GET /orders/{id}");
    expect(new Set(touched.map((path) => basename(path)))).toEqual(new Set(["order.yml", "parts.yaml", "order.yaml"]));
  });

  test("links inside of the folder are followed, and so is the link that the spec itself is", async () => {
    const folder = folderOf({
      "real/root.yaml": `${HEAD}paths: {/a: {get: {$ref: alias.yaml}}}\n`,
      "real/parts/a.yaml": "operationId: a\nresponses: {}\n",
    });
    symlinkSync("parts/a.yaml", join(folder, "real/alias.yaml"));
    symlinkSync("real/root.yaml", join(folder, "spec.yaml"));
    const api = await loadApi(join(folder, "spec.yaml"), {});
    expect(readOf(api, "a").key).toBe("GET /a");
    expect(api.files.map(({ real }) => real)).toEqual(
      ["real/root.yaml", "real/parts/a.yaml"].map((name) => realpathSync(join(folder, name))),
    );
  });

  test("what was looked for in vain is listed, so that its coming is noticed", async () => {
    const { api, folder } = await open({ "spec/root.yaml": `${HEAD}paths: {/a: {get: {$ref: gone.yaml}}}\n` });
    expect(faultOf(api, "GET /a")).toMatch(/does not exist/);
    expect(api.files.at(-1)).toEqual({ path: join(realpathSync(folder), "spec/gone.yaml") });
  });
});
