import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestNames } from "../../src/model/nearest.ts";

const names = ["list_dimensions", "list_tenants", "run_cost_query", "startingBalance", "id", "a", "limit"];

test.each<[string, string[]]>([
  ["list_dimension", ["list_dimensions"]],
  ["listDimensions", ["list_dimensions"]],
  ["lsit_tenants", ["list_tenants"]],
  ["cost_query", ["run_cost_query"]],
  ["starting_balance", ["startingBalance"]],
  ["LIMIT", ["limit"]],
  ["ix", ["id"]],
  ["tenants", ["list_tenants"]],
  ["b", []],
  ["", []],
  ["__proto__", []],
  ["nothing at all like it", []],
])("%j may have been %j", (wanted, want) => {
  expect(nearestNames(wanted, names)).toEqual(want);
});

test("a name is nearest to itself, and never more are given than asked for", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }), fc.nat(), (all, pick) => {
      const name = all[pick % all.length]!;
      const found = nearestNames(name, all, 2);
      return found[0] === name && found.length <= 2;
    }),
  );
});

test("whole words of a name come before a part of a word", () => {
  const fields = ["AWS/Servicecode", "GoogleCloud/service.id", "FOCUS/ServiceName", "Tags/team"];
  expect(nearestNames("Service", fields)).toEqual(["FOCUS/ServiceName", "GoogleCloud/service.id", "AWS/Servicecode"]);
});
