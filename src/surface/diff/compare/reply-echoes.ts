import { escapeToken, unescapeToken } from "../../../model/json-pointer.ts";
import type { Change } from "../change.ts";
import { nameOfPart } from "./compare-parts.ts";
import type { IsPartEcho } from "./part-echoes.ts";

const VALUE_MOVES = new Set(["output_field_removed", "output_field_renamed", "output_field_added"]);

/** Whether a piece of how replies are made is another one only by what is told of the reply; `columns` came, went or changed their names. */
export function openReplyEchoes(
  found: readonly Change[],
  columns: ReadonlySet<string>,
  sameParts: (before: unknown, after: unknown) => boolean,
): IsPartEcho {
  const isOther = found.some(({ rule }) => rule === "output_root_changed");
  /** Where something of a value came, went or changed its name: names by dots. */
  const moved = placesOf(found.filter(({ rule }) => VALUE_MOVES.has(rule)));
  return (one) => {
    if (isOther || (one.before !== null && one.after !== null && sameParts(one.before, one.after))) return true;
    const [, kind = "", name = ""] = /^(\S+)(?: (.*))?$/s.exec(nameOfPart(one)) ?? [];
    if (one.before !== null && one.after !== null) return false;
    if (kind === "field") return columns.has(escapeToken(name));
    return kind === "value" && [...moved].some((place) => isWithin(place, name) || isWithin(name, place));
  };
}

function placesOf(changes: readonly Change[]): ReadonlySet<string> {
  return new Set(
    changes.flatMap(({ path, after }) => {
      const [, inside] =
        /^\/(?:outputSchema|conduct\/said)\/(?:properties\/data\/items\/)?properties\/(.*)$/.exec(path) ?? [];
      if (inside === undefined) return [];
      const names = inside.split(/\/(?:items\/)*properties\//);
      const place = names.map((name) => unescapeToken(name.replace(/\/items$/, "")));
      const renamed = typeof after === "string" ? [[...place.slice(0, -1), after].join(".")] : [];
      return [place.join("."), ...renamed];
    }),
  );
}

function isWithin(name: string, place: string): boolean {
  return name === place || name.startsWith(`${place}.`);
}
