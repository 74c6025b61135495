import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type CompileResult, compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Api } from "../../src/model/api.ts";
import type { Step } from "../../src/model/step.ts";
import type { Tool } from "../../src/model/tool.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { apiOfText, compileText, curationText, errorsOf, toolOf } from "./compile-text.ts";

const ITEM =
  "{type: object, required: [id], properties: {id: {type: string}, size: {type: integer}, owner: {type: object, properties: {name: {type: string}}}}}";
const json = (schema: string) => `{"200": {description: ok, content: {application/json: {schema: ${schema}}}}}`;
const SPEC = `
paths:
  /items:
    get:
      operationId: listItems
      parameters: [{name: kind, in: query, schema: {type: string, enum: [a, b]}}, {name: page, in: query, schema: {type: integer}}]
      responses: ${json(`{type: object, properties: {items: {type: array, items: ${ITEM}}}}`)}
    post:
      operationId: addItem
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [size], properties: {size: {type: integer}, note: {type: string}}}}}}
      responses: ${json(ITEM)}
  /items/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string, minLength: 3}}]
    get: {operationId: getItem, responses: ${json(ITEM)}}
    put: {operationId: putItem, requestBody: {content: {application/json: {schema: {type: object, properties: {size: {type: integer}}}}}}, responses: ${json(ITEM)}}
    delete: {operationId: dropItem, responses: {"204": {description: gone}}}
  /items/{id}/text:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getText, responses: {"200": {description: ok, content: {text/plain: {schema: {type: string}}}}}}
`;

let api: Api;
beforeAll(async () => {
  api = await apiOfText(SPEC);
});

const API = "pages: [{style: page, send: page}]";
const compile = (tool: string, server = "writes: true", pins?: string) =>
  compileText(api, curationText(`flow: {use: Test., ${tool}}`, { api: API, server, ...(pins && { pins }) }));
const tool = (text: string, server?: string) => toolOf(compile(text, server));
const stepsOf = (one: Tool): readonly Step[] => (one.plan.kind === "steps" ? one.plan.steps : []);

test("what a step gives to a list or an object is converted inside it; what callers give was", async () => {
  const order =
    "{type: object, properties: {ids: {type: array, items: {type: integer, format: int64}}, rows: {type: array, items: {type: object, properties: {id: {type: integer}, name: {type: string}, any: {}, two: {type: [string, integer]}}}}, tags: {type: object, additionalProperties: {type: string}}}}";
  const spec = `
paths:
  /list: {get: {operationId: list, responses: ${json("{type: object, properties: {ids: {type: array, items: {type: integer}}, rows: {type: array, items: {type: object}}, tags: {type: object}}}")}}}
  /order: {post: {operationId: order, requestBody: {required: true, content: {application/json: {schema: ${order}}}}, responses: ${json("{type: object}")}}}
`;
  const steps =
    '[{id: one, operation: list}, {id: two, operation: order, args: {body/ids: "${steps.one.ids}", body/rows: "${steps.one.rows}", body/tags: "${input.tags}"}}]';
  const compiled = toolOf(
    compileText(
      await apiOfText(spec),
      curationText(`flow: {use: Test., input: {tags: {}}, steps: ${steps}, result: {value: "steps.two"}}`, {
        server: "writes: true",
      }),
    ),
  );
  const [, two] = stepsOf(compiled);
  expect(two?.kind === "call" && two.call.bindings.map(({ inside }) => inside)).toEqual([
    [{ pointer: ["-"], type: "integer" }],
    [
      { pointer: ["-", "id"], type: "integer" },
      { pointer: ["-", "name"], type: "string" },
    ],
    undefined,
  ]);
});

describe("the contract's sample of a workflow", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/contract.md"), "utf8");
  const sample = /^ {2}review_context:\n[\s\S]*?(?=^```)/m.exec(text)?.[0] ?? "";
  const path = (parts: string) =>
    `parameters: [${parts
      .split(" ")
      .map(
        (name) =>
          `{name: ${name}, in: path, required: true, schema: {type: ${/number|id/.test(name) ? "integer" : "string"}}}`,
      )
      .join(", ")}]`;
  const small = `
paths:
  /repos/{owner}/{repo}/pulls/{pull_number}:
    get: {operationId: pulls/get, ${path("owner repo pull_number")}, responses: ${json("{type: object, properties: {title: {type: string}, head: {type: object, properties: {sha: {type: string}}}}}")}}
  /repos/{owner}/{repo}/pulls/{pull_number}/files:
    get: {operationId: pulls/list-files, ${path("owner repo pull_number")}, responses: ${json("{type: array, items: {type: object, properties: {filename: {type: string}, changes: {type: integer}}}}")}}
  /repos/{owner}/{repo}/commits/{ref}/check-runs:
    get: {operationId: checks/list-for-ref, ${path("owner repo ref")}, responses: ${json("{type: object, properties: {check_runs: {type: array, items: {type: object, properties: {id: {type: integer}, name: {type: string}, conclusion: {type: string}}}}}}")}}
  /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations:
    get: {operationId: checks/list-annotations, ${path("owner repo check_run_id")}, responses: ${json("{type: array, items: {type: object, properties: {message: {type: string}}}}")}}
`;
  const curation = (pages: string) =>
    `vitrine: 1\napi: {spec: a.yaml, pages: [${pages}]}\nserver: {name: gh}\ntools:\n${sample}`;
  const wanted = {
    ids: ["pull", "files", "checks", "failed", "notes"],
    needs: [[], [], [0], [2], [3]],
    required: ["owner", "repo", "number"],
  };
  // What to review a person says; the tool alone does not tell what there is.
  const GUESSED = ["guessed_id", "guessed_id", "guessed_id"];
  const codesOf = ({ problems }: CompileResult) => problems.map(({ code }) => code);
  const check = (one: Tool) => {
    expect(stepsOf(one).map(({ id }) => id)).toEqual(wanted.ids);
    expect(stepsOf(one).map(({ needs }) => needs)).toEqual(wanted.needs);
    expect(one.inputSchema.required).toEqual(wanted.required);
    expect(one.inputSchema.properties?.["number"]?.type).toBe("integer");
    expect(one.annotations.readOnlyHint).toBe(true);
    expect(Object.keys(one.outputSchema?.properties ?? {})).toEqual(["title", "files", "failing", "omitted"]);
  };

  test("compiles over a small spec of the same operations", async () => {
    const result = compileText(await apiOfText(small), curation("{style: link}"));
    expect(codesOf(result)).toEqual(GUESSED);
    check(toolOf(result));
  });

  const github = join(import.meta.dirname, "../../../shared/specs/github-3.0/api.github.com.json");
  test.skipIf(!existsSync(github))("compiles over GitHub's own document", async () => {
    const loaded = loadCuration("gh.yaml", curation("{style: page, send: page, size: per_page, sizeMax: 100}"));
    const result = compileToolset(loaded.curation!, await loadApi(github, {}));
    expect(codesOf(result)).toEqual(GUESSED);
    check(toolOf(result));
  });
});

describe("what a step waits for", () => {
  const cases: readonly [what: string, steps: string, needs: readonly (readonly number[])[]][] = [
    ["nothing, where it reads no other", "{id: a, operation: listItems}, {id: b, operation: listItems}", [[], []]],
    [
      "the steps that it reads",
      "{id: a, operation: listItems}, {id: b, operation: listItems}, {id: c, value: 'steps.b'}",
      [[], [], [1]],
    ],
    [
      "the steps that its condition reads",
      "{id: a, value: '`1`'}, {id: b, operation: listItems, when: steps.a}",
      [[], [0]],
    ],
    [
      "the steps that its list is read from",
      "{id: a, value: '[`1`]'}, {id: b, operation: listItems, forEach: steps.a}",
      [[], [0]],
    ],
    [
      "all above, where it takes the steps as a whole",
      "{id: a, value: '`1`'}, {id: b, value: '`1`'}, {id: c, value: 'keys(steps)'}",
      [[], [], [0, 1]],
    ],
    [
      "all above, where it writes, and all below wait for it",
      "{id: a, operation: listItems}, {id: b, operation: listItems}, {id: c, operation: dropItem, args: {id: abc}}, {id: d, operation: listItems}, {id: e, value: 'steps.a'}",
      [[], [], [0, 1], [2], [0, 2]],
    ],
    [
      "nothing, where a POST is declared to read",
      "{id: a, operation: listItems}, {id: b, operation: addItem, effect: read, args: {size: 1}}",
      [[], []],
    ],
  ];
  test.each(cases)("%s", (_, steps, needs) => {
    expect(stepsOf(tool(`steps: [${steps}]`)).map((one) => one.needs)).toEqual(needs);
  });

  test("between any step that writes and any other there is an order, and never a cycle", () => {
    const kind = fc.constantFrom("operation: listItems", "operation: addItem, args: {size: 1}", "value: '`1`'");
    const step = fc.record({ kind, reads: fc.array(fc.nat(8), { maxLength: 2 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 7 }), (drawn) => {
        const texts = drawn.map(({ kind: what, reads }, at) => {
          const known = reads.filter((one) => one < at).map((one) => `steps.s${one}`);
          return `{id: s${at}, ${what}${known.length > 0 ? `, when: '${known.join(" || ")}'` : ""}}`;
        });
        const steps = stepsOf(tool(`steps: [${texts.join(", ")}]`));
        const above = steps.map(() => new Set<number>());
        for (const [at, { needs }] of steps.entries())
          for (const one of needs) {
            expect(one).toBeLessThan(at);
            above[at]!.add(one);
            for (const far of above[one]!) above[at]!.add(far);
          }
        for (const [at, one] of steps.entries())
          for (let before = 0; before < at; before += 1) {
            const acts = [one, steps[before]!].some((other) => other.kind === "call" && !other.safe);
            if (acts) expect(above[at]!.has(before)).toBe(true);
          }
        for (const [at, { reads }] of drawn.entries())
          for (const other of reads.filter((one) => one < at)) expect(above[at]!.has(other)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe("what later steps and the reply see of a step", () => {
  const cases: readonly [what: string, steps: string, value: string, want: readonly string[]][] = [
    ["its body", "{id: a, operation: getItem, args: {id: abc}}", "steps.a.owner.name", []],
    [
      "not what its body lacks",
      "{id: a, operation: getItem, args: {id: abc}}",
      "steps.a.owner.nam",
      ["path_not_in_spec"],
    ],
    ["a text as text", "{id: a, operation: getText, args: {id: abc}}", "length(steps.a)", []],
    ["no object in a text", "{id: a, operation: getText, args: {id: abc}}", "steps.a.text", ["path_not_in_spec"]],
    ["the rows of all pages", "{id: a, operation: listItems, all: {rows: items, max: 9}}", "steps.a[].size", []],
    [
      "no body beside the rows",
      "{id: a, operation: listItems, all: {rows: items, max: 9}}",
      "steps.a.items",
      ["path_not_in_spec"],
    ],
    [
      "item and reply of a loop",
      "{id: a, operation: getItem, forEach: '[`1`]', args: {id: abc}}",
      "steps.a[].[item, reply.size]",
      [],
    ],
    [
      "no error in a loop that must not fail",
      "{id: a, operation: getItem, forEach: '[`1`]', args: {id: abc}}",
      "steps.a[].error",
      ["path_not_in_spec"],
    ],
    [
      "the error in a loop that may",
      "{id: a, operation: getItem, forEach: '[`1`]', optional: true, args: {id: abc}}",
      "steps.a[].error.message",
      [],
    ],
    [
      "anything, where it is unchecked",
      "{id: a, operation: getItem, unchecked: true, args: {id: abc}}",
      "steps.a.anything",
      [],
    ],
    ["the type of a value", "{id: a, value: '{b: `1`}'}", "steps.a.c", ["path_not_in_spec"]],
    [
      "null where it may be left out",
      "{id: a, operation: getItem, when: '`true`', args: {id: abc}}",
      "steps.a.size",
      [],
    ],
  ];
  test.each(cases)("%s", (_, steps, value, want) => {
    expect(errorsOf(compile(`steps: [${steps}], result: {value: {x: "${value}"}}`))).toEqual(want);
  });

  test("the last step is the reply, where nothing else is said", () => {
    const { shape } = tool("steps: [{id: a, operation: listItems}, {id: b, value: 'steps.a.items[0]'}]");
    expect(shape).toMatchObject({ kind: "value", value: { expression: { jmespath: "steps.b" } } });
  });

  test("a list of rows is ordered, cut and gone on in as any other", () => {
    const one = tool(
      "steps: [{id: a, operation: listItems, all: {rows: items, max: 9}}], result: {rows: steps.a, fields: {id: id, size: size}, order: [-size], limit: {default: 2, max: 5}}",
    );
    expect(one.shape).toMatchObject({
      kind: "list",
      rows: { jmespath: "steps.a" },
      order: [{ by: [{ column: "size" }] }],
    });
    expect(Object.keys(one.inputSchema.properties ?? {})).toEqual(["limit", "pageToken"]);
  });

  test("its rows are added up, since steps have read them, and not by a request of its own", () => {
    const totalled = (totals: string) =>
      `steps: [{id: a, operation: listItems, all: {rows: items, max: 9}}], result: {rows: steps.a, fields: {size: size}, totals: {measure: size, ${totals}}}`;
    expect(tool(totalled("walk: {maxPages: 1}")).shape).toMatchObject({ totals: { kind: "walk", measure: "size" } });
    const problems = errorsOf(compile(totalled("operation: getItem, value: size")));
    expect(problems).toEqual(["conflicting_keys"]);
  });
});

describe("the inputs of a workflow", () => {
  test("go to the first step that has a place of their name, and are what that place is", () => {
    const one = tool(
      "input: {kind: {}, size: {}}, steps: [{id: a, operation: listItems}, {id: b, operation: addItem, effect: read}]",
    );
    expect(one.inputSchema.properties).toMatchObject({ kind: { enum: ["a", "b"] }, size: { type: "integer" } });
    expect(one.inputSchema.required).toEqual(["size"]);
  });

  test("are not needed by a step that a condition may leave out", () => {
    const one = tool(
      "input: {id: {}, size: {}}, steps: [{id: a, operation: listItems}, {id: b, operation: getItem, when: '`true`'}, {id: c, operation: addItem}]",
    );
    expect(one.inputSchema.required).toEqual(["size"]);
  });

  test("that only the reply reads, though a step has their place, are a warning", () => {
    const { problems } = compile(
      "input: {kind: {type: string}}, steps: [{id: a, operation: listItems}], result: {value: {x: input.kind}}",
    );
    expect(problems.map(({ code }) => code)).toEqual(["input_unsent"]);
  });

  test("go to one step only: another that needs them says how", () => {
    const { problems } = compile("input: {id: {}}, steps: [{id: a, operation: getItem}, {id: b, operation: getText}]");
    const errors = problems.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, hint }) => [code, hint])).toEqual([
      ["required_unfilled", expect.stringContaining('args: { path.id: "${input.id}" }')],
    ]);
  });
});

describe("pins, writes and annotations of a workflow", () => {
  test("a pin reaches every step, or it does not compile", () => {
    const steps = "steps: [{id: a, operation: getItem}, {id: b, operation: getText}, {id: c, operation: listItems}]";
    expect(errorsOf(compile(steps, "", "{id: abc}"))).toEqual(["pin_unreached"]);
    const one = toolOf(compile(`${steps}, unpinned: {id: lists all}`, "", "{id: abc}"), "flow");
    const pinned = stepsOf(one).map((step) =>
      step.kind === "call" ? step.call.bindings.filter((binding) => binding.pinned).length : 0,
    );
    expect(pinned).toEqual([1, 1, 0]);
  });

  test("each step that writes is named where the server does not write", () => {
    const steps =
      "{id: a, operation: listItems}, {id: b, operation: addItem, args: {size: 1}}, {id: c, operation: dropItem, args: {id: abc}}";
    const { problems } = compile(`steps: [${steps}]`, "");
    expect(
      problems
        .filter(({ severity }) => severity === "error")
        .map(({ code, message }) => [code, /`(\w)`/.exec(message)?.[1]]),
    ).toEqual([
      ["write_not_allowed", "b"],
      ["write_not_allowed", "c"],
    ]);
  });

  const cases: readonly [what: string, text: string, hints: string][] = [
    ["reads", "steps: [{id: a, operation: listItems}, {id: b, value: '`1`'}]", "read idempotent"],
    [
      "its least safe step",
      "steps: [{id: a, operation: listItems}, {id: b, operation: dropItem, args: {id: abc}}]",
      "destroys",
    ],
    [
      "what a step declares",
      "steps: [{id: a, operation: listItems}, {id: b, operation: addItem, effect: write, args: {size: 1}}]",
      "writes",
    ],
    ["a POST that reads", "steps: [{id: a, operation: addItem, effect: read, args: {size: 1}}]", "read idempotent"],
    [
      "a tool that is declared to read",
      "effect: read, steps: [{id: a, operation: addItem, args: {size: 1}}]",
      "read idempotent",
    ],
    [
      "a PUT of what was read is not the same twice",
      'steps: [{id: a, operation: getItem, args: {id: abc}}, {id: b, operation: putItem, args: {id: abc, size: "${steps.a.size}"}}]',
      "destroys",
    ],
    [
      "unless declared",
      "idempotent: true, steps: [{id: a, operation: getItem, args: {id: abc}}, {id: b, operation: putItem, args: {id: abc, size: 1}}]",
      "destroys idempotent",
    ],
  ];
  test.each(cases)("it is told of %s", (_, text, want) => {
    const { readOnlyHint, destructiveHint, idempotentHint } = tool(text).annotations;
    const does = readOnlyHint ? "read" : destructiveHint ? "destroys" : "writes";
    expect(`${does}${idempotentHint ? " idempotent" : ""}`).toBe(want);
  });

  test("a workflow that writes is left out of a server that only reads", () => {
    const text = curationText(
      "flow: {use: Test., steps: [{id: a, operation: addItem, args: {size: 1}}]}\nlist: {operation: listItems}",
      { server: "writes: true" },
    );
    expect(compileText(api, text, { readOnly: true }).toolset?.tools.map(({ name }) => name)).toEqual(["list"]);
  });

  test("a fault of the spec costs the tool and no other", async () => {
    const broken = await apiOfText(
      `${SPEC}  /broken:\n    get: {operationId: getBroken, parameters: [{$ref: '#/nowhere'}], responses: {}}\n`,
    );
    const text = curationText(
      "flow: {use: Test., steps: [{id: a, operation: listItems}, {id: b, operation: getBroken}]}\nlist: {operation: listItems}",
    );
    const result = compileText(broken, text);
    expect(errorsOf(result)).toEqual(["spec_fault"]);
    expect(result.toolset?.tools.map(({ name }) => name)).toEqual(["list"]);
  });
});
