import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openNames } from "../../../src/run/rows/open-names.ts";

const bytesOf = (name: string) => Buffer.from(JSON.stringify(name));

describe("a name is judged by what it says", () => {
  test("however many others were, whatever their length", () => {
    const name = fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.string({ unit: fc.constantFrom("a", "b"), minLength: 60, maxLength: 70 }),
      fc.constantFrom("", "é", '"', "\\", "id", "ad", "__proto__"),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), fc.array(name, { maxLength: 5 }), (given, wanted) => {
        const counts = openNames((one) => wanted.includes(one));
        for (const one of [...given, ...wanted, ...given]) {
          const bytes = Buffer.concat([Buffer.from("{ "), bytesOf(one), Buffer.from(":1}")]);
          expect(counts(bytes, 2, bytes.length - 3)).toBe(wanted.includes(one));
        }
      }),
    );
  });

  test("and is not asked about again", () => {
    const asked: string[] = [];
    const counts = openNames((one) => asked.push(one) > 0);
    for (let row = 0; row < 3; row += 1)
      for (const one of ["id", "name", "same", "some"]) {
        const bytes = bytesOf(one);
        counts(bytes, 0, bytes.length);
      }
    expect(asked).toEqual(["id", "name", "same", "some"]);
  });

  const hostile: [title: string, nameAt: (at: number) => string][] = [
    ["begin alike", (at) => "k".repeat(994) + String(at).padStart(6, "0")],
    ["end alike", (at) => String(at).padStart(6, "0") + "k".repeat(994)],
    ["differ in the middle", (at) => `${"k".repeat(20)}${String(at).padStart(6, "0")}${"k".repeat(20)}`],
  ];
  test.each(hostile)("in no more looks at its bytes than its length, where names %s", (_, nameAt) => {
    const counts = openNames(() => false);
    let [looks, length] = [0, 0];
    for (let at = 0; at < 300; at += 1) {
      const bytes = bytesOf(nameAt(at));
      length += bytes.length;
      counts(
        new Proxy(bytes, {
          get(target, key) {
            if (typeof key === "string" && /^\d+$/.test(key)) looks += 1;
            const value: unknown = Reflect.get(target, key);
            return typeof value === "function" ? value.bind(target) : value;
          },
        }),
        0,
        bytes.length,
      );
    }
    expect(looks).toBeLessThan(9 * length);
  });
});
