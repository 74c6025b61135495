import { describe, expect, test } from "vitest";
import { openValidator } from "./open-validator.ts";
import { faultsOf, proveSpec } from "./prove-spec.ts";
import { listSpecs, specsFolder } from "./published-specs.ts";
import { validateRequests } from "./validate-requests.ts";

/** Those that take a second or two; `npm run specs` proves all of them. */
const SMALL = [
  "docker-engine-2.0",
  "slack-2.0",
  "vantage-v2",
  "redocly-museum",
  "petstore-separate-2.0",
  "resend",
  "prometheus-3.1",
  "prometheus-3.2",
  "oai-tags-3.2",
  "oai-webhook-3.1",
  "oai-callback",
  "scalar-galaxy-3.1",
  "readme-circular",
  "powerdns-auth-2.0",
  "unleash-7.5.1",
];
const specs = listSpecs(specsFolder()).filter(({ name }) => SMALL.includes(name));

describe("the validator", () => {
  const schema = { type: "object", required: ["a"], properties: { a: { type: "integer" }, b: { enum: ["x"] } } };
  const document = {
    openapi: "3.0.3",
    paths: {
      "/things/{id}": {
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer" } },
          {
            name: "tags",
            in: "query",
            explode: false,
            schema: { type: "array", items: { type: "string" }, maxItems: 2 },
          },
        ],
        post: { requestBody: { required: true, content: { "application/json": { schema } } } },
      },
    },
  };
  const cases: readonly [title: string, path: string, body: string, fault: RegExp | undefined][] = [
    ["takes what the document allows", "/things/7?tags=a,b", '{"a":1,"b":"x","c":null}', undefined],
    ["refuses a wrong type in the path", "/things/x", '{"a":1}', /p0 must be integer/],
    ["refuses a query that is unknown", "/things/7?tag=a", '{"a":1}', /Unknown query parameter 'tag'/],
    ["refuses a list that is too long", "/things/7?tags=a,b,c", '{"a":1}', /fewer than|more than 2/],
    ["refuses a body without what is required", "/things/7", '{"b":"x"}', /required property 'a'/],
    ["refuses a text for a number", "/things/7", '{"a":"1"}', /a must be integer/],
    ["refuses a value that is not listed", "/things/7", '{"a":1,"b":"y"}', /b must be equal to one of/],
    ["refuses another path", "/thing/7", '{"a":1}', /not found/],
  ];
  test.each(cases)("%s", async (_title, path, body, fault) => {
    const validator = await openValidator();
    const headers = [["content-type", "application/json"]] as const;
    const request = { operation: "", method: "POST", url: `https://a.example${path}`, headers, body, safe: false };
    const sent = { path: "/things/{id}", method: "POST", request };
    const [verdict] = await validateRequests(document, [sent], validator);
    validator.close();
    expect(verdict?.faults.join()).toMatch(fault ?? /^$/);
    expect(verdict?.valid).toBe(fault === undefined);
  });
});

describe.skipIf(specs.length === 0)("documents that people use", () => {
  test("the small ones are there", () => {
    expect(specs.map(({ name }) => name)).toStrictEqual(SMALL);
  });

  test.each(specs)(
    "every operation of $name makes a request that its document allows",
    { timeout: 60_000 },
    async (spec) => {
      const proof = await proveSpec(spec, "1");
      expect(faultsOf(proof)).toStrictEqual([]);
      expect(proof.operations).toBe(spec.operations);
      expect([proof.compiled, proof.sent, proof.valid]).toStrictEqual(Array.from({ length: 3 }, () => spec.operations));
    },
  );
});
