import type { Toolset } from "../tool.ts";
import { actionsOf } from "./expose-toolset.ts";

/** Every name that calls a tool of an exposed toolset, old ones and those of actions too. */
export function callableNames({ tools }: Toolset): ReadonlySet<string> {
  const old = tools.flatMap((tool) => [tool, ...(actionsOf(tool) ?? [])]).flatMap(({ aliases = [] }) => aliases);
  return new Set([...tools.map(({ name }) => name), ...old]);
}
