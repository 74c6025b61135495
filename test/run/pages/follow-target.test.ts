import { describe, expect, test } from "vitest";
import type { Binding, OperationPlan } from "../../../src/model/call.ts";
import type { ToolError } from "../../../src/model/errors.ts";
import type { Place } from "../../../src/model/place.ts";
import { planRequest } from "../../../src/run/request/plan-request.ts";
import { rootsOf } from "../shape-fixture.ts";
import { LISTING, ORIGIN } from "./scripted-list.ts";

function bind(place: Place, literal: string, pinned: boolean): Binding {
  return {
    place,
    value: { kind: "literal", value: literal },
    pinned,
    type: "string",
    required: false,
    nullable: false,
  };
}
const query = (name: string, pointer: string[] = []): Place => ({ in: "query", name, pointer });
const path = (name: string): Place => ({ in: "path", name, pointer: [] });
const deep: OperationPlan["parameters"] = [
  { name: "filter", in: "query", required: false, style: "deepObject", explode: true, allowReserved: false },
];

function urlOf(
  target: string,
  bindings: Binding[],
  operation: Partial<OperationPlan> = {},
  secrets: string[] = [],
): string {
  const call = { operation: 0, bindings, target };
  const upstream = { headers: [], credentials: new Map(), secrets };
  return planRequest(call, { ...LISTING, ...operation }, upstream, rootsOf()).url.slice(ORIGIN.length);
}

describe("a page by the upstream's own link", () => {
  const tenant = bind(query("tenant"), "t-1", true);
  const cases: [title: string, target: string, bindings: Binding[], want: string][] = [
    [
      "is asked for as it stands",
      "/v2/things?page=2&a=%20b+c",
      [bind(query("q"), "x", false)],
      "/v2/things?page=2&a=%20b+c",
    ],
    ["has the pins", "/things?page=2", [tenant], "/things?page=2&tenant=t-1"],
    [
      "has no other value for one",
      "/things?tenant=t-2&page=2&TENANT=t-3&tenan%74=t-4",
      [tenant],
      "/things?page=2&tenant=t-1",
    ],
    ["may have no query", "/things", [], "/things"],
    ["cannot name another server by its slashes", "//evil.example/things", [], "//evil.example/things"],
  ];
  test.each(cases)("%s", (_, target, bindings, want) => {
    expect(urlOf(target, bindings)).toBe(want);
  });

  test("has pins inside an object", () => {
    const pin = bind(query("filter", ["tenant"]), "t-1", true);
    const url = urlOf("/things?filter%5Btenant%5D=t-2&filter%5Ba%5D=1", [pin], { parameters: deep });
    expect(decodeURIComponent(url)).toBe("/things?filter[a]=1&filter[tenant]=t-1");
  });

  test("does not carry a credential that the upstream copied into it", () => {
    expect(urlOf("/things?key=sk%2Dsecret&page=2", [], {}, ["sk-secret"])).toBe("/things?page=2");
  });

  test("that keeps the pinned path is followed, any other is refused", () => {
    const bindings = [bind(path("tenant"), "t-1", true)];
    const operation = { path: "/tenants/{tenant}/things" };
    expect(urlOf("/tenants/t-1/things?page=2", bindings, operation)).toBe("/tenants/t-1/things?page=2");
    for (const target of ["/tenants/t-2/things?page=2", "/tenants/t-1/things/../../t-2/things", "/things?page=2"]) {
      try {
        urlOf(target, bindings, operation);
        expect.unreachable();
      } catch (error) {
        expect((error as ToolError).code).toBe("destination_blocked");
      }
    }
  });
});
