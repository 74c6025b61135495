import type { PageData, PageTool } from "../page-data.ts";

/** What became of a tool since the page was opened, or since its marks were taken away. */
export type Change = { readonly kind: "added" } | { readonly kind: "changed"; readonly before: PageTool };

export interface Changes {
  readonly byTool: ReadonlyMap<string, Change>;
  readonly removed: readonly string[];
}

export function findChanges(before: PageData, now: PageData): Changes {
  const old = new Map(before.tools.map((tool) => [tool.listed.name, tool]));
  const byTool = new Map(
    now.tools.flatMap((tool): [string, Change][] => {
      const was = old.get(tool.listed.name);
      if (was === undefined) return [[tool.listed.name, { kind: "added" }]];
      return seenByAgent(was) === seenByAgent(tool) ? [] : [[tool.listed.name, { kind: "changed", before: was }]];
    }),
  );
  const names = new Set(now.tools.map(({ listed }) => listed.name));
  return { byTool, removed: [...old.keys()].filter((name) => !names.has(name)) };
}

const seenByAgent = ({ listed, actions, runs }: PageTool): string => JSON.stringify({ listed, actions, runs });

/** A phrase for who does not see the marks; undefined where nothing changed. */
export function sayChanges({ byTool, removed }: Changes): string | undefined {
  const added = [...byTool].filter(([, { kind }]) => kind === "added").map(([name]) => name);
  const changed = [...byTool].filter(([, { kind }]) => kind === "changed").map(([name]) => name);
  const parts = [
    ["Added", added],
    ["Changed", changed],
    ["Removed", removed],
  ] as const;
  const said = parts.filter(([, names]) => names.length > 0).map(([what, names]) => `${what}: ${names.join(", ")}.`);
  return said.length === 0 ? undefined : said.join(" ");
}
