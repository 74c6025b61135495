import type { TagChoice } from "../model/visible/hide-by-tags.ts";
import { UsageError } from "./command.ts";

/** The options by which a command chooses tools. */
export const TAG_OPTIONS = {
  tags: { type: "string", multiple: true },
  "any-tag": { type: "string", multiple: true },
  "exclude-tag": { type: "string", multiple: true },
} as const;

export const TAG_HELP = `  --tags A,B           only the tools that carry all of these tags
  --any-tag A,B        only the tools that carry one of these tags
  --exclude-tag A,B    none of the tools that carry one of these tags`;

type Given = { readonly [name in keyof typeof TAG_OPTIONS]?: readonly string[] | undefined };

/** Which tools are chosen; undefined where nothing is said. Throws `UsageError` where a tag is empty: it would choose otherwise than was meant. */
export function readTags(given: Given): TagChoice | undefined {
  const read = (name: keyof Given) => given[name]?.flatMap((list) => splitTags(list, name));
  const [all, any, exclude] = [read("tags"), read("any-tag"), read("exclude-tag")];
  if (all === undefined && any === undefined && exclude === undefined) return undefined;
  return { ...(all && { all }), ...(any && { any }), ...(exclude && { exclude }) };
}

function splitTags(list: string, option: string): string[] {
  const tags = list.split(",").map((tag) => tag.trim());
  if (tags.some((tag) => tag === ""))
    throw new UsageError(`--${option} takes tags with commas between them: "${list}"`);
  return tags;
}
