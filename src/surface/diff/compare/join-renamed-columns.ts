import { unescapeToken } from "../../../model/json-pointer.ts";
import type { Conduct } from "../../manifest-format.ts";
import type { Change } from "../change.ts";
import { changeSaying } from "./make-change.ts";
import { sameValue } from "./same-value.ts";

/** Where a column stands: behind what, and its name; of a value that a curation builds also deeper. */
const COLUMN = /^(\/outputSchema\/properties\/data\/items|\/outputSchema|\/conduct\/said)\/properties\/(.+)$/;

/**
 * The differences of one tool, in which a column that went and one that came are one renaming where both are read from the same and nothing else is
 * another: surer than names that are alike.
 */
export function joinRenamedColumns(found: readonly Change[], before: Conduct, after: Conduct): readonly Change[] {
  const gone = found.filter(({ rule }) => rule === "output_field_removed").flatMap((one) => readColumn(one, before));
  const come = found.filter(({ rule }) => rule === "output_field_added").flatMap((one) => readColumn(one, after));
  const renamings = new Map<Change, Change | undefined>();
  for (const column of gone) {
    const [other, second] = come.filter((one) => isSame(column, one));
    if (other === undefined || second !== undefined || gone.filter((one) => isSame(one, other)).length > 1) continue;
    renamings.set(column.change, tellRenamed(column, other));
    renamings.set(other.change, undefined);
  }
  return found.flatMap((one) => (renamings.has(one) ? (renamings.get(one) ?? []) : one));
}

interface Column {
  readonly change: Change;
  readonly outside: string;
  readonly name: string;
  /** From what it is read, what it is, and how it is written. */
  readonly made: readonly unknown[];
}

function readColumn(change: Change, { replies, fields = {} }: Conduct): readonly Column[] {
  const [, root = "", inside = ""] = COLUMN.exec(change.path) ?? [];
  const names = inside.split("/properties/").map(unescapeToken);
  const name = names.at(-1) ?? "";
  const parts = new Map(Object.entries(replies));
  const part = parts.get(`field ${names.join(".")}`) ?? parts.get(`value ${names.join(".")}`);
  if (part === undefined) return [];
  const made = [part, change.before ?? change.after, new Map(Object.entries(fields)).get(name) ?? null];
  return [{ change, outside: [root, ...names.slice(0, -1)].join("/"), name, made }];
}

function isSame(one: Column, other: Column): boolean {
  return one.outside === other.outside && sameValue(one.made, other.made);
}

function tellRenamed({ change, name }: Column, other: Column): Change {
  const { tool, path, message } = change;
  const label = /^`(.*)` is gone/.exec(message)?.[1] ?? name;
  const now = `${label.slice(0, label.length - name.length)}${other.name}`;
  const says = `\`${label}\` of the reply looks renamed to \`${now}\`.`;
  return changeSaying("output_field_renamed", { tool, path }, name, other.name, says);
}
