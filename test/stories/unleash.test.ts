import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, openSession, type Session } from "../setup/clients.ts";
import { vitrine } from "../setup/program.ts";
import { haveUnleash, startUnleash, type Unleash } from "../setup/unleash.ts";
import { seedUnleash } from "../unleash/seed.ts";

let unleash: Unleash;
let session: Session;

const SEARCH = "unleash_search_flags";
const ACTIVE = "f.archived_at is null";

/** Names of flags as the database itself finds and orders them. */
async function selectFlags(where: string, values: readonly unknown[] = [], order = "f.created_at, f.name") {
  const rows = await unleash.sql(`select f.name from features f where ${where} order by ${order}`, values);
  return rows.map(({ name }) => name);
}

/** Follows nextPageToken to the end. */
async function walk(tool: string, args: Record<string, unknown>): Promise<Answer["json"][]> {
  const pages: Answer["json"][] = [];
  for (let pageToken: unknown; ; ) {
    const { json, isError, text } = await session.call(tool, pageToken === undefined ? args : { ...args, pageToken });
    if (isError) throw new Error(text);
    pages.push(json);
    pageToken = json["nextPageToken"];
    expect(json["hasMore"]).toBe(pageToken !== undefined);
    if (pageToken === undefined) return pages;
    if (pages.length > 500) throw new Error("The pages never end.");
  }
}

const column = (pages: readonly Answer["json"][], name: string) =>
  pages.flatMap(({ data = [] }) => data.map((row) => row[name]));
const totals = (pages: readonly Answer["json"][]) => [
  ...new Set(pages.map(({ summary }) => (summary as { total?: number } | undefined)?.total)),
];

const single = (field: string, op: string, value: unknown) => ({
  kind: "single",
  field,
  op,
  ...(Array.isArray(value) ? { values: value } : { value }),
});
const all = (...conditions: unknown[]) => ({ kind: "composite", match: "all", conditions });

describe.skipIf(!haveUnleash())("the Unleash curation against a real Unleash on PostgreSQL", () => {
  beforeAll(async () => {
    unleash = await startUnleash();
    await seedUnleash(unleash);
    session = await openSession(["curation/unleash.yaml"], { UNLEASH_URL: unleash.url, UNLEASH_TOKEN: unleash.token });
  }, 180_000);
  afterAll(async () => {
    await session?.close();
    await unleash?.stop();
  });

  test("the document in specs/ is the one that this server publishes", async () => {
    const served = await (await fetch(`${unleash.url}/docs/openapi.json`)).text();
    expect(readFileSync("specs/unleash.json", "utf8") === served).toBe(true);
  });

  test("it checks without an error, and offers ten tools that only read", async () => {
    const { code, stdout } = await vitrine(["check", "curation/unleash.yaml", "--json"]);
    expect(JSON.parse(stdout).filter(({ severity }: { severity: string }) => severity === "error")).toStrictEqual([]);
    expect(code).toBe(0);
    const { tools } = await session.client.listTools();
    expect(tools).toHaveLength(10);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  });

  describe("pages", () => {
    test.each([3, 40, 100, 127, 200])(
      "all pages of at most %d flags hold every flag once, and the true total",
      async (limit) => {
        const want = await selectFlags(ACTIVE);
        const pages = await walk(SEARCH, { limit });
        expect(column(pages, "name")).toStrictEqual(want);
        expect(totals(pages)).toStrictEqual([want.length]);
        expect(pages.every(({ data = [], rowCount }) => data.length === rowCount && data.length <= limit)).toBe(true);
      },
    );

    test("a page that the budget cuts goes on where it was cut", async () => {
      const pages = await walk(SEARCH, { limit: 200 });
      expect(pages.length).toBeGreaterThan(1);
      for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(20_000);
    });

    test("a filter, a search and an order hold on every page", async () => {
      const filter = single("project", "in", ["shop", "default"]);
      const args = { filter, query: "100", sort_by: "name", sort_order: "desc", limit: 4 };
      const where = `${ACTIVE} and f.project in ('shop', 'default') and (f.name like '%100%' or f.description like '%100%')`;
      const want = await selectFlags(where, [], "f.name desc");
      expect(want.length).toBeGreaterThan(12);
      const pages = await walk(SEARCH, args);
      expect(column(pages, "name")).toStrictEqual(want);
      expect(totals(pages)).toStrictEqual([want.length]);
    });

    test("a page token does not go on with other arguments", async () => {
      const { json } = await session.call(SEARCH, { limit: 5 });
      const other = await session.call(SEARCH, { limit: 5, sort_order: "desc", pageToken: json["nextPageToken"] });
      expect(other.json.error).toBe("invalid_cursor");
      const filter = single("project", "eq", "shop");
      expect((await session.call(SEARCH, { filter, pageToken: json["nextPageToken"] })).json.error).toBe(
        "invalid_cursor",
      );
    });

    test("a flag that leaves the list between two pages makes no other be skipped, or that is said", async () => {
      const before = await selectFlags(ACTIVE);
      const first = await session.call(SEARCH, { limit: 10 });
      await unleash.sql("update features set archived_at = now() where name = $1", [before[2]]);
      try {
        const rest = await walk(SEARCH, { limit: 10, pageToken: first.json["nextPageToken"] });
        const missed = before.filter(
          (name) => ![...column([first.json], "name"), ...column(rest, "name")].includes(name),
        );
        expect(missed.length === 0 || JSON.stringify(rest[0]).includes("SNAPSHOT_DRIFT")).toBe(true);
      } finally {
        await unleash.sql("update features set archived_at = null where name = $1", [before[2]]);
      }
    });
  });

  const orders: [column: string, order: string][] = [
    ["createdAt", "f.created_at"],
    ["name", "f.name"],
    ["type", "f.type"],
    ["project", "f.project"],
    ["stale", "f.stale"],
    ["lastSeenAt", "f.last_seen_at"],
  ];
  describe.each(["asc", "desc"])("sorted %s", (direction) => {
    test.each(orders)("by %s the flags come as the database orders them", async (sort_by, order) => {
      const want = await selectFlags(ACTIVE, [], `${order} ${direction} nulls last, f.created_at, f.name`);
      const pages = await walk(SEARCH, { sort_by, sort_order: direction, limit: 60 });
      expect(column(pages, "name")).toStrictEqual(want);
    });
  });

  const stage =
    "(select l.stage from feature_lifecycles l where l.feature = f.name order by l.created_at desc limit 1)";
  const tagged = (...tags: string[]) =>
    `exists (select 1 from feature_tag t where t.feature_name = f.name and t.tag_type || ':' || t.tag_value in (${tags.map((tag) => `'${tag}'`).join(", ")}))`;
  const filters: [what: string, filter: unknown, where: string][] = [
    ["project eq", single("project", "eq", "shop"), "f.project = 'shop'"],
    ["project ne", single("project", "ne", "shop"), "f.project <> 'shop'"],
    ["project in", single("project", "in", ["shop", "pay"]), "f.project in ('shop', 'pay')"],
    ["project not_in", single("project", "not_in", ["shop", "pay"]), "f.project not in ('shop', 'pay')"],
    ["type eq", single("type", "eq", "kill-switch"), "f.type = 'kill-switch'"],
    ["type ne", single("type", "ne", "kill-switch"), "f.type <> 'kill-switch'"],
    ["type in", single("type", "in", ["release", "kill-switch"]), "f.type in ('release', 'kill-switch')"],
    ["type not_in", single("type", "not_in", ["release", "kill-switch"]), "f.type not in ('release', 'kill-switch')"],
    ["state eq active", single("state", "eq", "active"), "not f.stale"],
    ["state eq stale", single("state", "eq", "stale"), "f.stale"],
    ["state ne stale", single("state", "ne", "stale"), "not f.stale"],
    ["state eq potentially-stale", single("state", "eq", "potentially-stale"), "not f.stale and f.potentially_stale"],
    ["state ne potentially-stale", single("state", "ne", "potentially-stale"), "f.stale or not f.potentially_stale"],
    ["state in", single("state", "in", ["stale", "potentially-stale"]), "f.stale or f.potentially_stale"],
    [
      "state not_in",
      single("state", "not_in", ["stale", "potentially-stale"]),
      "not f.stale and not f.potentially_stale",
    ],
    ["lifecycle eq", single("lifecycle", "eq", "live"), `${stage} = 'live'`],
    ["lifecycle in", single("lifecycle", "in", ["live", "pre-live"]), `${stage} in ('live', 'pre-live')`],
    ["tag eq", single("tag", "eq", "simple:web"), tagged("simple:web")],
    ["tag eq with a colon", single("tag", "eq", "team:a:b"), tagged("team:a:b")],
    ["tag ne", single("tag", "ne", "simple:web"), `not ${tagged("simple:web")}`],
    ["tag in", single("tag", "in", ["simple:web", "team:web"]), tagged("simple:web", "team:web")],
    ["tag not_in", single("tag", "not_in", ["simple:web", "team:web"]), `not ${tagged("simple:web", "team:web")}`],
    ["createdBy eq", single("createdBy", "eq", "2"), "f.created_by_user_id = 2"],
    ["createdBy in", single("createdBy", "in", ["1", "2"]), "f.created_by_user_id in (1, 2)"],
    ["createdAt lt", single("createdAt", "lt", "2025-03-06"), "f.created_at < '2025-03-06'"],
    ["createdAt gte, at midnight", single("createdAt", "gte", "2025-01-01"), "f.created_at >= '2025-01-01'"],
    ["createdAt gte", single("createdAt", "gte", "2025-03-06"), "f.created_at >= '2025-03-06'"],
    [
      "all of four",
      all(
        single("project", "ne", "pay"),
        single("type", "in", ["release", "experiment"]),
        single("tag", "ne", "team:web"),
        single("createdAt", "gte", "2025-02-01"),
      ),
      `f.project <> 'pay' and f.type in ('release', 'experiment') and not ${tagged("team:web")} and f.created_at >= '2025-02-01'`,
    ],
  ];
  test.each(filters)("the filter %s selects what SQL selects, and counts it", async (_, filter, where) => {
    const want = await selectFlags(`${ACTIVE} and (${where})`);
    expect(want.length).toBeGreaterThan(0);
    const pages = await walk(SEARCH, { filter, limit: 45 });
    expect(column(pages, "name")).toStrictEqual(want);
    expect(totals(pages)).toStrictEqual([want.length]);
    expect(pages[0]?.["appliedFilter"]).toBeDefined();
  });

  test.each([
    ["a segment that no flag has", single("segment", "eq", "nobody"), "false"],
    ["any flag without such a segment", single("segment", "ne", "nobody"), "true"],
    ["a project that does not exist", single("project", "eq", "nowhere"), "false"],
  ])("the filter for %s says how many there are", async (_, filter, where) => {
    const want = await selectFlags(`${ACTIVE} and ${where}`);
    const pages = await walk(SEARCH, { filter, limit: 200 });
    expect(column(pages, "name")).toStrictEqual(want);
    expect(totals(pages)).toStrictEqual([want.length]);
  });

  test.each([
    [
      "either of two projects and types",
      {
        kind: "composite",
        match: "any",
        conditions: [single("project", "eq", "shop"), single("type", "eq", "release")],
      },
    ],
    [
      "a range of days, for which the server has one parameter",
      all(single("createdAt", "gte", "2025-01-01"), single("createdAt", "lt", "2025-02-01")),
    ],
    ["a creator that it is not, since flags may have none", single("createdBy", "ne", "2")],
    ["flags without a creator", { kind: "single", field: "createdBy", op: "is_null" }],
    ["days up to and with one", single("createdAt", "lte", "2025-02-01")],
  ])("a filter for %s is refused, not weakened", async (_, filter) => {
    const { json, isError } = await session.call(SEARCH, { filter });
    expect(isError).toBe(true);
    expect(["filter_not_expressible", "invalid_arguments"]).toContain(json.error);
  });

  /** Selects what equals the value, or refuses it; nothing else. */
  async function expectPlainMeaning(field: "project" | "tag", op: "eq" | "in", value: string): Promise<void> {
    const filter = single(field, op, op === "in" ? [value] : value);
    const { json, isError } = await session.call(SEARCH, { filter, limit: 200 });
    if (isError) {
      expect(["filter_not_expressible", "invalid_arguments", "upstream_rejected"]).toContain(json.error);
      return;
    }
    const where =
      field === "project"
        ? "f.project = $1"
        : "exists (select 1 from feature_tag t where t.feature_name = f.name and t.tag_type || ':' || t.tag_value = $1)";
    const want = await selectFlags(`${ACTIVE} and ${where}`, [value]);
    expect({ value, names: json.data?.map(({ name }) => name) }).toStrictEqual({ value, names: want });
  }

  const hostile = [
    ...[
      "shop,pay",
      "IS:shop",
      "IS_NOT:shop",
      "shop' or '1'='1",
      "shop; --",
      "SHOP",
      "%",
      "_hop",
      "*",
      "null",
      " shop ",
      "shop\u00a0",
    ],
    ...[
      "shop\npay",
      "shop\u2028",
      "ｓｈｏｐ",
      "\u0000",
      "",
      "$1",
      "{value}",
      "${input.query}",
      "shop&archived=IS:true",
      "shop#",
      "+",
      "%2C",
    ],
  ];
  test.each(hostile)("the project %j selects what its plain meaning selects, or is refused", async (value) => {
    await expectPlainMeaning("project", "eq", value);
    await expectPlainMeaning("project", "in", value);
  });
  const hostileTags = [
    ...[
      "simple:web,simple:mobile",
      "simple: web ",
      " simple:web",
      "simple:web\t",
      "team:a:b",
      "team:a",
      "web",
      ":web",
      "simple:",
    ],
    ...["simple:%", "simple:web' --", "INCLUDE:simple:web", "simple:WEB", "simple:web\u3000"],
  ];
  test.each(hostileTags)("the tag %j selects what its plain meaning selects, or is refused", async (value) => {
    await expectPlainMeaning("tag", "eq", value);
    await expectPlainMeaning("tag", "in", value);
  });
  test("so does any text", async () => {
    const part = fc.constantFrom(
      "shop",
      "pay",
      ",",
      ":",
      " ",
      "IS",
      "simple",
      "web",
      "%",
      "'",
      "\\",
      "&",
      "=",
      "é",
      "\u00a0",
      "\u2028",
    );
    const text = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    const cases = fc.tuple(
      fc.constantFrom("project" as const, "tag" as const),
      fc.constantFrom("eq" as const, "in" as const),
      text,
    );
    await fc.assert(
      fc.asyncProperty(cases, async (given) => await expectPlainMeaning(...given)),
      { numRuns: 80 },
    );
  });

  test.each([
    "100_",
    "100%",
    "\\",
    "O'HARA",
    "a!~*",
    "straße",
    "日本",
    "; three",
    "\\_",
    '"off" \\ on',
    "basket-1",
    "_",
    "%",
  ])("the search for %j finds what holds it, in any case", async (query) => {
    const want = await selectFlags(
      `${ACTIVE} and (position(lower($1) in lower(f.name)) > 0 or position(lower($1) in lower(f.description)) > 0)`,
      [query],
    );
    const pages = await walk(SEARCH, { query, limit: 200 });
    expect(column(pages, "name")).toStrictEqual(want);
    expect(pages[0]?.["summary"]).toMatchObject({ total: want.length });
  });

  test.each(["shop,web", " web", "web ", "a\u0000b", ""])(
    "the search for %j is refused: the server would search for something else",
    async (query) => {
      expect((await session.call(SEARCH, { query })).json.error).toBe("invalid_arguments");
    },
  );

  test.each(["production:enabled", "development:disabled", "nowhere:enabled"])(
    "the status %s counts the flags of that environment",
    async (status) => {
      const [environment, state] = status.split(":");
      const want = await selectFlags(
        `${ACTIVE} and exists (select 1 from feature_environments e where e.feature_name = f.name and e.environment = $1 and e.enabled = $2)`,
        [environment, state === "enabled"],
      );
      const pages = await walk(SEARCH, { status, limit: 50 });
      expect(column(pages, "name")).toStrictEqual(want);
      expect(new Set(column(pages, "enabled_in"))).toStrictEqual(new Set(want.length > 0 ? [null] : []));
    },
  );

  test("without a status each row says where its flag is on", async () => {
    const rows = await unleash.sql(
      `select f.name, array(select e.environment::text from feature_environments e where e.feature_name = f.name and e.enabled order by 1) as enabled_in
       from features f where ${ACTIVE} order by f.created_at, f.name`,
    );
    const pages = await walk(SEARCH, { limit: 100 });
    const shown = pages.flatMap(({ data = [] }) => data.map(({ name, enabled_in }) => ({ name, enabled_in })));
    expect(shown).toStrictEqual(rows);
  });

  test("archived flags are counted apart, with the moment of archiving", async () => {
    const want = await selectFlags("f.archived_at is not null");
    const pages = await walk("unleash_list_archived_flags", { limit: 5 });
    expect(column(pages, "name")).toStrictEqual(want);
    expect(totals(pages)).toStrictEqual([want.length]);
    expect(column(pages, "archivedAt").every((moment) => typeof moment === "string")).toBe(true);
  });

  test("each flag of a hostile name can be read, with its own tags", async () => {
    const flags = await unleash.sql(
      `select name, project, description from features f where ${ACTIVE} and created_at < '2025-01-20'`,
    );
    expect(flags.map(({ name }) => name)).toContain("a!~*.b_(c)'d");
    for (const { name, project, description } of flags) {
      const { json } = await session.call("unleash_get_flag", { project, flag: name });
      expect(json).toMatchObject({ name, project, description });
      const tags = await unleash.sql(
        "select tag_type as type, tag_value as value from feature_tag where feature_name = $1 order by 1, 2",
        [name],
      );
      expect((await session.call("unleash_list_flag_tags", { flag: name })).json.data).toStrictEqual(tags);
    }
  });

  test("a flag that does not exist is said to, and how to find one", async () => {
    const { json } = await session.call("unleash_get_flag", { project: "shop", flag: "../default/features/null" });
    expect(json.error).toBe("unknown_flag");
    expect(json["recover"]).toContain("`unleash_search_flags`");
  });

  test("events come the newest first, every one once, and their total is the database's", async () => {
    const filter = single("type", "eq", "feature-created");
    const rows = await unleash.sql(
      "select id from events where type = 'feature-created' order by created_at desc, id desc",
    );
    const pages = await walk("unleash_search_events", { filter, limit: 33 });
    expect(column(pages, "id")).toStrictEqual(rows.map(({ id }) => id));
    expect(totals(pages)).toStrictEqual([rows.length]);
  });

  test.each([
    ["one flag", single("feature", "eq", "it's"), "feature_name = 'it''s'"],
    ["two projects", single("project", "in", ["shop", "pay"]), "project in ('shop', 'pay')"],
    ["one environment", single("environment", "eq", "production"), "environment = 'production'"],
    [
      "a kind in a range of days",
      all(
        single("type", "in", ["feature-created", "feature-tagged"]),
        single("since", "gte", "2025-02-01"),
        single("until", "lte", "2025-03-01"),
      ),
      "type in ('feature-created', 'feature-tagged') and created_at >= '2025-02-01' and created_at < '2025-03-02'",
    ],
  ])("events of %s are those that SQL selects", async (_, filter, where) => {
    await unleash.sql(
      `update events set created_at = '2025-01-15T00:00:00Z'::timestamptz + id * interval '7 hours' where type = 'feature-tagged'`,
    );
    const rows = await unleash.sql(`select id from events where ${where} order by created_at desc, id desc`);
    expect(rows.length).toBeGreaterThan(0);
    const pages = await walk("unleash_search_events", { filter, limit: 100 });
    expect(column(pages, "id")).toStrictEqual(rows.map(({ id }) => id));
    expect(totals(pages)).toStrictEqual([rows.length]);
  });

  test("projects, environments and tags are those of the database", async () => {
    const environments = await unleash.sql(
      "select environment as name, count(*)::int as flags_on from feature_environments e where e.enabled group by 1 order by 1",
    );
    const listed = await session.call("unleash_list_environments");
    expect(listed.json.data?.map(({ name, flags_on }) => ({ name, flags_on }))).toStrictEqual(environments);
    const tags = await unleash.sql("select type, value from tags where value like '%mobile%' order by 1, 2");
    expect((await session.call("unleash_list_tags", { search: "mobile" })).json.data).toStrictEqual(tags);
    const shop = await session.call("unleash_get_project", { project: "shop" });
    const types = await unleash.sql(
      `select f.type, count(*)::int from features f where project = 'shop' and ${ACTIVE} group by 1 order by 1`,
    );
    expect(
      (shop.json["flags_by_type"] as { type: string }[]).toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    ).toStrictEqual(types);
    expect((await session.call("unleash_get_project", { project: "nowhere" })).json.error).toBe("unknown_project");
    expect((await session.call("unleash_list_projects")).json.data).toMatchObject([{ id: "default" }]);
  });
});
