import { expect, test } from "vitest";
import { onceFor } from "../../src/model/once-for.ts";

test("makes one thing for each object, also where that is undefined", () => {
  const made: string[] = [];
  const make = onceFor(({ name }: { readonly name: string }) => {
    made.push(name);
    return name === "none" ? undefined : { name };
  });
  const [one, none] = [{ name: "one" }, { name: "none" }];
  expect(make(one)).toBe(make(one));
  expect([make(none), make(none)]).toStrictEqual([undefined, undefined]);
  expect(make({ name: "one" })).not.toBe(make(one));
  expect(made).toStrictEqual(["one", "none", "one"]);
});
