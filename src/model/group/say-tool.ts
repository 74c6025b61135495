import type { Tool } from "../tool.ts";

type Named = Pick<Tool, "name" | "group">;

/** A tool in a text, as callers can call it: `` `billing_get` ``, or of a group `` `billing` with action `get` ``. */
export function sayTool({ name, group }: Named): string {
  return group === undefined ? `\`${name}\`` : `\`${group.tool}\` with ${group.discriminator} \`${group.action}\``;
}

/** Makes texts that name tools in backticks name the actions of groups. */
export function openSaying(tools: readonly Named[]): (text: string) => string {
  const said = new Map(tools.filter(({ group }) => group !== undefined).map((tool) => [tool.name, sayTool(tool)]));
  if (said.size === 0) return (text) => text;
  return (text) => text.replace(/`([^`\n]+)`/g, (quoted, name: string) => said.get(name) ?? quoted);
}
