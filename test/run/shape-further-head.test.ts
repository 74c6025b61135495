import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { startCall } from "./exchange/start-call.ts";
import { list } from "./shape-fixture.ts";

const next = { link: '</things?page=2>; rel="next"' };

test.each<[what: string, headers: Record<string, string>, body: string, omitted: readonly JsonObject[] | undefined]>([
  ["a list", next, "[1,2]", [{ what: "rows", path: "value", kept: "2, and the upstream has more" }]],
  [
    "a count",
    { "x-total-count": "9" },
    "[1,2]",
    [{ what: "rows", path: "value", kept: "2, and the upstream has more" }],
  ],
  ["one list inside", next, '{"id":1,"of":[1]}', [{ what: "rows", path: "of", kept: "1, and the upstream has more" }]],
  ["two lists inside", next, '{"a":[1],"b":[1]}', undefined],
  ["no list", next, '{"id":1}', undefined],
  ["the whole list", { "x-total-count": "2" }, "[1,2]", undefined],
])("an object whose head says that it is a page of several says so: %s", async (_, headers, body, omitted) => {
  const reply = await startCall({ kind: "object", budget: 512 }, { headers, body });
  expect(reply.omitted).toEqual(omitted);
});

test("a list that cannot be followed says once that there is more", async () => {
  const reply = await startCall(list(), { headers: next, body: '{"rows":[1]}' });
  expect(reply.note).toBe("The upstream has more rows than it sent. Narrow the arguments to see others.");
});
