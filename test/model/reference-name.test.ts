import { expect, test } from "vitest";
import { referenceName } from "../../src/model/api.ts";

const NAMES: [reference: string, want: string][] = [
  ["#/components/schemas/Pet", "Pet"],
  ["#/components/schemas/a~1b~0c", "a/b~c"],
  ["models/dog.yml", "dog"],
  ["models/big%20dog.schema.yaml#", "big dog.schema"],
  ["parts.yaml#/Dog", "Dog"],
  ["https://x.example/v1/dog.json", "dog"],
  ["Dog", "Dog"],
  [".hidden", ".hidden"],
  ["#", ""],
  ["%E0%A4%A", "%E0%A4%A"],
];

test.each(NAMES)("%s is called %s", (reference, want) => {
  expect(referenceName(reference)).toBe(want);
});
