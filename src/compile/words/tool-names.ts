import type { Curation } from "../../curation/format.ts";
import { nearestNames } from "../../model/nearest.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";

/** The names of tools as the curation writes them, and as callers see them. */
export type ToolNames = ReadonlyMap<string, string>;

/** The prefix comes first, and a dot becomes the separator (contract section 2). */
export function nameTools(curation: Curation): ToolNames {
  const emit = openNaming(curation);
  return new Map(Object.keys(curation.content.tools).map((name) => [name, emit(name)]));
}

/** What callers once called the tool; the prefix may stand in what is written. */
export function nameAliases(aliases: readonly string[], curation: Curation): readonly string[] {
  const { prefix = "" } = curation.content.server;
  const emit = openNaming(curation);
  return aliases.map((name) => emit(name.startsWith(prefix) ? name.slice(prefix.length) : name));
}

function openNaming({ content }: Curation): (name: string) => string {
  const { prefix = "", expose } = content.server;
  const separator = (typeof expose === "object" ? expose.separator : undefined) ?? "_";
  return (name) => `${prefix}${name.replaceAll(".", separator)}`;
}

/** The name that callers see, for either of the two. */
export function emittedName(name: string, names: ToolNames): string | undefined {
  return names.get(name) ?? [...names.values()].find((emitted) => emitted === name);
}

/**
 * Tool names in backticks become those that callers see. What is spelt as a tool's name but for a letter or two is an error, for no
 * caller could call it; other words in backticks are left alone.
 */
export function replaceToolNames(text: string, at: EntryPath, names: ToolNames, report: Report): string {
  return text.replace(/`([^`\n]+)`/g, (quoted, name: string) => {
    const emitted = emittedName(name, names);
    if (emitted !== undefined) return `\`${emitted}\``;
    const meant = toolMeantBy(name, names);
    if (meant !== undefined)
      report.add("error", "unknown_tool_name", at, `There is no tool \`${name}\`.`, hintFor([meant]), quoted);
    return quoted;
  });
}

const TOOL_LIKE = /^[a-z][a-z0-9]*(?:[_.][a-z0-9]+)+$/;

function toolMeantBy(name: string, names: ToolNames): string | undefined {
  if (!TOOL_LIKE.test(name)) return undefined;
  const candidates = [...names.keys(), ...names.values()].filter(
    (one) => Math.abs(one.length - name.length) <= 2 && sharesWord(one, name),
  );
  return nearestNames(name, candidates, 1)[0];
}

/** A tool's name is misspelt in one word, not in all: `list_dimension` is meant for `list_dimensions`, `page_size` for nothing. */
function sharesWord(one: string, other: string): boolean {
  const words = new Set(one.split(/[_.]/));
  return other.split(/[_.]/).some((word) => words.has(word));
}
