import { readdirSync } from "node:fs";
import { expect } from "vitest";
import type { Egress } from "../../src/egress/open-egress.ts";
import type { Api } from "../../src/model/api.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { compileCase } from "./open-case.ts";
import { type Case, honour } from "./read-case.ts";

export interface LoadContext {
  readonly given: Case;
  readonly api: Api;
  /** Addresses that loading and compiling asked the network for. */
  readonly asked: readonly string[];
  /** What compiling a tool for each operation found. */
  readonly problems: ReadonlyMap<string, readonly string[]>;
}

/** Loads a spec with an eye on the network, and compiles a tool for every operation that it names. */
export async function openLoad(given: Case): Promise<LoadContext> {
  expect(readdirSync(given.folder)).toContain("spec.yaml");
  const asked: string[] = [];
  const egress: Egress = {
    request: ({ url }) => {
      asked.push(url);
      return Promise.reject(new Error("no network"));
    },
    close: async () => {},
  };
  const api = await loadApi(`${given.folder}/spec.yaml`, { egress });
  const problems = new Map(
    api.index.map(({ key }) => {
      const { toolset, problems: found } = compileCase(api, key, "whole");
      return [key, toolset?.tools.length === 1 ? [] : found.map(({ code, message }) => `${code}: ${message}`)];
    }),
  );
  return { given, api, asked, problems };
}

export async function expectLoad(expected: JsonObject, context: LoadContext): Promise<void> {
  await honour(expected, LOAD_CHECKS, context);
}

const broken = ({ problems }: LoadContext) => [...problems.values()].flat();

const LOAD_CHECKS: Readonly<Record<string, (value: never, context: LoadContext) => void | Promise<void>>> = {
  no_network: (_: true, { asked }) => expect(asked).toEqual([]),
  operations_ok: (keys: readonly string[], { problems }) => {
    for (const key of keys) expect([key, problems.get(key)]).toEqual([key, []]);
  },
  operations_broken: (keys: readonly string[], { problems }) => {
    for (const key of keys) expect(problems.get(key)).toEqual([expect.stringMatching(/^spec_fault: /)]);
  },
  problem_at: (pointer: string, context) => expect(broken(context)).toEqual([expect.stringContaining(pointer)]),
  problem_contains: (text: string, context) => expect(broken(context)).toEqual([expect.stringContaining(text)]),
};
