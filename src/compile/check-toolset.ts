import type { Curation } from "../curation/format.ts";
import { actionsOf } from "../model/group/expose-toolset.ts";
import type { Tool } from "../model/tool.ts";
import { readPlace } from "./group/place-in-groups.ts";
import type { EntryPath, Report } from "./open-report.ts";
import { DESCRIBE_ACCESS } from "./pins/describe-access.ts";
import type { ToolNames } from "./words/tool-names.ts";

/** Contract section 2, Names. */
export const TOOL_NAME = /^[a-z][a-z0-9_]{2,39}$/;
/** Beyond this a schema crowds out the conversation, and some providers refuse it. */
const LARGE_SCHEMA_BYTES = 16_000;

/** The names that callers see: portable, and each of one tool only. */
export function checkNames(
  names: ToolNames,
  curation: Curation,
  { hasPins, inGroups }: { readonly hasPins: boolean; readonly inGroups: boolean },
  report: Report,
): void {
  const prefix = curation.content.server.prefix ?? "";
  const owners = new Map<string, string>();
  if (hasPins && Object.hasOwn(curation.content.tools, DESCRIBE_ACCESS)) {
    const message = `Every server with pins has a tool \`${DESCRIBE_ACCESS}\` of its own.`;
    report.add("error", "name_clash", ["tools", DESCRIBE_ACCESS], message, "Call yours otherwise.");
  }
  for (const [name, emitted] of names) {
    const at = entryOf(name, curation);
    // As an action of a group it is called by shorter names.
    const isAction = inGroups && readPlace(name) !== undefined;
    if (!isAction && !TOOL_NAME.test(emitted)) {
      const message = `Callers would see \`${emitted}\` (${emitted.length} characters), which not every client takes.`;
      const room = prefix === "" ? "" : `, the prefix \`${prefix}\` included`;
      report.add("error", "name_invalid", at, message, `3 to 40 characters of a-z, 0-9 and _, a letter first${room}.`);
    }
    const owner = owners.get(emitted);
    if (owner !== undefined)
      report.add(
        "error",
        "name_clash",
        at,
        `Callers would see \`${emitted}\` for \`${owner}\` and \`${name}\`.`,
        "Rename one of the two.",
      );
    else owners.set(emitted, name);
  }
}

function entryOf(name: string, curation: Curation): EntryPath {
  return Object.hasOwn(curation.content.tools, name) || name !== DESCRIBE_ACCESS ? ["tools", name] : ["pins"];
}

/** Warns of schemas that are dear to list. */
export function checkSizes(tools: readonly Tool[], names: ToolNames, report: Report): void {
  const written = new Map([...names].map(([name, emitted]) => [emitted, name]));
  for (const tool of tools) {
    const bytes = Buffer.byteLength(JSON.stringify(tool.inputSchema));
    if (bytes <= LARGE_SCHEMA_BYTES) continue;
    const message = `The input schema of \`${tool.name}\` takes ${Math.round(bytes / 1000)} kB of every conversation.`;
    const [first = tool] = actionsOf(tool) ?? [];
    const at = ["tools", written.get(first.name) ?? tool.name, "input"];
    report.add(
      "warning",
      "large_schema",
      at,
      message,
      "Send the parts that matter through `args`, each from an input of its own.",
    );
  }
}
