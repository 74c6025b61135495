import type { JsonObject } from "../../model/json.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { ReadPages } from "./read-pages.ts";

type Pages = readonly (readonly [fact: Fact, pages: ReadPages | undefined])[];

/** Where a list does not say how its pages follow, and others of the API are asked for theirs at the same place, it is read as they are. */
export function borrowPages(lists: Pages): (readonly [fact: Fact, pages: ReadPages | undefined])[] {
  const known = lists.flatMap(([, pages]) => (pages === undefined || pages.doubt !== undefined ? [] : [pages]));
  return lists.map(([fact, pages]) => {
    if (pages?.send === undefined || pages.doubt === undefined) return [fact, pages];
    const other = known.find(({ style }) => style["send"] === pages.send);
    return [fact, other === undefined ? pages : asOf(other.style, fact, pages)];
  });
}

/** With its own size; what says whether more comes may not be there. */
function asOf(
  { size: _size, sizeMax: _most, more: _more, ...style }: JsonObject,
  fact: Fact,
  own: ReadPages,
): ReadPages {
  const { style: _style, size, sizeMax } = { ...own.style };
  const isOfRow = style["style"] === "last";
  // A body that is the list names no next page.
  if (style["style"] === "token" && fact.body.kind === "rows" && fact.body.around === undefined) return own;
  if (isOfRow && !(fact.body.kind === "rows" && fact.body.row.properties.has(String(style["next"])))) return own;
  return {
    style: { ...style, ...(size !== undefined && { size }), ...(sizeMax !== undefined && { sizeMax }) },
    places: own.places,
    ...(!isOfRow && { isUntold: true }),
  };
}
