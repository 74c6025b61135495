import type { Curation } from "../../curation/format.ts";

/** Where in a curation's content something stands. */
export type EntryPath = readonly string[];

/** A curation without these tools, inputs, fields and arguments, and without the calls that others propose of a tool that goes. */
export function leaveOut(curation: Curation, entries: readonly EntryPath[]): Curation {
  const { content } = curation;
  const gone = new Set(entries.filter(({ length }) => length === 2).map(([, key]) => key));
  const left = Object.entries(content.tools)
    .filter(([key]) => !gone.has(key))
    .map(([key, tool]) => {
      const { next, suggest, ...rest } = tool;
      const told = next && Object.fromEntries(Object.entries(next).filter(([name]) => !gone.has(name)));
      const proposed = suggest?.filter((one) => !gone.has(one.tool));
      const whole = { ...rest, ...(told && { next: told }), ...(proposed && { suggest: proposed }) };
      const inside = entries.filter(([, of, ...path]) => of === key && path.length > 0);
      return [key, inside.reduce((one, [, , ...path]) => without(one, path), whole)] as const;
    });
  return { ...curation, content: { ...content, tools: Object.fromEntries(left) } };
}

/** The entries of a tool that can go by themselves. */
export function partsOf({ content }: Curation, key: string): readonly EntryPath[] {
  const { input = {}, args = {}, filter, result } = content.tools[key] ?? {};
  const named = (at: EntryPath, of: object = {}) => Object.keys(of).map((name) => ["tools", key, ...at, name]);
  return [
    ...named(["input"], input),
    ...named(["args"], args),
    ...named(["filter", "fields"], filter?.fields),
    ...named(["result", "fields"], result?.fields),
    ...named(["result", "value"], typeof result?.value === "object" ? result.value : {}),
  ];
}

/** A copy of a tree without what stands at `path`. */
function without<T extends object>(tree: T, [name = "", ...deeper]: EntryPath): T {
  const entries = Object.entries(tree) as [string, unknown][];
  const left = deeper.length === 0 ? entries.filter(([key]) => key !== name) : entries.map(cutAt(name, deeper));
  return Object.fromEntries(left) as T;
}

function cutAt(name: string, path: EntryPath): (entry: [string, unknown]) => [string, unknown] {
  return ([key, value]) => [
    key,
    key === name && typeof value === "object" && value !== null ? without(value, path) : value,
  ];
}
