import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { type CompileOptions, compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { draftApi } from "../draft/draft-api.ts";
import { shop } from "../draft/shop-document.ts";
import { openSpec } from "../spec/open-spec.ts";

interface Written {
  server: object;
  tools: Record<string, { use: string; result: { budget: string } }>;
}

/** What became of a curation, and how many of its tools were compiled. */
async function trial() {
  const api = await openSpec(shop());
  const written = parse((await draftApi(api)).text) as Written;
  const tried: NonNullable<CompileOptions["tried"]> = new Map();
  return (change: (written: Written) => void) => {
    const changed = structuredClone(written);
    change(changed);
    const { curation } = loadCuration("shop.yaml", stringify(changed));
    const before = tried.size;
    const again = compileToolset(curation!, api, { tried });
    return { again, fresh: compileToolset(curation!, api), compiled: tried.size - before };
  };
}

test("only tools that have changed are compiled again, and nothing tells that the others were not", async () => {
  const compile = await trial();
  const changes: [change: (written: Written) => void, compiled: number][] = [
    [() => {}, 2],
    [() => {}, 0],
    [({ tools }) => Object.assign(tools["list_orders"]!.result, { budget: "4kB" }), 1],
    [({ tools }) => Object.assign(tools["get_order"]!, { use: "Read `list_orders` first, then one." }), 1],
    // All tools are told otherwise then.
    [({ server }) => Object.assign(server, { structured: false }), 2],
    [({ server }) => Object.assign(server, { instructions: "Read orders." }), 0],
  ];
  for (const [change, want] of changes) {
    const { again, fresh, compiled } = compile(change);
    expect(JSON.stringify(again.toolset)).toBe(JSON.stringify(fresh.toolset));
    expect(again.problems.map(({ code, message }) => [code, message])).toStrictEqual(
      fresh.problems.map(({ code, message }) => [code, message]),
    );
    expect(compiled).toBe(want);
  }
});

test("a tool that another's name is now taken by is compiled again", async () => {
  const compile = await trial();
  compile(() => {});
  const { again, fresh, compiled } = compile(({ tools }) => {
    tools["read_order"] = tools["get_order"]!;
    delete tools["get_order"];
    Object.assign(tools["list_orders"]!, { next: { read_order: "read one order whole" } });
  });
  expect(JSON.stringify(again.toolset)).toBe(JSON.stringify(fresh.toolset));
  expect(compiled).toBe(2);
});

test("a tool that suggests another one is compiled again when that has other inputs", async () => {
  const compile = await trial();
  const suggest = ({ tools }: Written): void =>
    void Object.assign(tools["get_order"]!, {
      suggest: [{ tool: "list_orders", args: { wanted: "'a'" }, why: "to see others" }],
    });
  expect(compile(suggest).fresh.problems.map(({ code }) => code)).toContain("unknown_input");
  const { again, fresh } = compile((written) => {
    suggest(written);
    Object.assign(written.tools["list_orders"]!, { input: { wanted: { to: "query.wanted", type: "string" } } });
  });
  expect(again.problems.map(({ code }) => code)).toStrictEqual(fresh.problems.map(({ code }) => code));
});
