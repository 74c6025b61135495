import { mkdirSync, mkdtempSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { vitrine } from "../setup/program.ts";

const FILES = {
  "curation/shop.yaml": `vitrine: 1
api:
  spec: ../specs/shop/root.yaml
  overlays: [./words.overlay.yaml]
server: { name: shop }
tools:
  list_orders:
    operation: listOrders
    use: List orders.
    input: { state: {}, size: {} }
  get_order:
    operation: GET /orders/{id}
    use: Read an order.
    input: { id: {} }
  ping: { operation: ping, use: See whether it is there. }
`,
  "curation/words.overlay.yaml": `overlay: 1.0.0
info: {title: words, version: '1'}
actions:
  - target: $.servers[0]
    update: {url: 'https://sandbox.example'}
`,
  "specs/shop/root.yaml": `openapi: 3.1.0
info: {title: Shop, version: '1'}
servers: [{url: 'https://api.example'}]
paths:
  /orders: {get: {$ref: orders/listOrders.yaml}}
  /orders/{id}: {$ref: orders/order.json}
  /ping: {get: {operationId: ping, responses: {'200': {description: ok}}}}
  /never: {$ref: never.yaml}
`,
  "specs/shop/orders/listOrders.yaml": `operationId: listOrders
parameters: [{$ref: '../parts.yaml#/State'}, {name: size, in: query, schema: {type: integer, maximum: 50}}]
responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: order.schema.yaml}}}}}}
`,
  "specs/shop/orders/order.json": JSON.stringify({
    parameters: [{ name: "id", in: "path", required: true, schema: { $ref: "../parts.yaml#/Id" } }],
    get: { operationId: "getOrder", responses: { 200: { description: "ok" } } },
  }),
  "specs/shop/orders/order.schema.yaml": "type: object\nproperties: {id: {type: string}, next: {$ref: '#'}}\n",
  "specs/shop/parts.yaml": `State: {name: state, in: query, schema: {type: string, enum: [open, paid]}}
Id: {type: string, pattern: '^o_[0-9]+$'}
`,
};

let folder: string;
let env: Record<string, string>;
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-several-"));
  env = { XDG_CACHE_HOME: at("cache") };
  for (const [name, text] of Object.entries(FILES)) write(name, text);
});

function write(name: string, text: string): void {
  mkdirSync(join(at(name), ".."), { recursive: true });
  writeFileSync(at(name), text);
}

/** The tools by name as a caller sees them now, and what was said of the others. */
async function tools() {
  const { stdout, stderr, code } = await vitrine(["tools", "--json", at("curation/shop.yaml")], { env });
  const list =
    code === 0
      ? (JSON.parse(stdout).tools as {
          name: string;
          inputSchema: { properties: Record<string, { enum?: string[] }> };
        }[])
      : [];
  return {
    names: list.map(({ name }) => name),
    states: list.find(({ name }) => name === "list_orders")?.inputSchema.properties["state"]?.enum,
    stderr,
    code,
  };
}

async function dryRun(tool: string, args: object) {
  return await vitrine(["call", at("curation/shop.yaml"), tool, JSON.stringify(args), "--dry-run"], { env });
}

describe("a curation over a spec of several files and an overlay", () => {
  test("sends what the files and the overlay say", async () => {
    const sent = await dryRun("list_orders", { state: "paid", size: 5 });
    expect(sent.stderr).toBe("");
    expect(JSON.parse(sent.stdout)).toMatchObject([
      { method: "GET", url: "https://sandbox.example/orders?state=paid&size=5" },
    ]);
    const refused = await dryRun("get_order", { id: "x" });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { error: "invalid_arguments", path: "id" } }.error);
  });

  test("the cached toolset is that of the files as they are now", async () => {
    expect((await tools()).states).toEqual(["open", "paid"]);
    write("specs/shop/parts.yaml", FILES["specs/shop/parts.yaml"].replace("paid", "shipped"));
    expect((await tools()).states).toEqual(["open", "shipped"]);
    write("curation/words.overlay.yaml", FILES["curation/words.overlay.yaml"].replace("sandbox", "staging"));
    expect((await dryRun("ping", {})).stdout).toContain("https://staging.example/ping");
  });

  test("a file that goes costs the tools that need it, and its coming back is noticed", async () => {
    renameSync(at("specs/shop/orders/order.json"), at("specs/shop/away.json"));
    for (const _ of ["compiled", "cached"]) {
      const without = await tools();
      expect(without.names).toEqual(["list_orders", "ping"]);
      expect(without.stderr).toMatch(/spec_fault +`GET \/orders\/\{id\}` is broken in the spec .* does not exist/);
    }
    renameSync(at("specs/shop/away.json"), at("specs/shop/orders/order.json"));
    expect((await tools()).names).toEqual(["get_order", "list_orders", "ping"]);
  });

  test("what is wrong in a file or an overlay is found at its line", async () => {
    write(
      "specs/shop/parts.yaml",
      `${FILES["specs/shop/parts.yaml"]}Broken: {$ref: '#/None'}\nState: {name: state, in: query, schema: {type: string}}\n`,
    );
    write(
      "curation/words.overlay.yaml",
      `${FILES["curation/words.overlay.yaml"]}  - target: $.nothing\n    remove: true\n`,
    );
    const { stdout, code } = await vitrine(["check", "--json", at("curation/shop.yaml")], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: "overlay_no_match",
          file: expect.stringMatching(/words\.overlay\.yaml$/),
          line: 6,
          severity: "warning",
        }),
        expect.objectContaining({ code: "spec_fault", file: expect.stringMatching(/parts\.yaml$/), line: 3 }),
        expect.objectContaining({ code: "spec_doubled_key", file: expect.stringMatching(/parts\.yaml$/), line: 4 }),
        expect.objectContaining({ code: "spec_fault", message: expect.stringContaining("never.yaml") }),
      ]),
    );
  });

  test("a broken overlay serves nothing and says where", async () => {
    write("curation/words.overlay.yaml", "overlay: 1.0.0\ninfo: {}\nactions:\n  - target: servers\n    remove: true\n");
    const { stderr, code } = await tools();
    expect(code).toBe(1);
    expect(stderr).toMatch(/words\.overlay\.yaml:4:5 +error +overlay_broken/);
    unlinkSync(at("curation/words.overlay.yaml"));
    const gone = await tools();
    expect(gone.code).toBe(2);
    expect(gone.stderr).toMatch(/words\.overlay\.yaml: there is no such file/);
  });

  test("an overlay outside of the root is refused at its line", async () => {
    write("../outside.overlay.yaml".replace("..", "curation/.."), "");
    write(
      "curation/shop.yaml",
      FILES["curation/shop.yaml"].replace("./words.overlay.yaml", "../../outside.overlay.yaml"),
    );
    const { stderr, code } = await tools();
    expect(code).toBe(1);
    expect(stderr).toMatch(/shop\.yaml:4:14 +error +outside_root/);
  });
});
