import type { Curation } from "../curation/format.ts";
import type { Tool } from "../model/tool.ts";
import { TOOL_NAME } from "./check-toolset.ts";
import type { Report } from "./open-report.ts";
import { nameAliases, type ToolNames } from "./words/tool-names.ts";

/** Old names stay callable beside the new ones, so each is of one tool only, and of none that is listed. */
export function checkAliases(tools: readonly Tool[], names: ToolNames, curation: Curation, report: Report): void {
  const groups = tools.flatMap(({ group }) => (group === undefined ? [] : [group.tool]));
  const owners = new Map([
    ...groups.map((name) => [name, name] as const),
    ...[...names].map(([name, emitted]) => [emitted, name] as const),
  ]);
  for (const [name, { aliases = [] }] of Object.entries(curation.content.tools))
    nameAliases(aliases, curation).forEach((emitted, position) => {
      const at = ["tools", name, "aliases", position];
      const owner = owners.get(emitted);
      owners.set(emitted, name);
      if (!TOOL_NAME.test(emitted)) {
        const message = `No caller can have called the tool \`${emitted}\` (${emitted.length} characters).`;
        report.add("error", "name_invalid", at, message, "3 to 40 characters of a-z, 0-9 and _, a letter first.");
      } else if (owner !== undefined) {
        const message = `Callers would mean \`${owner}\` and \`${name}\` by \`${emitted}\`.`;
        report.add("error", "name_clash", at, message, "Take the old name out of one of the two.");
      }
    });
}
