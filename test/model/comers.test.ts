import fc from "fast-check";
import { expect, test } from "vitest";
import { openComers } from "../../src/model/comers.ts";

test("another one is known of for a minute from when they came last, whoever comes in between", () => {
  const come = fc.record({ who: fc.constantFrom("a", "b", "c"), waits: fc.integer({ min: 0, max: 40_000 }) });
  fc.assert(
    fc.property(fc.array(come, { maxLength: 40 }), (comes) => {
      let time = 0;
      const comers = openComers(() => time);
      const last = new Map<string, number>();
      for (const { who, waits } of comes) {
        comers.came(who);
        last.set(who, time);
        time += waits;
        for (const one of ["a", "b", "c", "d"]) {
          const others = [...last].filter(([other, at]) => other !== one && time - at < 60_000);
          expect(comers.hasOther(one)).toBe(others.length > 0);
        }
      }
    }),
  );
});
