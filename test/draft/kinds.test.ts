import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { draftText } from "./draft-api.ts";
import { answer, query, ROW, shop } from "./shop-document.ts";

// Kinds of documents that published APIs were found to be of, in domains of nobody.

interface Tool {
  readonly operation: string;
  readonly use: string;
  readonly unchecked?: boolean;
  readonly input?: Readonly<Record<string, object | null>>;
  readonly args?: object;
  readonly pages?: unknown;
  readonly result: { readonly rows?: string; readonly fields?: Readonly<Record<string, unknown>> };
  readonly next?: object;
}

interface Written {
  readonly api: { readonly pages?: readonly object[] };
  readonly entities?: Readonly<Record<string, { readonly from: string; readonly field: string }>>;
  readonly tools: Readonly<Record<string, Tool>>;
  readonly text: string;
}

async function written(paths: object, more: object = {}): Promise<Written> {
  const { text } = await draftText({ ...shop({ paths }), ...more });
  return { ...(parse(text) as Omit<Written, "text">), text };
}

const text = { type: "string" };
const whole = { type: "integer" };
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const list = (row: object = ROW, more: object = {}) => ({
  get: { responses: answer({ type: "array", items: row }), ...more },
});
const one = (body: object, more: object = {}) => ({ get: { responses: answer(body), ...more } });
const key = (name: string) => ({ name, in: "path", required: true, schema: text });
const fieldsOf = ({ tools }: Written, name: string) => tools[name]?.result.fields ?? {};

describe("where identifiers come from", () => {
  test("the name of a thing, and not what its metadata says it stands in", async () => {
    const room = object({ metadata: object({ uid: text, room: text, name: text }), size: whole });
    const { entities, tools } = await written({
      "/rooms": list(room),
      "/rooms/{room}/chairs": list(ROW, { parameters: [key("room")] }),
    });
    expect(tools["list_chairs"]?.input).toStrictEqual({ room: { entity: "room" } });
    expect(entities?.["room"]).toStrictEqual({ from: "list_rooms", field: "name" });
  });

  test("never a list of another area that has keys of its own", async () => {
    const { tools } = await written({
      "/lab/tubs": list(),
      "/lab/tubs/{tub_id}": one(ROW, { parameters: [key("tub_id")] }),
      "/tubs/{tub_id}/leaks": list(ROW, { parameters: [key("tub_id")] }),
    });
    expect(tools["list_lab_tubs"]?.operation).toBe("GET /lab/tubs");
    expect(tools["list_leaks"]?.input?.["tub_id"] ?? {}).not.toHaveProperty("entity");
  });

  test("what a method needs is told in words alone, and its list calls the things otherwise", async () => {
    const token = query("token", text, { required: true });
    const hut = object({ id: text, name: text, height: whole, beds: whole });
    const { tools, entities } = await written({
      "/huts.list": {
        get: {
          operationId: "huts_list",
          parameters: [token],
          responses: answer(object({ ok: { type: "boolean" }, cabins: { type: "array", items: hut } })),
        },
      },
      "/huts.info": {
        get: {
          operationId: "huts_info",
          parameters: [token, query("cabin", text, { description: "Hut ID to learn more about." })],
          responses: answer(object({ ok: { type: "boolean" }, cabin: hut })),
        },
      },
      "/huts.guests": {
        get: {
          operationId: "huts_guests",
          parameters: [
            token,
            query("cabin", text, { description: "ID of the hut to ask for." }),
            query("season", text, { description: "ID of a season. Defaults to the current one." }),
          ],
          responses: answer(object({ ok: { type: "boolean" }, guests: { type: "array", items: text } })),
        },
      },
    });
    expect(tools["get_hut"]?.input).toStrictEqual({ cabin: { required: true, entity: "hut" } });
    expect(tools["list_hut_guests"]?.input?.["cabin"]).toStrictEqual({ required: true, entity: "hut" });
    expect(tools["list_hut_guests"]?.input?.["season"] ?? {}).not.toHaveProperty("required");
    expect(tools["list_hut_guests"]?.use).toBe("See which guests of one hut there are.");
    expect(entities?.["hut"]).toStrictEqual({ from: "list_huts", field: "id" });
    expect(tools["list_huts"]?.next).toStrictEqual({ get_hut: "read one hut whole" });
  });

  test("a list shows the column by which one of its rows is picked, though no tool here does", async () => {
    const row = object({ title: text, token: { ...text, description: "The token of the sail plan." } });
    const draft = await written({
      "/sail_plans": list(row),
      "/sail_plans/{sail_plan_token}": {
        get: { parameters: [key("sail_plan_token")], responses: { 200: { description: "a drawing" } } },
      },
    });
    expect(fieldsOf(draft, "list_sail_plans")).toHaveProperty("token");
  });

  test("an optional input that is called as listed things are takes theirs", async () => {
    const { tools } = await written({
      "/skippers": list(),
      "/trips": list(ROW, { parameters: [query("skipper", text, { description: "Whose trips." })] }),
    });
    expect(tools["list_trips"]?.input).toStrictEqual({ skipper: { entity: "skipper" } });
  });
});

describe("pages", () => {
  const cursor = query("cursor");
  const lists = async (other: object, more: object = {}) =>
    await written({
      "/boats": {
        get: {
          parameters: [cursor, query("limit", whole)],
          responses: answer(object({ boats: { type: "array", items: ROW }, next_cursor: text })),
        },
      },
      "/sails": { get: { parameters: [cursor, query("limit", whole)], responses: answer(other), ...more } },
    });

  test("of a list that does not say how they follow, as others of the API do", async () => {
    const { api, tools, text: said } = await lists(object({ sails: { type: "array", items: ROW } }));
    expect(api.pages).toStrictEqual([
      { style: "token", send: "query.cursor", next: "next_cursor", size: "query.limit" },
    ]);
    expect(tools["list_sails"]).not.toHaveProperty("pages");
    expect(tools["list_sails"]?.unchecked).toBe(true);
    expect(said).not.toContain("a Link header is taken for it");
  });

  test("as the parameter's own words say", async () => {
    const description = "Set it to the `next_mark` attribute returned by the previous answer's `envelope`.";
    const { tools } = await written({
      "/sails": {
        get: {
          parameters: [query("marker", text, { description: description.replace("next_mark", "next_marker") })],
          responses: answer(object({ sails: { type: "array", items: ROW } })),
        },
      },
    });
    expect(tools["list_sails"]?.unchecked).toBe(true);
  });

  test("by a Link header without a doubt, where the document speaks of the next link", async () => {
    const { text: said } = await written({
      "/sails": list(ROW, {
        parameters: [
          query("after", text, { description: "Opaque; obtained through the next link." }),
          query("limit", whole),
        ],
      }),
    });
    expect(said).not.toContain("a Link header is taken for it");
  });

  test("by a token whose form the document gives", async () => {
    const pattern = { type: "string", pattern: "[\\S\\s]*" };
    const { api } = await written({
      "/sails": {
        get: {
          parameters: [query("pageToken", pattern)],
          responses: answer(object({ sails: { type: "array", items: ROW }, nextPageToken: pattern })),
        },
      },
    });
    expect(api.pages).toStrictEqual([{ style: "token", send: "query.pageToken", next: "nextPageToken" }]);
  });
});

describe("names and words", () => {
  const cases: [what: string, paths: object, name: string][] = [
    ["the area that a thing is of", { "/brewing/vats": list() }, "list_brewing_vats"],
    [
      "whose part it is, where many things have such a part",
      { "/orders/{order_id}/history": list(ROW, { parameters: [key("order_id")] }) },
      "list_order_history",
    ],
    [
      "by what a list is picked",
      { "/corks/{kind}": one(object({ corks: { type: "array", items: ROW } }), { parameters: [key("kind")] }) },
      "list_corks_by_kind",
    ],
    ["what is searched for", { "/search/corks": list() }, "search_corks"],
  ];
  test.each(cases)("a name says %s", async (_, paths, name) => {
    expect(Object.keys((await written(paths)).tools)).toContain(name);
  });

  const uses: [what: string, summary: string, description: string, use: string][] = [
    [
      "what is answered instead",
      "List corks",
      "Returns a 301 Moved status if the cork was moved.",
      "See which corks there are.",
    ],
    ["what no tool does", "List or watch corks of the cellar", "", "List corks of the cellar."],
    [
      "what stands where it does by mistake",
      "Corks",
      "Get an extension by its full name.",
      "See which corks there are.",
    ],
    ["capitals of a heading", "List All Sparkling Corks", "", "List all Sparkling Corks."],
    ["a link without a place", "List the [corks][] of a cellar", "", "List the corks of a cellar."],
  ];
  test.each(uses)("a purpose does not repeat %s", async (_, summary, description, use) => {
    const { tools } = await written({ "/corks": list(ROW, { summary, description }) });
    expect(tools["list_corks"]?.use).toBe(use);
  });

  test("the same words for a list and for one of it tell neither", async () => {
    const said = { description: "Retrieve the properties and relations of a cork resource." };
    const row = object({ id: text, name: text });
    const bigger = object({ id: text, name: text, maker: text, wood: text, size: whole, age: whole });
    const { tools } = await written({
      "/corks": list(row, said),
      "/corks/{cork_id}": one(bigger, { parameters: [key("cork_id")], ...said }),
    });
    expect(tools["list_corks"]?.use).toBe("See which corks there are.");
    expect(tools["get_cork"]?.use).toBe("Read one cork whole, once it is known which.");
  });

  test("bounds of one value are told apart by their names", async () => {
    const { tools } = await written({
      "/corks": list(ROW, {
        parameters: [query("Pressed"), query("Pressed<"), query("Pressed>=")].map((at) => ({
          ...at,
          description: "The day.",
        })),
      }),
    });
    expect(Object.keys(tools["list_corks"]?.input ?? {})).toStrictEqual(["Pressed", "Pressed_before", "Pressed_since"]);
  });
});

describe("columns", () => {
  const columns = async (properties: object) =>
    fieldsOf(await written({ "/corks": list(object(properties)) }), "list_corks");

  test("nothing by which somebody gets in", async () => {
    const secrets = {
      access_key: text,
      access_cert: text,
      signing_key: text,
      auth_token: text,
      blob: { ...text, description: "Base64 of the file." },
    };
    expect(Object.keys(await columns({ id: text, name: text, ...secrets }))).toStrictEqual(["id", "name"]);
  });

  test("what a row is before how it is set", async () => {
    const settings = Object.fromEntries(
      [
        "default_squash_label_title",
        "max_retries_per_user_limit",
        "premium_bar_enabled_user_updated_at",
        "annotations",
      ].map((name) => [name, text]),
    );
    const own = {
      id: text,
      name: text,
      status: text,
      description: text,
      created_at: text,
      updated_at: text,
      owner: object({ login: text }),
      kind_of: text,
      amount: whole,
      size: whole,
    };
    expect(Object.keys(await columns({ ...settings, ...own }))).toStrictEqual(Object.keys(own));
  });

  test("the parts of what has no name of its own", async () => {
    const commit = object({
      message: text,
      tree: object({ sha: text }),
      author: object({ name: text, email: text, date: text }),
      url: text,
      count: whole,
    });
    expect(await columns({ sha: text, commit })).toMatchObject({
      commit_message: { path: "commit.message" },
      commit_author: "commit.author.name",
      commit_author_date: "commit.author.date",
    });
  });

  test("what only holds another is that", async () => {
    expect(await columns({ id: text, from: object({ mailbox: object({ name: text, address: text }) }) })).toMatchObject(
      { from: "from.mailbox.name" },
    );
  });

  test("of alternatives that a type tells apart the type", async () => {
    const kinds = ["twine", "wire", "wax", "glue"];
    const parts = Object.fromEntries(kinds.map((name) => [name, object({ grade: text })]));
    expect(Object.keys(await columns({ id: text, type: { type: "string", enum: kinds }, ...parts }))).toStrictEqual([
      "id",
      "type",
    ]);
  });

  test("amounts in the smallest unit, with the currency that stands beside them", async () => {
    const fee = object({ amount: { type: "integer", description: "In the smallest denomination." }, currency: text });
    const plain = { type: "integer" };
    const draft = await written({
      "/corks": list(object({ id: text, fee })),
      "/vats": list(object({ id: text, amount: { ...plain, description: "In cents." }, currency: text })),
      "/kegs": list(object({ id: text, amount_due: plain, currency: text })),
    });
    expect(fieldsOf(draft, "list_corks")).toStrictEqual({
      id: "id",
      fee: { path: "fee.amount", as: "minor", unit: "${fee.currency}" },
    });
    expect(fieldsOf(draft, "list_kegs")["amount_due"]).toStrictEqual({
      path: "amount_due",
      as: "minor",
      unit: "${currency}",
    });
  });
});

describe("what is sent and read", () => {
  test("an answer that would go on for ever is told not to", async () => {
    const { tools } = await written({
      "/orders/{order_id}/stats": one(object({ read: text, load: whole }), {
        parameters: [key("order_id"), query("stream", { type: "boolean", default: true })],
      }),
    });
    expect(tools["get_order_stats"]?.args).toStrictEqual({ "query.stream": false });
  });

  test("what `default` describes is a failure, where success has another form", async () => {
    const failure = {
      description: "failed",
      content: { "application/json": { schema: object({ error: text, code: whole }) } },
    };
    const { tools, text: said } = await written({
      "/labels": {
        get: {
          responses: {
            200: { description: "ok", content: { "application/x-ndjson": { schema: text } } },
            default: failure,
          },
        },
      },
    });
    expect(Object.values(tools).map(({ operation }) => operation)).not.toContain("GET /labels");
    expect(said).toContain("because the answer is no JSON: GET /labels.");
  });

  test("what is called as the thing is holds it, whatever such a name means elsewhere", async () => {
    const draft = await written({
      "/sorts": list(object({ id: text, name: text })),
      "/sorts/{sort_id}": one(
        object({
          sort: object({ id: text, name: text, wood: text, age: whole, maker: text, price: whole }),
          errors: { type: "array", items: text },
        }),
        { parameters: [key("sort_id")] },
      ),
    });
    expect(fieldsOf(draft, "get_sort")).toMatchObject({ id: "sort.id", name: "sort.name" });
  });
});
