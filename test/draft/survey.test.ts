import { describe, expect, test } from "vitest";
import { findBody } from "../../src/draft/survey/find-rows.ts";
import { nameResource } from "../../src/draft/survey/name-resource.ts";
import { rankEntries } from "../../src/draft/survey/rank-entries.ts";
import { surveyApi } from "../../src/draft/survey/survey-api.ts";
import { openViews } from "../../src/draft/survey/view-schema.ts";
import type { OperationEntry } from "../../src/model/api.ts";
import type { Schema } from "../../src/model/schema.ts";
import { openapi, openSpec } from "../spec/open-spec.ts";

describe("what a path is about", () => {
  const cases: [path: string, id: string | undefined, nouns: string[], collection: string, endsInKey: boolean][] = [
    ["/zones", undefined, ["zones"], "/zones", false],
    ["/api/v1/servers/{server_id}/zones/{zone_id}", undefined, ["servers", "zones"], "/api/v1/servers/{}/zones", true],
    ["/2010-04-01/Accounts/{Sid}.json", undefined, ["accounts"], "/2010-04-01/Accounts", true],
    ["/containers/{id}/json", undefined, ["containers"], "/containers", true],
    ["/v2/payment-links", undefined, ["payment_links"], "/v2/payment-links", false],
    ["/conversations.list", undefined, ["conversations"], "/conversations", false],
    ["/#X-Amz-Target=Service.GetCostAndUsage", "GetCostAndUsage", ["cost_and_usage"], "/cost_and_usage", false],
    ["/", undefined, [], "/", false],
  ];
  test.each(cases)("%s", (path, id, nouns, collection, endsInKey) => {
    expect(nameResource({ path, ...(id !== undefined && { id }) })).toMatchObject({ nouns, collection, endsInKey });
  });

  test("a method in the path is told apart from the thing", () => {
    expect(nameResource({ path: "/admin.apps.approved.list" })).toMatchObject({
      nouns: ["admin", "apps", "approved"],
      verb: "list",
    });
  });

  test("each key picks from the path before it", () => {
    expect(nameResource({ path: "/repos/{owner}/{repo}/issues" }).keys).toStrictEqual([
      { name: "owner", collection: "/repos" },
      { name: "repo", collection: "/repos/{}" },
    ]);
  });
});

describe("where the rows of a body are", () => {
  const item = { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } } as const;
  const list = { type: "array", items: item } as const;
  const object = (properties: Record<string, Schema>): Schema => ({ type: "object", properties });
  const text: Schema = { type: "string" };
  const cases: [what: string, schema: Schema, isOne: boolean, found: object | undefined][] = [
    ["the body itself", list, false, { kind: "rows", rows: "@" }],
    [
      "beside counts and tokens",
      object({ total: { type: "integer" }, next_page: text, data: list }),
      false,
      { kind: "rows", rows: "data" },
    ],
    ["under the name of the thing", object({ zones: list, ok: text }), false, { kind: "rows", rows: "zones" }],
    [
      "under the only name there is",
      object({ droplets: list, links: object({ next: text }) }),
      false,
      { kind: "rows", rows: "droplets" },
    ],
    [
      "inside a wrapper",
      object({ data: object({ items: list, total: { type: "integer" } }) }),
      false,
      { kind: "rows", rows: "data.items" },
    ],
    [
      "under a name that must be quoted",
      object({ "resource-sets": list }),
      false,
      { kind: "rows", rows: '"resource-sets"' },
    ],
    [
      "under the name of the thing, before a name that lists often have",
      object({ members: list, zones: list, has_more: { type: "boolean" } }),
      false,
      { kind: "rows", rows: "zones" },
    ],
    [
      "beside other values, where the body says that more comes",
      object({ ok: text, stamp: text, pins: text, seen: text, has_more: { type: "boolean" }, messages: list }),
      false,
      { kind: "rows", rows: "messages" },
    ],
    [
      "in lists in a list",
      object({ zones: { type: "array", items: list }, total: { type: "integer" } }),
      false,
      { kind: "rows", rows: "zones[]" },
    ],
    [
      "nowhere: a thing with a list in it",
      object({ id: text, name: text, kind: text, serial: text, records: list }),
      true,
      { kind: "object", within: "" },
    ],
    [
      "nowhere: one thing in a wrapper",
      object({ zone: object({ id: text, name: text }) }),
      true,
      { kind: "object", within: "zone." },
    ],
    ["nowhere: a text", text, false, undefined],
  ];
  test.each(cases)("%s", async (_, schema, isOne, found) => {
    const viewOf = openViews(await openSpec(openapi("3.1.0", { paths: {} })));
    const body = findBody(schema, "zones", isOne, viewOf);
    if (found === undefined) expect(body).toBeUndefined();
    else expect(body).toMatchObject(found);
  });
});

describe("the rank of operations", () => {
  const entry = (method: string, path: string, more: Partial<OperationEntry> = {}): OperationEntry => ({
    key: `${method} ${path}`,
    method,
    path,
    tags: [],
    deprecated: false,
    ...more,
  });

  test("what much of the API stands below comes first, what nobody asks for last, and what writes not at all", () => {
    const { reads: ranked } = rankEntries([
      entry("GET", "/health"),
      entry("GET", "/orders/{id}/items"),
      entry("GET", "/orders/{id}"),
      entry("GET", "/orders"),
      entry("POST", "/orders"),
      entry("DELETE", "/orders/{id}"),
      entry("GET", "/webhooks"),
    ]);
    expect(ranked.map(({ entry: one }) => one.key).slice(0, 2)).toStrictEqual(["GET /orders/{id}", "GET /orders"]);
    expect(ranked.find(({ entry: one }) => one.key === "POST /orders")?.score).toBeLessThan(-20);
    expect(ranked.some(({ entry: one }) => one.method === "DELETE")).toBe(false);
  });

  const first: [what: string, better: OperationEntry, worse: OperationEntry, others: OperationEntry[]][] = [
    [
      "a thing before what few words cannot name",
      entry("GET", "/segments"),
      entry("GET", "/shield_barrier_report_segments"),
      [],
    ],
    ["what a thing is before what it belongs to", entry("GET", "/blue_events"), entry("GET", "/event_creators"), []],
    ["a thing before one in a group of paths", entry("GET", "/alerts"), entry("GET", "/monitoring/alerts"), []],
    [
      "a thing of a large area before one of a small",
      entry("GET", "/pumps", { tags: ["core"] }),
      entry("GET", "/valves", { tags: ["edge"] }),
      Array.from({ length: 30 }, (_, at) => entry("GET", `/core/${at}`, { tags: ["core"] })),
    ],
    [
      "what other things are named after before what is named after another",
      entry("GET", "/crates"),
      entry("GET", "/crate_locks"),
      [entry("GET", "/crate_shelves")],
    ],
    [
      "what stands below many things before what stands below one",
      entry("GET", "/pallets"),
      entry("GET", "/pumps"),
      ["yards", "ships", "halls"].map((owner) => entry("POST", `/${owner}/{id}/pallets`)),
    ],
    [
      "what is stable before what the document has as beta too",
      entry("GET", "/apis/x/v1/pumps"),
      entry("GET", "/apis/x/v1/valves"),
      [entry("POST", "/apis/x/v1beta1/valves")],
    ],
    [
      "what the API records before what one operation more is about",
      entry("GET", "/readouts"),
      entry("GET", "/valves"),
      [entry("POST", "/valves")],
    ],
    [
      "what has parts before what has settings of settings",
      entry("GET", "/pumps"),
      entry("GET", "/valves"),
      [
        ...["a", "b", "c"].map((part) => entry("POST", `/pumps/{id}/${part}`)),
        ...["a", "b", "c"].map((part) => entry("POST", `/valves/{id}/guard/rules/limits/${part}`)),
      ],
    ],
    ["data before a text in another form", entry("GET", "/pump_lines"), entry("GET", "/format_lines"), []],
    ["the request itself before another telling of it", entry("GET", "/shared"), entry("GET", "/shared#sheets"), []],
    ["what all callers reach before what administrators do", entry("GET", "/users"), entry("GET", "/admin/users"), []],
  ];
  test.each(first)("%s", (_, better, worse, others) => {
    // Last in the document, so that the order there decides nothing.
    const ranked = rankEntries([worse, ...others, better]).reads.map(({ entry: one }) => one.key);
    expect(ranked.indexOf(better.key)).toBeLessThan(ranked.indexOf(worse.key));
  });

  test("of two deeds the one whose name says more of what agents are asked for", () => {
    const { writes: ranked } = rankEntries([entry("POST", "/chat.postQuietly"), entry("POST", "/chat.postMessage")]);
    expect(ranked.map(({ entry: one }) => one.path)).toStrictEqual(["/chat.postMessage", "/chat.postQuietly"]);
  });

  const writes: [method: string, path: string, id: string][] = [
    ["GET", "/apps.uninstall", "apps_uninstall"],
    ["GET", "/dnd.setSnooze", "dnd"],
    ["GET", "/users/remove", "users/removeUser"],
    ["POST", "/orders/search", "createSearch"],
    ["POST", "/reports", "makeReport"],
  ];
  test.each(writes)("%s %s is not taken for reading", async (method, path, id) => {
    const operation = {
      operationId: id,
      responses: {
        200: {
          description: "ok",
          content: {
            "application/json": {
              schema: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
            },
          },
        },
      },
    };
    const api = await openSpec(openapi("3.1.0", { paths: { [path]: { [method.toLowerCase()]: operation } } }));
    expect(surveyApi(api, {}).facts).toStrictEqual([]);
  });

  test("a POST that searches is", async () => {
    const schema = {
      type: "object",
      properties: { results: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } } },
    };
    const operation = {
      operationId: "searchOrders",
      responses: { 200: { description: "ok", content: { "application/json": { schema } } } },
    };
    const api = await openSpec(openapi("3.1.0", { paths: { "/orders/search": { post: operation } } }));
    expect(surveyApi(api, {}).facts).toMatchObject([{ kind: "search", readsByPost: true, body: { rows: "results" } }]);
  });
});
