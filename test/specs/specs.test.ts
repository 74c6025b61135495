import { describe, expect, test } from "vitest";
import { faultsOf, proveSpec } from "./prove-spec.ts";
import { listSpecs, specsFolder } from "./published-specs.ts";

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
