import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/surface/diff/change.ts";
import { compareManifests } from "../../../src/surface/diff/compare-manifests.ts";
import { makeManifest } from "../../../src/surface/manifest.ts";
import type { Manifest } from "../../../src/surface/manifest-format.ts";
import { apiOfText, compileText, shown } from "../../compile/compile-text.ts";

// Two edits at once: neither hides behind the other, whichever is told of it.

const SPEC = `
paths:
  /bugs:
    get:
      operationId: listBugs
      parameters:
        - {name: status, in: query, schema: {type: string, enum: [open, closed]}}
        - {name: size, in: query, schema: {type: integer, maximum: 9}}
        - {name: owner, in: query, schema: {type: string}}
        - {name: kind, in: query, schema: {type: string}}
        - {name: team, in: query, schema: {type: string}}
        - {name: tenant, in: query, schema: {type: string}}
        - {name: q, in: query, schema: {type: string}}
        - {name: tags, in: query, explode: false, schema: {type: array, items: {type: string}}}
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties:
                  total: {type: integer}
                  bugs:
                    type: array
                    items: {type: object, required: [id, cost, net], properties: {id: {type: string}, cost: {type: integer}, net: {type: integer}, text: {type: string}}}
  /labels:
    get:
      operationId: listLabels
      parameters: [{name: tenant, in: query, schema: {type: string}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {labels: {type: array, items: {type: object, properties: {name: {type: string}, id: {type: string}}}}}}}}}}
  /bugs/{id}/close:
    post:
      operationId: closeBug
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: tenant, in: query, schema: {type: string}}
        - {name: Idempotency-Key, in: header, schema: {type: string}}
      requestBody: {content: {application/json: {schema: {type: object, properties: {reason: {type: string}, silent: {type: boolean}}}}}}
      responses: {'204': {description: done}}
  /project:
    get:
      operationId: getProject
      parameters: [{name: tenant, in: query, schema: {type: string}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {state: {type: string}, trial: {type: boolean}}}}}}}
`;

const CURATION = `
vitrine: 1
api: {spec: spec.yaml, baseUrl: 'https://a.example.com', timeout: 20s, maxResponse: 20MB}
server: {name: bugs, writes: true}
pins: {tenant: "\${key.tenant}"}
entities: {bug: {from: list_bugs, field: id, aliases: [{pattern: '^#(\\d+)$', to: "b-\${captures[1]}"}]}}
states: {open: {operation: getProject, when: "state == 'open'"}}
tools:
  list_bugs:
    operation: listBugs
    use: Bugs of a project.
    input:
      status: {}
      size: {}
      label: {type: string, valuesFrom: {operation: listLabels, rows: labels, field: name}}
      tags: {}
    args: {kind: defect, team: "\${input.label}"}
    filter:
      to: query.q
      dialect: rsql
      nullOnNegation: drop
      always: {gone: "no"}
      fields: {cost: {type: integer}, from: {operation: listLabels, rows: labels, field: name}}
    result:
      rows: bugs
      fields: {id: id, cost: cost}
      limit: {default: 20, max: 100}
      totals: {count: total}
      emptyNote: Nothing.
    suggest: [{tool: close_bug, args: {id: "\${item.id}"}, why: close it}]
  close_bug:
    operation: closeBug
    effect: destroy
    use: Closes a bug.
    states: [open]
    input: {id: {entity: bug}, reason: {}}
    args: {body/silent: true}
  report:
    use: Bugs that are open, and their labels.
    input: {owner: {}}
    steps:
      - {id: bugs, operation: listBugs, args: {owner: "\${input.owner}", status: open}}
      - {id: labels, operation: listLabels}
    result: {value: {bugs: steps.bugs.bugs}}
`;

type Edit = readonly [name: string, ...replaced: (readonly [from: string, to: string])[]];

/** Each alone is told; none is undone by another of them. */
const EDITS: readonly Edit[] = [
  ["another constant", ["kind: defect", "kind: feature"]],
  ["another constant of a step", ["status: open}}\n      - {id: labels", "status: closed}}\n      - {id: labels"]],
  ["another constant of a write", ["silent: true", "silent: false"]],
  ["a further input", ["      tags: {}\n", "      tags: {}\n      owner: {}\n"]],
  ["a further input of a workflow", ["input: {owner: {}}", "input: {owner: {}, size: {}}"]],
  ["an input less", ["input: {id: {entity: bug}, reason: {}}", "input: {id: {entity: bug}}"]],
  ["a further column", ["fields: {id: id, ", "fields: {id: id, text: text, "]],
  ["a column read elsewhere", ["cost: cost}", "cost: net}"]],
  ["rows read elsewhere", ["rows: bugs\n", "rows: bugs[?cost]\n"]],
  [
    "a further value",
    ["{value: {bugs: steps.bugs.bugs}}", "{value: {bugs: steps.bugs.bugs, labels: steps.labels.labels}}"],
  ],
  [
    "values read elsewhere",
    [
      "{operation: listLabels, rows: labels, field: name}}\n      tags",
      "{operation: listLabels, rows: labels, field: id}}\n      tags",
    ],
  ],
  ["filter fields read elsewhere", ["labels, field: name}}\n    result", "labels, field: id}}\n    result"]],
  ["another condition of every call", ['gone: "no"', 'gone: "yes"']],
  [
    "a further filter field",
    ["fields: {cost: {type: integer},", "fields: {cost: {type: integer}, size: {type: integer},"],
  ],
  ["rows without a value", ["nullOnNegation: drop", "nullOnNegation: keep"]],
  ["another pin", ["${key.tenant}", "${key.org}"]],
  ["another identifier", ["b-${captures[1]}", "c-${captures[1]}"]],
  ["another meaning of a state", ["when: \"state == 'open'\"", "when: trial"]],
  ["other arguments proposed", ['{id: "${item.id}"}', '{id: "b-${item.id}"}']],
  ["another note", ["emptyNote: Nothing.", "emptyNote: Nothing at all."]],
  ["another total", ["count: total", "count: total, exactWhen: 'total'"]],
  ["a lower limit", ["max: 100", "max: 50"]],
  ["a key", ["timeout: 20s", "timeout: 20s, idempotencyKey: header.Idempotency-Key"]],
  ["a shorter wait", ["timeout: 20s", "timeout: 2s"]],
  ["smaller answers", ["maxResponse: 20MB", "maxResponse: 1MB"]],
  ["another upstream", ["https://a.", "https://b."]],
  ["a further step", ["      - {id: labels,", "      - {id: project, operation: getProject}\n      - {id: labels,"]],
  ["another path", ["/bugs/{id}/close:", "/bugs/{id}/shut:"]],
  ["another style", ["explode: false", "explode: true"]],
  ["a wider bound", ["maximum: 9", "maximum: 10"]],
  ["a further value of an input", ["enum: [open, closed]", "enum: [open, closed, lost]"]],
  ["a body that is needed", ["requestBody: {content", "requestBody: {required: true, content"]],
];

async function manifestWith(edits: readonly Edit[]): Promise<Manifest | undefined> {
  let [spec, curation] = [SPEC, CURATION];
  for (const [name, ...replaced] of edits)
    for (const [from, to] of replaced) {
      if (spec.split(from).length + curation.split(from).length < 3) return undefined;
      if (spec.split(from).length + curation.split(from).length > 3) throw new Error(`${name}: twice ${from}`);
      spec = spec.replace(from, () => to);
      curation = curation.replace(from, () => to);
    }
  const { toolset, problems } = compileText(await apiOfText(spec), curation);
  if (toolset === undefined) throw new Error(shown(problems).join("\n"));
  return makeManifest(toolset, { vitrine: "1.0.0", from: [] });
}

const CLASSES = ["COMPATIBLE", "BEHAVIOUR", "UNKNOWN", "BREAKING"];

function worstByTool(changes: readonly Change[]): ReadonlyMap<string, number> {
  const worst = new Map<string, number>();
  for (const { tool, class: is } of changes.filter((one) => !isOfSum(one)))
    worst.set(tool ?? "", Math.max(worst.get(tool ?? "") ?? 0, CLASSES.indexOf(is)));
  return worst;
}

/** What a client takes of all tools together: two edits may make up for each other. */
function isOfSum({ rule, path }: Change): boolean {
  return rule === "portability_worsened" && path === "/tools";
}

const base = (await manifestWith([]))!;
const alone = await Promise.all(EDITS.map(async (edit) => (await manifestWith([edit]))!));

describe("an edit", () => {
  test.each(EDITS.map(([name], at) => [name, at] as const))("is told: %s", (_, at) => {
    expect(compareManifests(base, alone[at]!)).not.toStrictEqual([]);
    expect(compareManifests(alone[at]!, base)).not.toStrictEqual([]);
  });
});

describe("beside another edit it is told as it is alone:", () => {
  test.each(EDITS.map(([name], at) => [name, at] as const))("%s", async (_, at) => {
    for (const [other, edit] of EDITS.entries()) {
      if (other <= at) continue;
      const both = await manifestWith([EDITS[at]!, edit]);
      if (both === undefined) continue;
      for (const [from, to, side] of [
        [base, both, (one: Manifest) => compareManifests(base, one)],
        [both, base, (one: Manifest) => compareManifests(one, base)],
      ] as const) {
        const told = worstByTool(compareManifests(from, to));
        for (const one of [at, other])
          for (const [tool, worst] of worstByTool(side(alone[one]!)))
            expect({
              edit: EDITS[one]![0],
              beside: EDITS[one === at ? other : at]![0],
              tool,
              told: (told.get(tool) ?? -1) >= worst,
            }).toStrictEqual({ edit: EDITS[one]![0], beside: EDITS[one === at ? other : at]![0], tool, told: true });
      }
    }
  });
});
