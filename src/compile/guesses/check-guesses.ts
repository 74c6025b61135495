import type { InputEntry } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import { ownValue } from "../../model/json.ts";
import type { Input } from "../../model/tool.ts";
import type { Report } from "../open-report.ts";
import type { CompiledTool, ToolContext } from "../tool-context.ts";
import { foldedName, replyNames, shownNames } from "./reply-names.ts";

/** Names that say what they are wherever they stand. */
const IDENTIFIER = /^(id|ids|uuid|guid)$|(_(id|ids|uuid|guid)|[a-z0-9](Id|Ids|ID|IDs|Uuid|UUID|Guid|GUID))$/;
/** An author's words that let a caller write the value without having seen it: an example, or the tool that has it. */
const GIVES = /\bfor example\b|\be\.g\.|\bsuch as\b|`[^`\n]+`/i;

/**
 * Warns of inputs that a caller could only guess: they name a thing, and nothing says where its name comes from, neither a reply of a tool that can be
 * called without knowing it, nor an entity, a list of values, a default, a pattern or the author's own words.
 */
export function checkGuesses(
  compiled: ReadonlyMap<string, CompiledTool>,
  { api, curation }: ToolContext,
  report: Report,
): void {
  const known = openProducers(compiled, api);
  for (const [name, { tool }] of compiled)
    for (const input of tool.inputs) {
      const entry = ownValue(ownValue(curation.content.tools, name)?.input ?? {}, input.name);
      if (entry === undefined || !namesThing(input) || isGiven(input, entry) || known(input, name)) continue;
      const message = `\`${input.name}\` names something, and no tool's reply tells a caller what there is: it could only be guessed.`;
      const hint =
        "Say where it comes from: select it as a column of the tool that lists such things, or declare `entities` and write `entity: NAME` here; else give `enum`, `valuesFrom`, or a `describe` with an example.";
      report.add("warning", "guessed_id", ["tools", name, "input", input.name], message, hint);
    }
}

function namesThing({ name, type, place }: Input): boolean {
  const { kind } = type.kind === "array" ? type.items : type;
  if (kind !== "string" && kind !== "integer") return false;
  if (place?.in === "path" && place.pointer.length === 0) return true;
  const isUuid = type.kind === "string" && type.format === "uuid";
  return isUuid || IDENTIFIER.test(name);
}

function isGiven(input: Input, { enum: values, pattern, describe = "" }: InputEntry): boolean {
  const isListed = input.entity !== undefined || input.valuesFrom !== undefined || values !== undefined;
  return isListed || input.default !== undefined || pattern !== undefined || GIVES.test(describe);
}

/** Whether some tool tells the values of an input of another, and can itself be called without them. */
function openProducers(compiled: ReadonlyMap<string, CompiledTool>, api: Api) {
  return (input: Input, own: string): boolean => {
    const wanted = wantedNames(input);
    const others = [...compiled].filter(([name, one]) => {
      const needs = one.tool.inputs.some(
        (other) => other.required && wantedNames(other).some((each) => wanted.includes(each)),
      );
      return !needs && (name !== own || !input.required);
    });
    const tells = (namesOf: (one: CompiledTool) => ReadonlySet<string>) =>
      others.some(([name, one]) => {
        const names = namesOf(one);
        return wanted.some((each) => names.has(each) || namesByTool(each, name, names));
      });
    // What is shown mostly tells it, and is sooner looked at than all of each reply.
    return tells(shownNames) || tells((one) => replyNames(one, api));
  };
}

/** The input's own name, and the upstream's for it. */
function wantedNames({ name, place }: Input): string[] {
  const upstream =
    place === undefined ? undefined : (place.pointer.at(-1) ?? ("name" in place ? place.name : undefined));
  const found = [name, ...(upstream === undefined ? [] : [upstream])].map(foldedName);
  return [...new Set(found)];
}

/** `orderid` is the `id` of a reply of `list_orders`, and `reporttoken` the `token` of one of `list_reports`. */
function namesByTool(wanted: string, tool: string, names: ReadonlySet<string>): boolean {
  const one = wanted.replace(/s$/, "");
  return [...names].some((kind) => {
    const thing = one.endsWith(kind) ? one.slice(0, -kind.length) : "";
    return kind.length > 1 && thing.length > 2 && foldedName(tool).includes(thing.replace(/s$|y$/, ""));
  });
}
