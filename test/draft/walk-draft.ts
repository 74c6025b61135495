import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { run } from "../cli/fake-shell.ts";

export interface Walked {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The exit code of `vitrine call`. */
  readonly code: number;
  readonly reply: {
    readonly error?: string;
    readonly data?: readonly Record<string, unknown>[];
    readonly [key: string]: unknown;
  };
}

interface Written {
  readonly server: { readonly prefix?: string };
  readonly entities?: Readonly<Record<string, { readonly from: string; readonly field: string }>>;
  readonly tools: Readonly<Record<string, { readonly input?: Readonly<Record<string, { readonly entity?: string }>> }>>;
}

interface Listed {
  readonly tools: readonly { readonly name: string; readonly inputSchema: { readonly required?: readonly string[] } }[];
}

/**
 * Calls every tool of a drafted curation once, each with what the tools before it listed: identifiers from the rows of their entity's list, whatever
 * else is required from `words`. A tool whose identifier no list gave is not called.
 */
export async function walkDraft(
  file: string,
  env: Record<string, string>,
  words: Readonly<Record<string, unknown>>,
): Promise<Walked[]> {
  const { server, entities = {}, tools } = parse(readFileSync(file, "utf8")) as Written;
  const { tools: listed } = JSON.parse((await run(["tools", file, "--json"])).out) as Listed;
  const requiredOf = new Map(listed.map(({ name, inputSchema }) => [name, inputSchema.required ?? []]));
  const walked = new Map<string, Walked>();
  const listedValue = (entity: string): unknown => {
    const { from, field } = entities[entity]!;
    return walked.get(from)?.reply.data?.find((row) => row[field] !== null)?.[field];
  };
  for (let left = Object.keys(tools); left.length > 0; ) {
    const ready = left.filter((tool) => argsFor(tool) !== undefined);
    if (ready.length === 0) break;
    for (const tool of ready) {
      const args = argsFor(tool)!;
      const { code, out, err } = await run(["call", file, `${server.prefix ?? ""}${tool}`, JSON.stringify(args)], {
        env,
      });
      walked.set(tool, { tool, args, code, reply: out === "" ? { error: err } : JSON.parse(out) });
    }
    left = left.filter((tool) => !walked.has(tool));
  }
  return [...walked.values()];

  function argsFor(tool: string): Record<string, unknown> | undefined {
    const required = requiredOf.get(`${server.prefix ?? ""}${tool}`) ?? [];
    const args = required.map((name) => {
      const entity = tools[tool]?.input?.[name]?.entity;
      return [name, entity === undefined ? words[name] : listedValue(entity)] as const;
    });
    return args.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(args);
  }
}
