import { expect } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Api } from "../../src/model/api.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { type Case, honour } from "./read-case.ts";

/** Names: the curation gives them, an operation is known by its key, and by an operationId that is unique. */
export async function expectNames(expected: JsonObject, given: Case): Promise<void> {
  const api = await loadApi(`${given.folder}/spec.yaml`, {});
  await honour(expected, NAME_CHECKS, { given, api });
}

interface NameContext {
  readonly given: Case;
  readonly api: Api;
}

/** Compiles one tool for each operation under the name that `nameOf` gives it. */
function compileAll(api: Api, nameOf: (at: number) => string, refer: (at: number) => string) {
  const args = (at: number) =>
    Object.fromEntries([...(api.index[at]?.path ?? "").matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, {}]));
  const tools = Object.fromEntries(
    api.index.map((_, at) => [nameOf(at), { operation: refer(at), use: `The operation ${at}.`, input: args(at) }]),
  );
  const curation = { vitrine: 1, api: { spec: "spec.yaml" }, server: { name: "case", writes: true }, tools };
  const { curation: loaded, problems } = loadCuration("case.yaml", JSON.stringify(curation));
  const result = loaded ? compileToolset(loaded, api) : undefined;
  return { toolset: result?.toolset, problems: [...problems, ...(result?.problems ?? [])] };
}

const keyOf = (api: Api) => (at: number) => api.index[at]!.key;

const NAME_CHECKS: Readonly<Record<string, (value: never, context: NameContext) => void | Promise<void>>> = {
  operations_total: (total: number, { api }) => expect(api.index).toHaveLength(total),
  distinct_names: (count: number, { api }) => {
    const { toolset } = compileAll(api, (at) => `tool_${at}`, keyOf(api));
    expect(new Set(toolset?.tools.map(({ name }) => name)).size).toBe(count);
    // Each name leads to its own operation: what was written is what is sent.
    const sent = toolset?.tools.map(({ plan }) => plan.kind === "call" && toolset.operations[plan.call.operation]?.key);
    expect(sent).toEqual(api.index.map(({ key }) => key));
  },
  name_max: (most: number, { api }) => {
    const codes = compileAll(api, (at) => `t${at}${"x".repeat(most)}`, keyOf(api)).problems.map(({ code }) => code);
    expect(codes).not.toEqual([]);
    expect(compileAll(api, (at) => `t${at}${"x".repeat(30)}`, keyOf(api)).toolset?.tools).toHaveLength(
      api.index.length,
    );
  },
  name_pattern: (pattern: string, { api }) => {
    const { toolset } = compileAll(api, (at) => `tool_${at}`, keyOf(api));
    for (const { name } of toolset?.tools ?? []) expect(name).toMatch(new RegExp(pattern));
  },
  lint_warns: (_: true, { api }) => {
    const { toolset, problems } = compileAll(
      api,
      (at) => `${api.index[at]?.id}`.toLowerCase().slice(0, 64),
      keyOf(api),
    );
    expect([toolset, problems.map(({ message }) => message).join()]).toEqual([
      undefined,
      expect.stringMatching(/40|characters/),
    ]);
  },
  stable: (_: true, { api }) => {
    const compile = () => JSON.stringify(compileAll(api, (at) => `tool_${at}`, keyOf(api)).toolset);
    expect(compile()).toBe(compile());
  },
  reference_by_alias_error: (aliases: Readonly<Record<string, string>>, { api }) => {
    for (const [alias, words] of Object.entries(aliases)) {
      const { toolset, problems } = compileAll(
        api,
        (at) => `tool_${at}`,
        () => alias,
      );
      expect([toolset, problems[0]?.message]).toEqual([undefined, expect.stringContaining(words)]);
    }
  },
};
