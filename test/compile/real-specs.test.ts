import { existsSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { inputSchema } from "../../src/compile/types/portable-schema.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Api, Operation } from "../../src/model/api.ts";
import { isFault } from "../../src/model/api.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { portableFaults } from "./portable-faults.ts";

// Published documents of many makers; a checkout without them says so and passes.
const FOLDER = join(import.meta.dirname, "../../../shared/specs");
const SPECS = [
  "stripe/stripe.com.json",
  "gitea-2.0/swagger.v1.json",
  "asana/asana_oas.yaml",
  "discord-3.1/openapi.json",
  "docker-engine-2.0/swagger.yaml",
  "redocly-museum/openapi.yaml",
  "aws-cost-explorer/ce.json",
  "twilio-api-v2010/twilio_api_v2010.json",
  "box/openapi.json",
  "prometheus-3.1/openapi_3.1_golden.yaml",
  "readme-circular/circular.json",
];
const MOST_OPERATIONS = 12;
const present = SPECS.filter((spec) => existsSync(join(FOLDER, spec)));
if (present.length < SPECS.length)
  process.stderr.write(
    `SKIPPED: ${SPECS.length - present.length} of ${SPECS.length} published specs are not in ${FOLDER}\n`,
  );

/** Every operation as a tool with all that it takes: each parameter by its place, and the body whole. */
function wholeTool(operation: Operation): object {
  const places = operation.parameters.map((one) =>
    one.in === "querystring" ? "querystring" : `${one.in}.${one.name}`,
  );
  const all = [...places, ...(operation.body === undefined ? [] : ["body"])].map((place) =>
    place.replaceAll("/", "~1"),
  );
  return {
    operation: operation.key,
    effect: "read",
    use: "Test.",
    input: Object.fromEntries(all.map((_, at) => [`input_${at}`, {}])),
    args: Object.fromEntries(all.map((place, at) => [place, `\${input.input_${at}}`])),
  };
}

function compileWhole(api: Api, operation: Operation) {
  const content = {
    vitrine: 1,
    api: { spec: "spec.json", baseUrl: "https://api.example.com" },
    server: { name: "test" },
    tools: { tool: wholeTool(operation) },
  };
  const { curation, problems } = loadCuration("test.yaml", JSON.stringify(content));
  if (curation === undefined) throw new Error(JSON.stringify(problems));
  return compileToolset(curation, api);
}

/** Spread over the document, those with a body first. */
function drawOperations(api: Api): Operation[] {
  const read = api.index.flatMap((entry) => {
    const operation = api.read(entry);
    return isFault(operation) ? [] : [operation];
  });
  const [withBody, without] = [
    read.filter(({ body }) => body !== undefined),
    read.filter(({ body }) => body === undefined),
  ];
  const spread = (list: Operation[], most: number) => {
    const step = Math.max(1, Math.floor(list.length / most));
    return list.filter((_, at) => at % step === 0).slice(0, most);
  };
  return [...spread(withBody, MOST_OPERATIONS * 0.75), ...spread(without, MOST_OPERATIONS * 0.25)];
}

const draft7 = new Ajv({ strict: false });
const draft2020 = new Ajv2020({ strict: false });

describe.runIf(present.length > 0)("operations of published specs", () => {
  test.each(present)("whatever %s says, tools stay within the portable subset", { timeout: 60_000 }, async (spec) => {
    const api = await loadApi(join(FOLDER, spec), {});
    for (const operation of drawOperations(api)) {
      const { toolset, problems } = compileWhole(api, operation);
      const errors = problems.filter(({ severity }) => severity === "error");
      // A union needs its author, and so does what carries a credential; nothing else may be wrong with a tool that takes all.
      const unexpected = errors.filter(
        ({ code }) => !["union_needs_type", "place_needs_type", "refused_place"].includes(code),
      );
      expect(unexpected.map(({ code, message }) => `${operation.key} ${code} ${message}`)).toStrictEqual([]);
      for (const tool of toolset?.tools ?? []) {
        const where = `${operation.key} ${JSON.stringify(tool.inputSchema).slice(0, 200)}`;
        expect(portableFaults(tool.inputSchema), where).toStrictEqual([]);
        expect(draft7.validateSchema(tool.inputSchema), where).toBe(true);
        expect(draft2020.validateSchema(tool.inputSchema), where).toBe(true);
        for (const { residual } of tool.inputs)
          if (residual !== undefined) expect(draft2020.validateSchema(residual), where).toBe(true);
        expect(inputSchema(tool.inputs)).toStrictEqual(tool.inputSchema);
      }
      if (toolset !== undefined) expect(JSON.parse(JSON.stringify(toolset))).toStrictEqual(toolset);
    }
  });

  test("at least fifty of them compile", async () => {
    const counts = await Promise.all(
      present.map(async (spec) => {
        const api = await loadApi(join(FOLDER, spec), {});
        return drawOperations(api).filter((operation) => compileWhole(api, operation).toolset !== undefined).length;
      }),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50);
  });
});
