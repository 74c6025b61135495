import { expect, test } from "vitest";
import { makeGeneration } from "../../src/mcp/make-generation.ts";
import { compileDesk, openDesk } from "../run/group/desk.ts";

test("clients are listed groups, and told of actions in the instructions", async () => {
  const grouped = await compileDesk({ expose: "grouped" });
  const generation = makeGeneration(grouped, "1", openDesk(grouped));
  expect(generation.tools.map(({ name }) => name)).toStrictEqual([
    "desk_billing",
    "desk_billing_write",
    "desk_describe_access",
    "desk_people",
    "desk_people_write",
    "desk_storage",
    "desk_storage_write",
    "desk_support_tickets",
    "desk_support_tickets_write",
  ]);
  expect(generation.instructions).toContain("Begin with `desk_billing` with action `list` for money");
  expect(generation.instructions).not.toMatch(/desk_billing_list/);
  expect(generation.instructions.length).toBeLessThanOrEqual(2_048);
});
