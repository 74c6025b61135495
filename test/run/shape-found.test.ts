import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { findRows } from "../../src/run/shape/find-rows.ts";
import { rootsOf } from "./shape-fixture.ts";

function find(path: string, body: Json): readonly Json[] {
  return findRows({ jmespath: path }, body, rootsOf());
}

describe("a list without items is found", () => {
  test.each<[how: string, path: string, body: Json]>([
    ["written", "items", { items: [] }],
    ["as null", "items", { items: null, error: "x" }],
    ["left out, as protocol buffers leave it out", "items", {}],
    ["left out beside what the answer says of itself", "items", { kind: "tasks#list", etag: "x" }],
    ["left out of a page behind which there are others", "items", { nextPageToken: "x" }],
    ["left out inside a wrapper", "data.items", { data: { total: 0 } }],
    ["left out with its wrapper", "data.items", {}],
  ])("%s", (_, path, body) => expect(find(path, body)).toEqual([]));
});

describe("an answer is refused that", () => {
  test.each<[what: string, path: string, body: Json]>([
    ["says that it failed", "items", { error: "quota" }],
    ["says something else", "items", { rows: [1] }],
    ["says something beside the wrapper", "data.items", { data: {}, error: "quota" }],
    ["has another kind of value there", "items", { items: { id: 1 } }],
    ["is no object", "items", "x"],
    ["has no wrapper but null", "data.items", { data: null }],
    ["has nothing at a path that selects", "items[?open]", {}],
  ])("%s", (_, path, body) => expect(() => find(path, body)).toThrow(/should hold a list of rows/));
});
