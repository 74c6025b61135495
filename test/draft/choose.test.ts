import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { draftText } from "./draft-api.ts";
import { answer, ROW, shop } from "./shop-document.ts";

type Tools = Readonly<
  Record<
    string,
    {
      readonly operation: string;
      readonly input?: Record<string, { readonly entity?: string } | null>;
      readonly next?: object;
      readonly notFor?: string;
    }
  >
>;

async function written(
  document: object,
): Promise<{ readonly text: string; readonly tools: Tools; readonly entities: object }> {
  const { text } = await draftText(document);
  const { tools, entities = {} } = parse(text) as { tools: Tools; entities?: object };
  return { text, tools, entities };
}

const list = (row: object = ROW, more: object = {}) => ({
  get: { responses: answer({ type: "array", items: row }), ...more },
});
const key = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });

describe("what becomes a tool", () => {
  test("a list and what it leads to, each naming the other", async () => {
    const { tools, entities } = await written(shop());
    expect(tools).toMatchObject({
      list_orders: { operation: "listOrders", next: { get_order: "read one order whole" } },
      get_order: {
        operation: "getOrder",
        notFor: "Finding one; call `list_orders`.",
        input: { order_id: { entity: "order" } },
      },
    });
    expect(entities).toStrictEqual({ order: { from: "list_orders", field: "id" } });
  });

  test("at most 20, of many kinds before many of one", async () => {
    const nouns = [
      "apples",
      "pears",
      "plums",
      "grapes",
      "lemons",
      "melons",
      "figs",
      "dates",
      "limes",
      "berries",
      "cherries",
      "nuts",
    ];
    const many = nouns.flatMap((noun) => [
      [`/${noun}`, list()],
      [
        `/${noun}/{id}`,
        {
          get: {
            parameters: [key("id")],
            responses: answer({
              ...ROW,
              properties: {
                ...ROW.properties,
                note: {},
                size: {},
                weight: {},
                colour: {},
                origin: {},
                taste: {},
                smell: {},
              },
            }),
          },
        },
      ],
    ]);
    const below = ["a", "b", "c", "d", "e", "f", "g", "h"].map((noun) => [
      `/orders/{order_id}/${noun}s`,
      list(ROW, { parameters: [key("order_id")] }),
    ]);
    const { tools } = await written(shop({ paths: Object.fromEntries([...many, ...below]) }));
    const names = Object.keys(tools);
    expect(names).toHaveLength(20);
    expect(nouns.filter((noun) => names.includes(`list_${noun}`)).length).toBeGreaterThanOrEqual(8);
  });

  test("all of a kind of thing before a part of it", async () => {
    const { tools } = await written(
      shop({
        paths: {
          "/groups": list(),
          "/groups/{group_id}/sites": list(ROW, { parameters: [key("group_id")] }),
          "/groups/{group_id}/sites/{id}": {},
          // Much stands below the part, which else would come first.
          "/groups/{group_id}/sites/{id}/doors": { post: { responses: {} } },
          "/groups/{group_id}/sites/{id}/roofs": { post: { responses: {} } },
          "/groups/{group_id}/sites/{id}/pages": list(ROW, { parameters: [key("group_id"), key("id")] }),
          "/sites": list(),
        },
      }),
    );
    const operations = Object.values(tools).map(({ operation }) => operation);
    expect(operations).toContain("GET /sites");
    expect(tools["list_sites"]?.operation).toBe("GET /sites");
  });

  test("a thing of which there is one for what it is, however much of the document stands below it", async () => {
    const single = {
      get: {
        responses: answer({ type: "object", properties: { mode: { type: "string" }, level: { type: "string" } } }),
      },
    };
    const below = Array.from({ length: 60 }, (_, at) => [`/device/part_${at}`, { post: { responses: {} } }]);
    const kinds = ["apples", "pears", "plums", "grapes"].map((noun) => [`/${noun}`, list()]);
    const { tools } = await written(
      shop({ paths: { "/device": single, ...Object.fromEntries([...below, ...kinds]) } }),
    );
    const names = Object.keys(tools);
    expect(names.indexOf("get_device")).toBe(names.length - 1);
  });

  test("what is not described as JSON, where there is nothing better", async () => {
    const { tools } = await written({
      openapi: "3.1.0",
      info: { title: "Echo", version: "1" },
      paths: { "/echo": { get: { operationId: "echo", responses: { 200: { description: "ok" } } } } },
    });
    expect(Object.values(tools).map(({ operation }) => operation)).toStrictEqual(["echo"]);
  });

  test("nothing, where nothing reads", async () => {
    expect(
      (
        await written({
          openapi: "3.1.0",
          info: { title: "Sink", version: "1" },
          paths: { "/drop": { post: { responses: { 204: { description: "ok" } } } } },
        })
      ).tools,
    ).toStrictEqual({});
  });
});

describe("where the value of a key comes from", () => {
  test("from the list of what it picks, whatever the key is called", async () => {
    const { tools, entities } = await written(
      shop({
        paths: {
          "/zones": list({ type: "object", properties: { name: { type: "string" }, kind: { type: "string" } } }),
          "/zones/{zoneName}/records": list(ROW, { parameters: [key("zoneName")] }),
        },
      }),
    );
    expect(entities).toMatchObject({ zone: { from: "list_zones", field: "name" } });
    expect(tools["list_records"]?.input?.["zoneName"]).toStrictEqual({ entity: "zone" });
  });

  test("two keys of one path from one row: a repository and its owner", async () => {
    const repo = {
      type: "object",
      properties: {
        id: { type: "integer" },
        name: { type: "string" },
        owner: { type: "object", properties: { login: { type: "string" }, id: { type: "integer" } } },
      },
    };
    const { tools, entities } = await written(
      shop({
        paths: {
          "/user/repos": list(repo),
          "/repos/{owner}/{repo}/issues": list(ROW, { parameters: [key("owner"), key("repo")] }),
        },
      }),
    );
    const input = tools["list_issues"]?.input ?? {};
    const named = (name: string) => (entities as Record<string, object>)[input[name]?.entity ?? ""];
    expect(named("repo")).toStrictEqual({ from: "list_repos", field: "name" });
    expect(named("owner")).toStrictEqual({ from: "list_repos", field: "owner" });
  });

  test("from a search whose rows say that they may be of that kind, and not from a list of what is named after it", async () => {
    const of = (kind: string) => ({
      type: "object",
      properties: { id: { type: "string" }, type: { type: "string", enum: [kind] }, name: { type: "string" } },
    });
    const { tools, entities } = await written({
      ...shop({
        paths: {
          "/find": list({ oneOf: [of("folder"), of("sheet")] }),
          "/folder-locks": list(),
          "/folders/{folder_id}/parts": list(ROW, { parameters: [key("folder_id")] }),
        },
      }),
    });
    const entity = tools["list_parts"]?.input?.["folder_id"]?.entity ?? "";
    const { from } = (entities as Record<string, { from: string }>)[entity] ?? { from: "" };
    expect(tools[from]?.operation).toBe("GET /find");
    expect(tools[from]).toMatchObject({ result: { fields: { type: "type" } } });
  });

  test("from a list that needs no words rather than from a search", async () => {
    const repo = { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } };
    const q = { name: "q", in: "query", required: true, schema: { type: "string" } };
    const { entities, tools } = await written(
      shop({
        paths: {
          "/search/repositories": list(repo, { parameters: [q] }),
          "/user/repos": list(repo),
          "/repos/{repo}/issues": list(ROW, { parameters: [key("repo")] }),
        },
      }),
    );
    expect(tools["list_issues"]?.input?.["repo"]).toStrictEqual({ entity: "repo" });
    expect(entities).toMatchObject({ repo: { from: "list_repos", field: "name" } });
  });

  test("from a person, which the text says, where no list has it", async () => {
    const { text, tools } = await written(
      shop({ paths: { "/planes/{tail}/flights": list(ROW, { parameters: [key("tail")] }) } }),
    );
    expect(tools["list_flights"]?.input?.["tail"]).not.toHaveProperty("entity");
    expect(text).toMatch(/# decide: no tool here lists its values[^\n]*\n(\s*#[^\n]*\n)*\s*tail:/);
  });

  test("a list that needs what it lists is no source of it", async () => {
    const { tools } = await written({
      openapi: "3.1.0",
      info: { title: "Circle", version: "1" },
      paths: { "/rings/{ring_id}/rings": list(ROW, { parameters: [key("ring_id")] }) },
    });
    expect(Object.values(tools)[0]?.input?.["ring_id"]).not.toHaveProperty("entity");
  });
});
