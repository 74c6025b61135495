import { expect, test } from "vitest";
import { onceGood } from "../../src/cli/toolset/once-good.ts";

test("what was made is made once, and what failed is made anew when it is asked for again", async () => {
  let made = 0;
  const get = onceGood(async () => {
    made += 1;
    if (made === 1) throw new Error("no");
    return made;
  });
  await expect(Promise.all([get(), get()])).rejects.toThrow("no");
  expect(await Promise.all([get(), get(), get()])).toStrictEqual([2, 2, 2]);
});
