import { describe, expect, test } from "vitest";
import { openEgress } from "../../src/egress/open-egress.ts";
import { type Api, isFault } from "../../src/model/api.ts";
import { checkSpec } from "../../src/spec/check-spec.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { fakeEgress, readOf, resolveOf, SOURCE } from "./open-spec.ts";
import { HEAD } from "./spec-folder.ts";

const HOME = "https://spec.example";

async function openAt(root: string, others: Readonly<Record<string, string>>) {
  const egress = fakeEgress(root, 200, others);
  return { api: await loadApi(SOURCE, { egress }), asked: egress.asked };
}

/** Reads until nothing more is missing, as whoever compiles does. */
async function readWhole(api: Api, reference: string) {
  for (let round = 0; ; round++) {
    const entry = api.find(reference);
    const operation = entry === undefined ? undefined : api.read(entry);
    if (!(await api.fetchPending())) return { operation, rounds: round };
  }
}

describe("a spec from a URL", () => {
  const ROOT = `${HEAD}paths:\n  /a: {$ref: paths/a.yaml}\n  /b: {get: {operationId: b, responses: {}}}\n`;
  const OTHERS = {
    [`${HOME}/paths/a.yaml`]: "get: {operationId: a, parameters: [{$ref: '../parts.yaml#/Q'}], responses: {}}\n",
    [`${HOME}/parts.yaml`]: "Q: {name: q, in: query, schema: {$ref: '#/S'}}\nS: {type: integer}\n",
  };

  test("fetches what is asked for, a round for each step, and nothing else", async () => {
    const { api, asked } = await openAt(ROOT, { ...OTHERS, [`${HOME}/unused.yaml`]: "{}" });
    expect(readOf(api, "GET /b").id).toBe("b");
    expect(await api.fetchPending()).toBe(false);
    expect(asked).toEqual([SOURCE]);
    const { operation, rounds } = await readWhole(api, "GET /a");
    expect(operation).toMatchObject({ id: "a", parameters: [{ name: "q" }] });
    expect(rounds).toBe(2);
    expect(resolveOf(api, readOf(api, "a").parameters[0]!.schema)).toEqual({ type: "integer" });
    expect(asked).toEqual([SOURCE, ...Object.keys(OTHERS)]);
    expect(api.files.map(({ path }) => path)).toEqual(asked);
  });

  test("until it has come, a document is a fault of whoever needs it", async () => {
    const { api } = await openAt(`${HEAD}paths: {/a: {get: {$ref: a.yaml}}}\n`, {});
    const entry = api.find("GET /a")!;
    expect(api.read(entry)).toMatchObject({ fault: expect.stringContaining("has not been fetched") });
    expect(await api.fetchPending()).toBe(true);
    expect(api.read(entry)).toMatchObject({ fault: expect.stringContaining("answered 404") });
    expect(await api.fetchPending()).toBe(false);
  });

  const elsewhere: [title: string, ref: string][] = [
    ["another host", "https://other.example/a.yaml"],
    ["another port", "https://spec.example:8443/a.yaml"],
    ["plain http", "http://spec.example/a.yaml"],
    ["a private address", "http://127.0.0.1:9/latest/meta-data/creds.json"],
    ["a host without scheme", "//169.254.169.254/latest"],
    ["a user", "https://me:secret@spec.example/a.yaml"],
    ["a file", "file:///etc/hostname"],
    ["data", "data:application/json,{}"],
  ];
  test.each(elsewhere)("never goes to %s", async (_title, ref) => {
    const { api, asked } = await openAt(`${HEAD}paths: {/a: {get: {$ref: ${JSON.stringify(ref)}}}}\n`, {});
    const { operation } = await readWhole(api, "GET /a");
    expect(operation !== undefined && isFault(operation) && operation.fault).toMatch(/leads away from|is not a URL/);
    expect(asked).toEqual([SOURCE]);
  });

  test("a private address is refused by the client too, also for the spec itself", async () => {
    const egress = openEgress({ trustedHosts: [], allowPrivate: [], allowHttp: false });
    await expect(loadApi("https://127.0.0.1:9/openapi.yaml", { egress })).rejects.toThrow(/cannot be read/);
    await egress.close();
  });

  test("a chain without end is given up after some rounds", async () => {
    const egress = fakeEgress(`${HEAD}paths: {/a: {get: {$ref: '0.yaml'}}}\n`);
    const endless = {
      ...egress,
      request: async (asked: Parameters<typeof egress.request>[0]) => {
        const number = /(\d+)\.yaml$/.exec(asked.url)?.[1];
        if (number === undefined) return egress.request(asked);
        return fakeEgress(`$ref: ${Number(number) + 1}.yaml\n`).request({ ...asked, url: SOURCE });
      },
    };
    const api = await loadApi(SOURCE, { egress: endless });
    const { operation, rounds } = await readWhole(api, "GET /a");
    expect(operation !== undefined && isFault(operation) && operation.fault).toMatch(/more than is fetched/);
    expect(rounds).toBeLessThan(50);
  });

  test("its findings are those of the whole", async () => {
    const { api } = await openAt(`${HEAD}paths: {/a: {$ref: paths/a.yaml}}\n`, OTHERS);
    expect((await checkSpec(api)).filter(({ code }) => code === "spec_fault")).toEqual([]);
  });
});
