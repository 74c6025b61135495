import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { DiffFinding } from "../../../src/surface/diff/change.ts";
import { run } from "../fake-shell.ts";
import {
  GIT_ENV,
  openRepository,
  type Repository,
  shopCuration,
  shopFiles,
  shopPart,
  shopSpec,
} from "./a-repository.ts";

let repository: Repository;
beforeEach(() => {
  repository = openRepository();
  repository.commit(shopFiles());
});

const CURATION = "curation/shop.yaml";
const base = (revision = "main", name = CURATION) => `git:${revision}:${repository.path(name)}`;

async function diff(...args: string[]) {
  return await run(["diff", ...args], { env: GIT_ENV });
}

async function found(...args: string[]): Promise<DiffFinding[]> {
  const { out, err } = await diff("--json", ...args);
  expect(err).toBe("");
  return JSON.parse(out) as DiffFinding[];
}

const brief = (findings: readonly DiffFinding[]) => findings.map(({ rule, tool, cause }) => ({ rule, tool, cause }));

describe("the cause", () => {
  const lowered = { rule: "max_limit_lowered", tool: "shop_list_items" };
  const told = { rule: "description_changed", tool: "shop_list_items" };
  test.each([
    ["nothing", {}, []],
    ["the curation alone", { [CURATION]: shopCuration({ max: 40 }) }, [{ ...lowered, cause: "curation" }]],
    [
      "the spec alone",
      { "specs/shop.yaml": shopSpec({ most: 10 }) },
      [{ rule: "input_bound_tightened", tool: "shop_list_items", cause: "spec" }],
    ],
    [
      "a further file of the spec alone",
      { "specs/parts/one.yaml": shopPart("red") },
      [{ rule: "input_enum_narrowed", tool: "shop_list_items", cause: "spec" }],
    ],
    [
      "each something",
      { ...shopFiles({ most: 10, use: "Look for items" }) },
      [
        { rule: "input_bound_tightened", tool: "shop_list_items", cause: "spec" },
        { ...told, cause: "curation" },
      ],
    ],
  ])("is told where what changed is %s", async (_, files, want) => {
    repository.write(files);
    expect(brief(await found(base())).map((one) => ({ ...one }))).toStrictEqual(want);
  });

  test("is told of each tool and field apart where neither curation fits the other's spec whole", async () => {
    const listing = (path: string, id: string, field: string) => `  ${path}:
    get:
      operationId: ${id}
      responses: { "200": { description: OK, content: { application/json: { schema: { type: array, items: { type: object, properties: { ${field}: { type: string } } } } } } } }
`;
    const tool = (name: string, id: string, field: string) => `  ${name}:
    operation: ${id}
    use: Find ${name}.
    result: { rows: "@", fields: { ${field}: ${field} } }
`;
    const before = listing("/orders", "listOrders", "id") + listing("/users", "listUsers", "mail");
    const after = listing("/bills", "listBills", "id") + listing("/users", "listUsers", "phone");
    repository.commit({
      "specs/shop.yaml": shopSpec() + before,
      [CURATION]: shopCuration() + tool("orders", "listOrders", "id") + tool("users", "listUsers", "mail"),
    });
    repository.write({
      "specs/shop.yaml": shopSpec() + after,
      [CURATION]: shopCuration({ max: 40 }) + tool("bills", "listBills", "id") + tool("users", "listUsers", "phone"),
    });
    const causes = new Map((await found(base())).map(({ rule, tool: name, cause }) => [`${name} ${rule}`, cause]));
    expect(Object.fromEntries(causes)).toMatchObject({
      "shop_orders tool_removed": "spec+curation",
      "shop_bills tool_added": "spec+curation",
      "shop_list_items max_limit_lowered": "curation",
    });
    expect([...causes.keys()].filter((key) => key.startsWith("shop_users "))).not.toStrictEqual([]);
    expect([...causes.values()]).not.toContain("unknown");
  });

  test("is the curation's where an overlay changed", async () => {
    const overlay = (most: number) => `overlay: 1.1.0
info: { title: o, version: "1" }
actions: [{ target: "$.paths['/items'].get.parameters[0].schema", update: { maximum: ${most} } }]
`;
    const curation = shopCuration().replace("{ spec:", "{ overlays: [../specs/o.yaml], spec:");
    repository.commit({ [CURATION]: curation, "specs/o.yaml": overlay(9) });
    repository.write({ "specs/o.yaml": overlay(8) });
    expect(brief(await found(base()))).toStrictEqual([
      { rule: "input_bound_tightened", tool: "shop_list_items", cause: "curation" },
    ]);
  });

  test("between manifests is known where they were made from the same bytes by the same version, and else said to be unknown", async () => {
    const manifestOf = async (name: string) => {
      const { out } = await run(["tools", "--json", repository.path(CURATION)]);
      repository.write({ [name]: out });
      return out;
    };
    const one = await manifestOf("a.json");
    repository.write({ [CURATION]: shopCuration({ max: 40 }) });
    await manifestOf("b.json");
    expect(brief(await found(repository.path("a.json"), repository.path("b.json")))).toStrictEqual([
      { ...lowered, cause: "curation" },
    ]);
    repository.write({ "a.json": one.replace(/"vitrine": "[^"]*"/, '"vitrine": "0.0.1"') });
    const { out, code } = await diff(repository.path("a.json"), repository.path("b.json"));
    expect(code).toBe(1);
    expect(out).toContain("cause: unknown");
    expect(out).toContain("Causes are unknown: one side was made by vitrine 0.0.1, the other by");
  });

  test("is the compiler's where a lock of another version says else than its own curation now gives", async () => {
    const { out } = await run(["tools", "--json", repository.path(CURATION)]);
    const older = JSON.parse(out);
    older.made.vitrine = "0.0.1";
    older.tools[0].description = "Once upon a time.";
    repository.commit({ "curation/shop.lock.json": JSON.stringify(older) });
    repository.write({ [CURATION]: shopCuration({ max: 40 }) });
    expect(brief(await found(base("main", "curation/shop.lock.json"), repository.path(CURATION)))).toStrictEqual([
      { ...lowered, cause: "curation" },
      { ...told, cause: "compiler" },
    ]);
  });
});

describe("the place", () => {
  const manifest = async () => (await run(["tools", "--json", repository.path(CURATION)])).out;
  const LOCK = "curation/shop.lock.json";

  test("is the line of the curation that says it", async () => {
    repository.write({ [LOCK]: await manifest(), [CURATION]: shopCuration({ max: 40 }) });
    const [finding] = await found(repository.path(LOCK));
    expect(finding).toMatchObject({ line: 14, file: repository.path(CURATION), cause: "curation" });
  });

  test("of a lock file is that of the curation of which it was made", async () => {
    repository.commit({ [LOCK]: await manifest() });
    repository.write({ [CURATION]: shopCuration({ max: 40 }) });
    repository.write({ [LOCK]: await manifest() });
    const [finding] = await found(base("main", LOCK));
    expect(finding).toMatchObject({ line: 14, file: repository.path(CURATION), cause: "curation" });
  });

  test("of a lock file that is stale is the tool's in it", async () => {
    const lock = await manifest();
    repository.write({ [LOCK]: lock, [CURATION]: shopCuration({ max: 40 }) });
    const [finding] = await found(repository.path(CURATION), repository.path(LOCK));
    expect(finding?.file).toBe(repository.path(LOCK));
    expect(lock.split("\n")[(finding?.line ?? 0) - 1]).toBe('      "name": "shop_list_items",');
  });
});

describe("what fails", () => {
  const edits: readonly (readonly [what: string, files: Record<string, string>, Record<string, number>])[] = [
    ["BREAKING", { [CURATION]: shopCuration({ max: 40 }) }, { breaking: 1, unknown: 1, behaviour: 1, any: 1, none: 0 }],
    [
      "BEHAVIOUR",
      { [CURATION]: shopCuration({ use: "Look for items" }) },
      { breaking: 0, unknown: 0, behaviour: 1, any: 1, none: 0 },
    ],
    [
      "COMPATIBLE",
      { [CURATION]: shopCuration({ max: 60 }) },
      { breaking: 0, unknown: 0, behaviour: 0, any: 1, none: 0 },
    ],
    ["nothing", {}, { breaking: 0, unknown: 0, behaviour: 0, any: 0, none: 0 }],
  ];
  test.each(edits)("%s", async (_, files, want) => {
    repository.write(files);
    for (const [failOn, code] of Object.entries(want))
      expect([failOn, (await diff(base(), "--fail-on", failOn)).code]).toStrictEqual([failOn, code]);
  });

  test("breaking is what fails unless said", async () => {
    repository.write({ [CURATION]: shopCuration({ max: 40 }) });
    expect((await diff(base())).code).toBe(1);
  });

  test("a HEAD whose spec breaks a part of it fails whatever is asked for, and what breaks is told beside the error", async () => {
    repository.write({ "specs/parts/one.yaml": shopPart().replace(", name: { type: string }", "") });
    const { code, out, err } = await diff(base(), "--fail-on", "none", "--json");
    expect(code).toBe(1);
    expect(err).toMatch(/path_not_in_spec[\s\S]*does not compile; it is compared without what is wrong/);
    expect(brief(JSON.parse(out))).toContainEqual({
      rule: "output_field_removed",
      tool: "shop_list_items",
      cause: "spec",
    });
  });

  test("a HEAD whose only tool is wrong fails with its findings; a BASE that does not compile cannot be compared", async () => {
    repository.write({ [CURATION]: shopCuration().replace("operation: listItems", "operation: listItem") });
    const head = await diff(base());
    expect(head.code).toBe(1);
    expect(head.err).toMatch(/unknown_operation[\s\S]*does not compile/);
    expect(head.out).toMatch(/^error .* unknown_operation\n[\s\S]*BREAKING {2}shop_list_items {2}tool_removed/);
    repository.commit();
    repository.write({ [CURATION]: shopCuration() });
    const { code, err } = await diff(base());
    expect(code).toBe(2);
    expect(err).toContain(`git:main:${CURATION}:`);
    expect(err).not.toContain(`${tmpdir()}/vitrine-git-`);
  });
});

test("a HEAD that is no curation is told in every format, and never reads as no difference", async () => {
  repository.write({ [CURATION]: "vitrine: 1\n" });
  const sarif = repository.path("a.sarif");
  const { code, out } = await diff(base(), "--json", "--output", `sarif=${sarif}`);
  expect([code, JSON.parse(out)]).toMatchObject([1, [{ rule: "not_compared", class: "UNKNOWN", tool: null }]]);
  const { results } = JSON.parse(readFileSync(sarif, "utf8")).runs[0];
  expect(results.map(({ ruleId }: { ruleId: string }) => ruleId)).toStrictEqual([
    ...["missing_key", "missing_key", "missing_key"],
    "not_compared",
  ]);
  expect((await diff(base())).out).toContain("does not compile, so nothing can be compared.");
});

describe("git:REV:path", () => {
  const refused: readonly (readonly [what: string, side: () => string, message: RegExp])[] = [
    ["no such revision", () => base("nowhere"), /no such revision.*shallow clone/],
    ["a revision that looks like an option", () => base("--output=x"), /this is no revision/],
    ["no such file", () => base("main", "curation/other.yaml"), /no such file at that revision/],
    ["a folder", () => base("main", "curation"), /no such file at that revision/],
    ["a name with a line break", () => base("main", "a\nb"), /no such file at that revision/],
    ["no path", () => "git:main:", /expected git:REV:path/],
    ["no revision", () => `git::${repository.path(CURATION)}`, /expected git:REV:path/],
    ["a place without a repository", () => `git:main:${tmpdir()}/none.yaml`, /not a git repository/],
  ];
  test.each(refused)("%s is said in a line", async (_, side, message) => {
    const { code, out, err } = await diff(side(), repository.path(CURATION));
    expect([code, out]).toStrictEqual([2, ""]);
    expect(err).toMatch(message);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  test("where temporary files cannot be put anywhere is said in a line", async () => {
    vi.stubEnv("TMPDIR", repository.path("none"));
    const { code, out, err } = await diff(base(), repository.path(CURATION)).finally(() => vi.unstubAllEnvs());
    expect([code, out]).toStrictEqual([2, ""]);
    expect(err).toMatch(
      /^vitrine: \S+none: files of a revision cannot be put there \(ENOENT\)\. TMPDIR names another folder\.\n$/,
    );
  });

  test("without git it says so", async () => {
    const empty = repository.path("empty");
    mkdirSync(empty);
    const { code, err } = await run(["diff", base()], { env: { PATH: empty } });
    expect([code, err]).toStrictEqual([
      2,
      "vitrine: git: this program is not installed, and `git:REV:path` needs it.\n",
    ]);
  });

  test("bounds the files of a revision by --root, as those of now", async () => {
    repository.commit({ "curation/deep/shop.yaml": shopCuration({ spec: "../../specs/shop.yaml" }) });
    const sides = [base("main", "curation/deep/shop.yaml"), repository.path("curation/deep/shop.yaml")];
    expect(await diff(...sides)).toMatchObject({ code: 2, err: expect.stringContaining("outside_root") });
    expect(await diff(...sides, "--root", repository.folder)).toMatchObject({ code: 0, err: "" });
  });

  test("reads names as they are, and runs none of them", async () => {
    const canary = repository.path("canary");
    const name = `curation/a $(touch ${canary.replaceAll("/", "\\/")}) ;'"\`é: [x].yaml`.replaceAll("\\/", "_");
    repository.commit({ [name]: shopCuration() });
    repository.write({ [name]: shopCuration({ max: 40 }) });
    expect(brief(await found(base("HEAD", name)))).toMatchObject([{ rule: "max_limit_lowered" }]);
    expect(existsSync(canary)).toBe(false);
  });

  test("takes a symbolic link that stays inside of the repository, and none that leads out", async () => {
    const outside = join(repository.folder, "..", `outside-${process.pid}.yaml`);
    writeFileSync(outside, shopSpec());
    symlinkSync("shop.yaml", repository.path("specs/inner.yaml"));
    symlinkSync(outside, repository.path("specs/outer.yaml"));
    repository.commit({
      "curation/inner.yaml": shopCuration({ spec: "../specs/inner.yaml" }),
      "curation/outer.yaml": shopCuration({ spec: "../specs/outer.yaml" }),
    });
    repository.write({ "curation/inner.yaml": shopCuration({ max: 40, spec: "../specs/inner.yaml" }) });
    expect(brief(await found(base("main", "curation/inner.yaml")))).toMatchObject([{ rule: "max_limit_lowered" }]);
    const { code, err } = await diff(base("main", "curation/outer.yaml"));
    expect(code).toBe(2);
    expect(err).toContain("git:main:specs/outer.yaml");
    rmSync(outside);
  });

  test("reads every file at that revision, also where they are gone now, and leaves nothing behind", async () => {
    mkdirSync(repository.path(".tmp"));
    vi.stubEnv("TMPDIR", repository.path(".tmp"));
    repository.git("rm", "-rq", "specs", "curation");
    repository.commit({
      "new/shop.yaml": shopCuration({ spec: "../new/spec.yaml", max: 40 }),
      "new/spec.yaml": shopSpec(),
      "new/parts/items.yaml": shopFiles()["specs/parts/items.yaml"] ?? "",
      "new/parts/one.yaml": shopPart(),
    });
    expect(brief(await found(base("HEAD~1"), repository.path("new/shop.yaml")))).toMatchObject([
      { rule: "max_limit_lowered", cause: "curation" },
    ]);
    expect(brief(await found(base("HEAD~1"), base("HEAD", "new/shop.yaml")))).toMatchObject([
      { rule: "max_limit_lowered" },
    ]);
    expect(readdirSync(repository.path(".tmp"))).toStrictEqual([]);
    vi.unstubAllEnvs();
  });
});

describe("which sides", () => {
  test("a lock file alone is compared with the curation beside it", async () => {
    const { out } = await run(["tools", "--json", repository.path(CURATION)]);
    repository.write({ "curation/shop.lock.json": out });
    expect(await diff(repository.path("curation/shop.lock.json"))).toMatchObject({ code: 0, err: "" });
    rmSync(repository.path(CURATION));
    const { code, err } = await diff(repository.path("curation/shop.lock.json"));
    expect(code).toBe(2);
    expect(err).toContain("no curation beside the lock file");
  });

  test.each([
    ["a curation alone", () => [repository.path(CURATION)], /HEAD is missing/],
    ["nothing", () => [], /BASE is missing/],
    [
      "a text that is neither",
      () => [repository.path("specs/shop.yaml"), repository.path(CURATION)],
      /does not compile|unknown_key/,
    ],
    ["an unknown class", () => [base(), "--fail-on", "minor"], /no class "minor"/],
  ])("%s is refused", async (_, args, message) => {
    const { code, err } = await diff(...args());
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test("a torn lock file is said to be one", async () => {
    repository.write({ "curation/shop.lock.json": '{"manifest": 1, "tools": [' });
    const { code, err } = await diff(repository.path("curation/shop.lock.json"));
    expect(code).toBe(2);
    expect(err).toMatch(/shop\.lock\.json: it is not JSON/);
  });
});

describe("--suppress", () => {
  const suppress = async (text: string) => {
    repository.write({ [CURATION]: shopCuration({ max: 40 }), "accepted.yaml": text });
    return await diff(base(), "--suppress", repository.path("accepted.yaml"));
  };

  test.each([
    ["by its rule", "- { rule: max_limit_lowered, reason: agreed }", 0],
    [
      "by rule, tool and a path above",
      "- { rule: max_limit_lowered, tool: shop_list_items, path: /conduct/limit, reason: agreed, until: 9999-12-31 }",
      0,
    ],
    ["not of another tool", "- { rule: max_limit_lowered, tool: other, reason: agreed }", 1],
    ["not at another path", "- { rule: max_limit_lowered, path: /conduct/lim, reason: agreed }", 1],
    ["not after its last day", "- { rule: max_limit_lowered, reason: agreed, until: 2020-01-31 }", 1],
    ["not by an empty file", "", 1],
  ])("accepts a change %s", async (_, text, code) => {
    expect((await suppress(text)).code).toBe(code);
  });

  test("warns of what is over and of what nothing needs", async () => {
    const { out } = await suppress(
      "- { rule: max_limit_lowered, reason: a, until: 2020-01-31 }\n\n- { rule: tool_added, tool: x, reason: b }\n",
    );
    expect(out).toMatch(/suppression_expired\n.*held until 2020-01-31[\s\S]*accepted\.yaml:1\n/);
    expect(out).toMatch(/suppression_unmatched\n.*tool_added of x[\s\S]*accepted\.yaml:3\n/);
  });

  test("tells how many are accepted", async () => {
    expect((await suppress("- { rule: max_limit_lowered, reason: agreed }")).out).toMatch(
      /no difference left.* \(1 suppressed\)/,
    );
  });

  test.each([
    ["rule: x", /expected a list/],
    ["- x", /:1: expected \{rule/],
    ["\n- { rule: max_limit_lowered }", /:2: reason is missing/],
    ["- { reason: x }", /:1: rule is missing/],
    ["- { rule: max_limit_lowerd, reason: x }", /Did you mean max_limit_lowered/],
    ["- { rule: max_limit_lowered, reason: x, until: 2027-02-30 }", /not a day/],
    ["- { rule: max_limit_lowered, reason: x, tools: y }", /no key tools/],
    ["- { rule: max_limit_lowered, reason: 1 }", /reason is not a text/],
    ["- {", /not YAML/],
  ])("%j is refused", async (text, message) => {
    const { code, err } = await suppress(text);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

test("several formats are written at once, and JSON has exactly the promised keys", async () => {
  repository.write({ [CURATION]: shopCuration({ max: 40 }) });
  const file = repository.path("out.sarif");
  const { out } = await diff(base(), "--json", "--output", `sarif=${file}`);
  expect(Object.keys(JSON.parse(out)[0])).toStrictEqual([
    "rule",
    "class",
    "tool",
    "path",
    "before",
    "after",
    "cause",
    "file",
    "line",
    "message",
  ]);
  expect(JSON.parse(readFileSync(file, "utf8")).runs[0].results[0].ruleId).toBe("max_limit_lowered");
});
