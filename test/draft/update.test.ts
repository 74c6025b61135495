import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOf } from "../../src/cli/draft/cost-of.ts";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { type Update, type UpdateOptions, updateCuration } from "../../src/draft/update/update-curation.ts";
import type { Api } from "../../src/model/api.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { checkLint } from "../../src/surface/lint/check-lint.ts";
import { openSpec } from "../spec/open-spec.ts";
import { draftApi } from "./draft-api.ts";
import { answer, query, ROW, shop } from "./shop-document.ts";

const file = "shop.yaml";

async function update(api: Api, text: string, more: Partial<UpdateOptions> = {}): Promise<Update> {
  const updated = await updateCuration(api, { file, text, ...more }, { cost: costOf, lint: checkLint });
  if ("errors" in updated) throw new Error(updated.errors.map(({ problem }) => problem.message).join("\n"));
  return updated;
}

function errorsOf(text: string, api: Api): readonly string[] {
  const { curation, problems } = loadCuration(file, text);
  const compiled = curation === undefined ? [] : compileToolset(curation, api).problems;
  return [...problems, ...compiled]
    .filter(({ severity }) => severity === "error")
    .map(({ line, message }) => `${line}: ${message}`);
}

/** Whether each line of `old` is in `now`, in the same order. */
function keepsLines(old: string, now: string): boolean {
  const left = now.split(/\r?\n/);
  let at = 0;
  for (const line of old.replace(/\r?\n$/, "").split(/\r?\n/)) {
    while (at < left.length && left[at] !== line) at += 1;
    if (at === left.length) return false;
    at += 1;
  }
  return true;
}

const list = (rows: object) => ({ get: { responses: answer({ type: "array", items: rows }) } });
const parcels = {
  "/parcels": list({ type: "object", properties: { id: { type: "string" }, weight: { type: "number" } } }),
  "/orders/{order_id}/lines": {
    get: {
      operationId: "listLines",
      parameters: [{ name: "order_id", in: "path", required: true, schema: { type: "integer" } }],
      responses: answer({ type: "array", items: { type: "object", properties: { sku: { type: "string" } } } }),
    },
  },
};

// As a person writes: an own name, an own column, comments, quotes and a folded text.
const HAND = `# The shop, by hand
vitrine: 1
api:
  spec: ./spec.json   # beside it
  baseUrl: https://shop.corner.io/v1

server: { name: shop, instructions: 'Ask the shop.' }
tools:
    # our orders
    our_orders:
        operation: listOrders
        use: >-
            See the orders
            of the shop.
        result: { rows: "@", fields: { nr: id, name: name }, limit: { default: 5, max: 50 } }
        # nothing more of orders
`;

describe("an update", () => {
  test("adds the tools that a newer document brings, with an entity over the column of a tool that a person wrote", async () => {
    const api = await openSpec(shop({ paths: parcels }));
    const { text, tools } = await update(api, HAND);
    expect(tools.map(({ operation }) => operation).toSorted()).toStrictEqual([
      "GET /orders/{order_id}",
      "GET /orders/{order_id}/lines",
      "GET /parcels",
    ]);
    expect(keepsLines(HAND, text)).toBe(true);
    expect(errorsOf(text, api)).toStrictEqual([]);
    const { tools: written, entities } = loadCuration(file, text).curation!.content;
    expect(entities).toStrictEqual({ order: { from: "our_orders", field: "nr" } });
    expect(written["get_order"]).toMatchObject({
      notFor: "Finding one; call `our_orders`.",
      input: { order_id: { entity: "order" } },
    });
    // The comment at the end belongs to the tool above it.
    expect(text.indexOf("# nothing more of orders")).toBeLessThan(text.indexOf("get_order:"));
  });

  test("leaves a draft of the same document as it is, to the byte", async () => {
    const api = await openSpec(shop({ paths: parcels }));
    const { text } = await draftApi(api);
    expect(await update(api, text)).toMatchObject({ text, tools: [], shared: [], gone: [] });
  });

  test("says what names operations that the document no longer has, and keeps it", async () => {
    const api = await openSpec(shop({ paths: parcels }));
    const old = HAND.replace("listOrders", "listOldOrders");
    const { text, gone } = await update(api, old);
    expect(gone).toStrictEqual([{ path: ["tools", "our_orders", "operation"], reference: "listOldOrders" }]);
    expect(keepsLines(old, text)).toBe(true);
    expect(errorsOf(text, api)).toStrictEqual([expect.stringContaining("listOldOrders")]);
  });

  test("adds how lists are paged and who is let in where nothing says so, and leaves what is said", async () => {
    const security = {
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    };
    const api = await openSpec(
      shop({
        listParameters: [query("page", { type: "integer" }), query("per_page", { type: "integer" })],
        more: security,
        paths: parcels,
      }),
    );
    const added = await update(api, HAND);
    expect(added.shared.toSorted()).toStrictEqual(["auth", "pages"]);
    expect(added.text).toContain('auth: { key: { bearer: "${env.CORNER_TOKEN}" } }');
    expect(errorsOf(added.text, api)).toStrictEqual([]);
    const said = HAND.replace("./spec.json", "./spec.json\n  auth: { key: { bearer: x } }\n  pages: []");
    const kept = await update(api, said.replace("\n  pages: []", ""));
    expect(kept.shared).toStrictEqual(["pages"]);
  });

  test("adds nothing that a person took out and named", async () => {
    const api = await openSpec(shop({ paths: parcels }));
    const { tools } = await update(api, `${HAND}x-draft-without: [listLines, "GET /parcels"]\n`);
    expect(tools.map(({ operation }) => operation)).toStrictEqual(["GET /orders/{order_id}"]);
  });

  test("stays within 20 tools, but for operations that a person names", async () => {
    const api = await loadApi("specs/unleash.json", {});
    const { text, tools } = await draftApi(api);
    const less = text.replace(/\n {2}# Chosen:[^\n]*\n {2}(\w+):\n(?: {4}[^\n]*\n)+(?=\n# Left out)/, "\n");
    expect(less).not.toBe(text);
    const full = await update(api, less);
    expect(full.toolsInAll).toBeLessThanOrEqual(20);
    expect(full.toolsInAll).toBeGreaterThanOrEqual(tools.length);
    const named = await update(api, text, {
      keep: ({ id = "" }) => ["getAllApiTokens", "getAddons", "getUsers", "getApplications", "getBanners"].includes(id),
      isNamed: true,
    });
    expect(named.toolsInAll).toBeGreaterThan(20);
  });

  test("fills a pinned place in no new tool, and takes none that cannot carry the pin", async () => {
    const api = await loadApi("specs/powerdns.yaml", {});
    const pinned = `vitrine: 1
api: { spec: ./x.yaml, baseUrl: "https://dns.corner.io", auth: { APIKeyHeader: { apiKey: "\${env.K}" } } }
server: { name: dns }
pins: { server_id: localhost }
tools:
  zones:
    operation: listZones
    use: See the zones of the server.
    result: { rows: "@", fields: { id: id, name: name }, limit: { default: 5, max: 50 } }
`;
    const { text, tools } = await update(api, pinned);
    expect(tools.length).toBeGreaterThan(3);
    expect(text).not.toContain("server_id: {");
    expect(errorsOf(text, api)).toStrictEqual([]);
  });

  test.each([
    [
      "tools on one line",
      HAND.replace(/tools:[\s\S]*/, "tools: { our_orders: { operation: listOrders, use: See the orders. } }\n"),
    ],
    [
      "a file of JSON",
      JSON.stringify({
        vitrine: 1,
        api: { spec: "x", baseUrl: "https://shop.corner.io" },
        server: { name: "shop" },
        tools: { a_b: { operation: "listOrders", use: "See the orders." } },
      }),
    ],
  ])("refuses %s, and says how to go on", async (_, text) => {
    const api = await openSpec(shop({ paths: parcels }));
    await expect(update(api, text)).rejects.toThrow("Give each a line of its own");
  });

  test("tells errors that are in no tool in place of adding", async () => {
    const api = await openSpec(shop({ paths: parcels }));
    const text = HAND.replace("./spec.json", "./spec.json\n  auth: { nowhere: { bearer: x } }");
    const told = await updateCuration(api, { file, text }, { cost: costOf, lint: checkLint });
    expect(told).toMatchObject({ errors: [{ path: ["api", "auth", "nowhere"] }] });
  });
});

test("whatever a person made of a draft, every line of it stays, a second update changes nothing, and what is added is without an error", async () => {
  const api = await openSpec(
    shop({
      paths: {
        ...parcels,
        "/refunds": list(ROW),
        "/refunds/{refund_id}": {
          get: {
            parameters: [{ name: "refund_id", in: "path", required: true, schema: { type: "integer" } }],
            responses: answer({ ...ROW, properties: { ...ROW.properties, why: { type: "string" } } }),
          },
        },
      },
    }),
  );
  const { text: drafted } = await draftApi(api);
  const blocks = /(?:\n {2}# Chosen:[^\n]*)?\n {2}\w+:\n(?: {4,}[^\n]*\n?)+/g;
  const toolsAt = drafted.indexOf("\ntools:");
  const names = [...drafted.slice(toolsAt).matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name!);
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(names, { minLength: 1 }),
      fc.array(fc.tuple(fc.nat(200), fc.constantFrom("# mine", "    # deep", "", "  # tools: of old", "#")), {
        maxLength: 8,
      }),
      fc.record({
        crlf: fc.boolean(),
        end: fc.constantFrom("", "\n", "\n\n", "\n# the end\n", "\nx-mine: [1, 2]\n"),
        bom: fc.boolean(),
      }),
      async (kept, comments, { crlf, end, bom }) => {
        const head = drafted
          .slice(0, toolsAt)
          .replace(/\nentities:\n(?: {2}[^\n]*\n?)+/, "\n")
          .trimEnd();
        const left =
          drafted
            .slice(toolsAt + "\ntools:".length)
            .match(blocks)
            ?.filter((one) => kept.some((name) => one.includes(`\n  ${name}:\n`))) ?? [];
        const plain = left
          .map((one) =>
            one
              .trimEnd()
              .replaceAll(/ entity: \w+(, )?/g, "")
              .replaceAll(/\n {4}(notFor|next):.*/g, ""),
          )
          .join("");
        const lines = `${head}\ntools:${plain}`.split("\n");
        for (const [at, comment] of comments) lines.splice(Math.min(at, lines.length), 0, comment);
        const written = `${bom ? "\uFEFF" : ""}${lines.join("\n")}${end}`;
        const text = crlf ? written.replaceAll("\n", "\r\n") : written;
        const updated = await update(api, text);
        expect(keepsLines(text, updated.text)).toBe(true);
        expect(updated.tools.length).toBe(names.length - kept.length);
        expect(errorsOf(updated.text, api)).toStrictEqual([]);
        expect((await update(api, updated.text)).text).toBe(updated.text);
        if (crlf) expect(updated.text.replaceAll("\r\n", "")).not.toContain("\n");
      },
    ),
    { numRuns: 40, seed: 20_261_130 },
  );
}, 120_000);
