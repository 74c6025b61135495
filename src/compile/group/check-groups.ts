import type { Curation } from "../../curation/format.ts";
import { describeGroup } from "../../model/group/describe-group.ts";
import { groupsOf, tellActions } from "../../model/group/expose-toolset.ts";
import { type Action, mergeInputs } from "../../model/group/merge-inputs.ts";
import type { Tool } from "../../model/tool.ts";
import { TOOL_NAME } from "../check-toolset.ts";
import type { EntryPath, Report } from "../open-report.ts";
import type { ToolNames } from "../words/tool-names.ts";
import { readPlace } from "./place-in-groups.ts";

/** What only shows once tools stand in groups: names, inputs that cannot be one, and texts that are too long together. */
export function checkGroups(tools: readonly Tool[], curation: Curation, names: ToolNames, report: Report): void {
  const written = new Map([...names].map(([name, emitted]) => [emitted, name]));
  const place = (tool: Tool): EntryPath => ["tools", written.get(tool.name) ?? tool.name];
  const alone = new Set(tools.filter(({ group }) => group === undefined).map(({ name }) => name));
  for (const [name, actions] of groupsOf(tellActions(tools))) {
    checkName(name, actions, alone, place, report);
    checkActions(actions, curation, written, place, report);
    checkTexts(name, actions, place, report);
  }
}

type Place = (tool: Tool) => EntryPath;

const ACTION_NAME = /^[a-z][a-z0-9_]{0,39}$/;

function checkName(
  name: string,
  actions: readonly Action[],
  alone: ReadonlySet<string>,
  place: Place,
  report: Report,
): void {
  const at = place(actions[0]!);
  if (!TOOL_NAME.test(name)) {
    const message = `Callers would see the group \`${name}\` (${name.length} characters), which not every client takes.`;
    report.add("error", "name_invalid", at, message, "3 to 40 characters of a-z, 0-9 and _, a letter first.");
  }
  if (alone.has(name)) {
    const message = `Callers would see \`${name}\` for a group and for a tool by itself.`;
    report.add("error", "name_clash", at, message, "Rename one of the two.");
  }
  // `support.tickets` and `support_tickets`; or `billing_write`, which is where the writes of `billing` go.
  const other = actions.find((one) => namespaceAt(place(one)) !== namespaceAt(at));
  if (other !== undefined) {
    const message = `Callers would see \`${name}\` for two groups: \`${namespaceAt(at)}\` and \`${namespaceAt(place(other))}\`.`;
    report.add("error", "name_clash", place(other), message, "Rename one of the two.");
  }
}

function namespaceAt(at: EntryPath): string {
  return readPlace(String(at.at(-1)))?.namespace ?? "";
}

function checkActions(
  actions: readonly Action[],
  curation: Curation,
  written: ReadonlyMap<string, string>,
  place: Place,
  report: Report,
): void {
  const { tool, discriminator } = actions[0]!.group;
  const byAction = new Map(actions.map((one) => [one.group.action, one]));
  for (const one of actions) {
    if (!ACTION_NAME.test(one.group.action)) {
      const message = `\`${one.group.action}\` is not the name of an action.`;
      report.add("error", "name_invalid", place(one), message, "1 to 40 characters of a-z, 0-9 and _, a letter first.");
    }
    if (!Object.hasOwn(one.inputSchema.properties ?? {}, discriminator)) continue;
    const entry = curation.content.tools[written.get(one.name) ?? ""];
    const own = Object.hasOwn(entry?.input ?? {}, discriminator) ? ["input", discriminator] : [];
    const message = `\`${discriminator}\` chooses the action of \`${tool}\`, so that no input can be called so.`;
    const hint = "Rename the input, or set `server.expose.discriminator`.";
    report.add("error", "name_clash", [...place(one), ...own], message, hint);
  }
  for (const { input, actions: pair, types } of mergeInputs(actions).clashes) {
    const [, second] = pair;
    const [name = ""] = input.split(/[.[]/, 1);
    const message = `\`${tool}\` takes one \`${input}\`: for \`${pair[0]}\` it is of type ${types[0]}, for \`${second}\` of type ${types[1]}.`;
    const at = [...place(byAction.get(second)!), "input", name];
    report.add("error", "merged_input_clash", at, message, "Rename one of the two inputs, or give both one type.");
  }
}

function checkTexts(name: string, actions: readonly Action[], place: Place, report: Report): void {
  const { description, told, tooLong } = describeGroup(actions[0]!.group.title, actions);
  const at = place(actions[0]!);
  if (tooLong) {
    const message = `The purposes of the ${actions.length} actions of \`${name}\` take ${description.length} characters, and clients cut a description at 1024.`;
    report.add(
      "error",
      "description_too_long",
      at,
      message,
      "Shorten the first sentence of `use`, or divide the namespace.",
    );
  } else if (told === "purpose") {
    const message = `The description of \`${name}\` has no room for all that its ${actions.length} actions say of themselves; it tells what each is for.`;
    report.add(
      "note",
      "group_told_in_part",
      at,
      message,
      "Shorten `use`, `notFor`, `returns` and `next`, or divide the namespace.",
    );
  }
}
