import { describe, expect, test } from "vitest";
import type { Toolset } from "../../src/model/tool.ts";
import { makeManifest, manifestSha, manifestText } from "../../src/surface/manifest.ts";
import { type Conduct, conductsOf, type Manifest } from "../../src/surface/manifest-format.ts";
import { apiOfText, compileText, compileTools, shown } from "../compile/compile-text.ts";
import { compileDesk } from "../run/group/desk.ts";

const MADE = { vitrine: "1.0.0", from: [{ path: "spec.yaml", sha256: "a".repeat(64) }] };

const SPEC = `
openapi: 3.1.0
info: {title: Tasks, version: '1'}
servers: [{url: 'https://api.example.com/v1'}]
security: [{apiKey: []}, {login: [tasks.read]}]
components:
  securitySchemes:
    apiKey: {type: apiKey, in: header, name: X-Key}
    login: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://id.example.com/token', scopes: {tasks.read: '', tasks.write: ''}}}}
  schemas:
    Task:
      type: object
      required: [id, title, due, price]
      properties: {id: {type: string}, title: {type: string}, due: {type: integer}, price: {type: integer}, state: {type: string}}
paths:
  /{region}/tasks:
    parameters: [{name: region, in: path, required: true, schema: {type: string}}]
    get:
      operationId: listTasks
      summary: Lists tasks.
      parameters:
        - {name: state, in: query, description: Which., schema: {type: string, enum: [open, closed]}}
        - {name: name, in: query, schema: {type: string, pattern: '^[^x]+$', format: hostname}}
        - {name: since, in: query, schema: {type: integer}}
        - {name: sort, in: query, schema: {type: string, default: id}}
        - {name: page, in: query, schema: {type: integer}}
        - {name: size, in: query, schema: {type: integer, maximum: 100}}
        - {name: owner, in: query, schema: {type: string}}
        - {name: titled, in: query, schema: {type: string}}
        - {name: within, in: query, schema: {type: string}}
        - {name: open, in: query, schema: {type: string}}
      responses:
        '200':
          description: Fine
          content:
            application/json:
              schema: {type: object, properties: {count: {type: integer}, items: {type: array, items: {$ref: '#/components/schemas/Task'}}}}
    post:
      operationId: addTask
      summary: Adds a task.
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}, kind: {type: string, enum: [a, b]}}}}}}
      responses: {'200': {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}}
  /users:
    get:
      operationId: listUsers
      security: [{login: [users.read]}]
      parameters: [{name: size, in: query, schema: {type: integer}}]
      responses: {'200': {description: Fine, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}
`;

const CURATION = `
vitrine: 1
api:
  spec: spec.yaml
  auth: {login: {clientCredentials: {clientId: "\${env.ID}", clientSecret: "\${env.SECRET}"}}}
  headers: {X-Client: canary-header}
server: {name: desk, writes: true}
pins: {region: eu}
entities:
  user: {from: list_users, field: id}
states:
  open: {operation: listTasks, when: "count > \`0\`"}
tools:
  list_tasks:
    operation: listTasks
    use: Find tasks.
    tags: [b, a]
    aliases: [old_tasks]
    states: [open]
    pages: {style: page, send: query.page, size: query.size, sizeMax: 100}
    deadline: 30s
    input:
      state: {}
      name: {}
      sort: {}
      since: {type: date-time, as: unix, default: 30 days ago}
      owner: {entity: user}
    filter:
      dialect: params
      always: {region: "\${pins.region}"}
      fields: {title: {type: string, to: query.titled, ops: [eq]}, region: {type: string, to: query.within, ops: [eq]}}
    result:
      rows: items
      fields: {id: id, title: {path: title, clip: 80}, due: {path: due, as: unix}, price: {path: price, as: minor, unit: EUR}}
      all: {max: 500}
      order: [-due, id]
      totals: {count: count}
      limit: {default: 20, max: 50}
      budget: 10kB
    errors: [{status: 404, error: gone, recover: Stop.}]
    suggest: [{tool: list_users, why: see who}]
  add_task:
    operation: addTask
    use: Add a task.
    confirm: Add \${input.title}?
    input: {title: {}, kind: {default: a}}
  list_users:
    operation: listUsers
    use: Find users.
    unpinned: {region: users are global}
    result: {rows: "@", fields: {id: id}, limit: {default: 10, max: 20}}
`;

async function compile(spec = SPEC, curation = CURATION): Promise<Toolset> {
  const result = compileText(await apiOfText(spec), curation);
  const errors = result.problems.filter(({ severity }) => severity === "error");
  if (result.toolset === undefined || errors.length > 0) throw new Error(shown(result.problems).join("\n"));
  return result.toolset;
}

const base = await makeManifest(await compile(), MADE);
const conductOf = (name: string, { tools }: Manifest = base): Conduct =>
  conductsOf(tools.find((one) => one.name === name)!)[0]!;

describe("what is told of a tool", () => {
  const DIGEST = expect.stringMatching(/^[0-9a-f]{16}$/);
  const columns = Object.fromEntries(["id", "title", "due", "price"].map((name) => [`field ${name}`, DIGEST]));

  test("whatever a caller feels of it", () => {
    expect(conductOf("list_tasks")).toStrictEqual({
      operations: ["GET /{region}/tasks", "GET /users"],
      access: ["login: tasks.read", "login: users.read"],
      requests: expect.objectContaining({
        operation: "GET /{region}/tasks",
        "value query.since": "as-given $since",
        "always region": DIGEST,
      }),
      replies: { kind: DIGEST, rows: DIGEST, ...columns },
      states: ["open"],
      unpinned: ["region"],
      budget: 10_000,
      deadlineMs: 30_000,
      limit: { default: 20, max: 50 },
      defaults: { since: "30 days ago", sort: "id" },
      inputs: {
        name: { checks: expect.stringMatching(/^[0-9a-f]{16}$/) },
        owner: { entity: "user" },
        since: { form: "unix", checks: expect.stringMatching(/^[0-9a-f]{16}$/) },
      },
      fields: { title: { clip: 80 }, due: { form: "unix" }, price: { form: "minor", unit: "EUR" } },
      said: {
        type: "object",
        properties: {
          id: { type: "string" },
          title: { type: "string" },
          due: { type: "integer" },
          price: { type: "integer" },
        },
      },
      filter: {
        offered: true,
        depth: 1,
        dialects: ["params"],
        fields: {
          title: { type: "string", nullable: true, ops: ["eq"] },
          region: { type: "string", nullable: true, ops: ["eq"] },
        },
        always: ["region"],
      },
      order: ["-due, id"],
      totals: { kind: "count", count: "count" },
      all: 500,
      pages: ["GET /{region}/tasks: page query.page, first 1, size query.size, at most 100"],
      errors: [{ on: "404", error: "gone", recover: "Stop." }],
      suggest: [expect.stringMatching(/^[0-9a-f]{16} @list_users$/)],
    });
    expect(conductOf("add_task")).toMatchObject({
      operations: ["POST /{region}/tasks"],
      access: ["login: tasks.read"],
      defaults: { kind: "a" },
      confirm: { text: "Add ${input.title}?", human: false },
    });
  });

  test("the list says from what and by whom it was made, and holds nothing that is secret", () => {
    expect(base).toMatchObject({
      manifest: 1,
      made: MADE,
      server: { name: "desk", structured: true, pageTokenTtlMs: 900_000 },
      pins: ["region"],
    });
    expect(base.tools.map(({ name, tags, aliases }) => [name, tags, aliases])).toStrictEqual([
      ["add_task", [], undefined],
      ["describe_access", [], undefined],
      ["list_tasks", ["a", "b"], ["old_tasks"]],
      ["list_users", [], undefined],
    ]);
    expect(manifestText(base)).not.toMatch(/canary|env\.ID|env\.SECRET/);
  });
});

describe("a pin that a tool does not carry", () => {
  const REPLY = "responses: {'200': {description: Fine}}";
  const ORDER = `{content: {application/json: {schema: {type: object, properties: {title: {type: string}, parts: {type: array, items: {type: object, properties: {region: {type: string}, how: {type: string}}}}}}}}}`;
  const spec = `
paths:
  /orders: {post: {operationId: order, requestBody: ${ORDER}, ${REPLY}}}
  /notes: {get: {operationId: notes, parameters: [{name: within, in: query, schema: {type: string}}], ${REPLY}}}
  /{region}/all: {get: {operationId: all, parameters: [{name: region, in: path, required: true, schema: {type: string}}], ${REPLY}}}
`;
  const always =
    'filter: {dialect: params, hidden: true, always: {where: "${pins.region}"}, fields: {where: {type: string, to: query.within, ops: [eq]}}}';

  test.each<[title: string, tool: string, want: readonly string[] | undefined]>([
    [
      "but in items that need not be sent",
      "send: {operation: order, use: Order., unpinned: {region: why}, input: {title: {}}}",
      ["region"],
    ],
    ["nowhere", "send: {operation: notes, use: Read., unpinned: {region: why}}", ["region"]],
    ["but in its filter", `send: {operation: notes, use: Read., ${always}}`, undefined],
    ["but in its path", "send: {operation: all, use: Read.}", undefined],
  ])("%s", async (_, tool, want) => {
    const { toolset, problems } = await compileTools(spec, tool, { server: "writes: true", pins: "{region: eu}" });
    if (toolset === undefined) throw new Error(shown(problems).join("\n"));
    expect(conductOf("send", await makeManifest(toolset, MADE)).unpinned).toStrictEqual(want);
  });
});

type Edit = readonly [before: string, after: string];
const edits: readonly (readonly [title: string, of: "spec" | "curation", edit: Edit, keys: readonly string[]])[] = [
  ["what is only said in the spec", "spec", ["description: Which.", "description: Which one."], []],
  [
    "the order of parameters in the spec",
    "spec",
    [
      "- {name: titled, in: query, schema: {type: string}}\n        - {name: within, in: query, schema: {type: string}}",
      "- {name: within, in: query, schema: {type: string}}\n        - {name: titled, in: query, schema: {type: string}}",
    ],
    [],
  ],
  ["what a tool is for", "curation", ["use: Find tasks.", "use: Find some tasks."], []],
  ["what is under `api`", "curation", ["canary-header", "another"], []],
  ["the value of a pin", "curation", ["region: eu}", "region: us}"], ["requests"]],
  ["a constant", "curation", ["    filter:\n", "    args: {query.open: yes}\n    filter:\n"], ["requests"]],
  ["a value of an input, which its schema tells", "spec", ["enum: [open, closed]", "enum: [open, shut]"], []],
  ["another path of what lists identifiers", "spec", ["  /users:", "  /people:"], ["operations"]],
  ["another path", "spec", ["  /{region}/tasks:", "  /{region}/jobs:"], ["operations", "pages", "requests"]],
  ["another scope", "spec", ["{login: [tasks.read]}", "{login: [tasks.write]}"], ["access"]],
  ["another server in the spec, which is told of the upstream", "spec", ["example.com/v1", "example.com/v2"], []],
  ["where a column is read", "curation", ["{id: id, title: {", "{id: title, title: {"], ["replies"]],
  ["where rows are read", "curation", ["rows: items", "rows: items[?due]"], ["replies"]],
  ["a relative default", "curation", ["30 days ago", "7 days ago"], ["defaults"]],
  ["a default of the upstream", "spec", ["default: id", "default: due"], ["defaults"]],
  ["a form", "curation", ["as: unix, default", "as: unix-ms, default"], ["inputs", "requests"]],
  ["a check beyond the schema", "spec", ["format: hostname", "format: email"], ["inputs"]],
  ["a clip", "curation", ["clip: 80", "clip: 90"], ["fields"]],
  ["a unit", "curation", ["unit: EUR", "unit: USD"], ["fields"]],
  ["the order", "curation", ["order: [-due, id]", "order: [due, id]"], ["order"]],
  ["the rows that are read", "curation", ["max: 500", "max: 600"], ["all"]],
  ["a limit", "curation", ["default: 20, max: 50", "default: 30, max: 50"], ["limit"]],
  ["a budget", "curation", ["10kB", "11kB"], ["budget"]],
  ["a deadline", "curation", ["30s", "31s"], ["deadlineMs"]],
  ["where a total is read", "curation", ["{count: count}", "{count: count, exactWhen: count}"], ["totals"]],
  ["how an error is told", "curation", ["recover: Stop.", "recover: Wait."], ["errors"]],
  ["a condition that is always sent", "curation", ["always: {region:", "always: {title:"], ["filter", "requests"]],
  [
    "an operator of the filter",
    "curation",
    [
      "region: {type: string, to: query.within, ops: [eq]}",
      "region: {type: string, to: query.within, ops: [eq], nullable: false}",
    ],
    ["filter"],
  ],
  ["what is proposed next", "curation", ["suggest: [{tool: list_users, why: see who}]", ""], ["suggest"]],
  ["a state", "curation", ["    states: [open]\n", ""], ["requests", "states"]],
];

describe("a change shows where it is felt", () => {
  test.each(edits)("%s", async (_, of, [before, after], keys) => {
    const source = of === "spec" ? SPEC : CURATION;
    expect(source.split(before)).toHaveLength(2);
    const edited = source.replace(before, () => after);
    const head = await makeManifest(of === "spec" ? await compile(edited) : await compile(SPEC, edited), MADE);
    const [was, is] = [conductOf("list_tasks"), conductOf("list_tasks", head)].map(
      (one) => new Map(Object.entries(one)),
    );
    const all = new Set([...was!.keys(), ...is!.keys()]);
    const changed = [...all].filter((key) => JSON.stringify(was!.get(key)) !== JSON.stringify(is!.get(key)));
    expect(changed.toSorted()).toStrictEqual(keys);
  });
});

describe("groups", () => {
  const find = ({ tools }: Manifest, name: string) => tools.find((one) => one.name === name);

  test("tell each action as the tool that it would be by itself", async () => {
    const [flat, grouped] = await Promise.all(
      (["flat", "grouped"] as const).map(async (expose) => makeManifest(await compileDesk({ expose }), MADE)),
    );
    const billing = find(grouped!, "desk_billing");
    expect(billing?.conduct).toBeUndefined();
    expect(billing?.group?.discriminator).toBe("action");
    const actions = grouped!.tools.flatMap(({ group }) => Object.values(group?.actions ?? {}));
    const alone = grouped!.tools.filter(({ group }) => group === undefined);
    expect([...actions, ...alone].map(({ name }) => name).toSorted()).toStrictEqual(
      flat!.tools.map(({ name }) => name),
    );
    for (const { name, conduct } of actions) {
      const { requests, operations, access, budget } = find(flat!, name)!.conduct!;
      expect(conduct).toMatchObject({ requests, operations, access, budget });
    }
  });
});

describe("the canonical text", () => {
  test("has keys in order, and shows what is not seen", () => {
    const odd = { ...base, server: { ...base.server, instructions: "a\u202Eb\u200B\u{E0041}\u0085c\n👍️" } };
    const text = manifestText(odd);
    expect(text).toContain(String.raw`"a\u202Eb\u200B\uDB40\uDC41\u0085c\n👍️"`);
    expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(odd)));
    expect(text.endsWith("}\n")).toBe(true);
  });

  test("is the same however the keys stand, and its hash too", async () => {
    const again = await makeManifest(await compile(), MADE);
    const turned = Object.fromEntries(Object.entries(again).toReversed()) as unknown as Manifest;
    expect(manifestText(turned)).toBe(manifestText(base));
    expect(manifestSha(turned)).toBe(manifestSha(base));
    expect(manifestSha({ ...base, tokens: 1 })).not.toBe(manifestSha(base));
  });
});
