import type { JsonObject } from "../../model/json.ts";
import type { ReadPages } from "../recognise/read-pages.ts";
import type { Fact } from "../survey/read-fact.ts";

export interface PlacedPages {
  /** For `api.pages`, in the order in which they are tried. */
  readonly styles: readonly JsonObject[];
  /** By operation, where the first style that fits is not its own. */
  readonly own: ReadonlyMap<string, JsonObject | "none">;
}

/** Where the curation has its styles already: those whose list they would read in another way say their own. */
export function placeAmong(
  given: readonly JsonObject[],
  lists: readonly (readonly [fact: Fact, pages: ReadPages | undefined])[],
): PlacedPages {
  const own = lists.flatMap(([fact, pages]): [string, JsonObject | "none"][] => {
    const first = given.find((style) =>
      placesOf(JSON.stringify(style)).every((place) =>
        fact.slots.some((slot) => slot.place === place || slot.name === place),
      ),
    );
    if (first === undefined && pages === undefined) return [];
    const isSame = first?.["style"] === pages?.style["style"] && first?.["send"] === pages?.style["send"];
    return isSame ? [] : [[fact.entry.key, pages?.style ?? "none"]];
  });
  return { styles: [], own: new Map(own) };
}

/** Says each style once for the whole API, and again only for an operation that would be given another's. */
export function placePages(lists: readonly (readonly [fact: Fact, pages: ReadPages | undefined])[]): PlacedPages {
  const counts = new Map<string, number>();
  for (const [, pages] of lists)
    if (pages !== undefined)
      counts.set(JSON.stringify(pages.style), (counts.get(JSON.stringify(pages.style)) ?? 0) + 1);
  const styles = [...counts]
    .toSorted(([one, a], [other, b]) => placesOf(other).length - placesOf(one).length || b - a)
    .map(([text]) => text);
  const own = new Map<string, JsonObject | "none">();
  for (const [fact, pages] of lists) {
    const first = styles.find((text) => fits(text, fact));
    const wanted = pages === undefined ? undefined : JSON.stringify(pages.style);
    if (first === wanted) continue;
    own.set(fact.entry.key, pages?.style ?? "none");
  }
  const used = styles.filter((text) =>
    lists.some(
      ([fact, pages]) => pages !== undefined && JSON.stringify(pages.style) === text && !own.has(fact.entry.key),
    ),
  );
  return { styles: used.map((text) => JSON.parse(text) as JsonObject), own: keepNeeded(lists, used, own) };
}

/** Which of the styles that are left would be taken. */
function keepNeeded(
  lists: readonly (readonly [Fact, ReadPages | undefined])[],
  used: readonly string[],
  own: ReadonlyMap<string, JsonObject | "none">,
): ReadonlyMap<string, JsonObject | "none"> {
  return new Map(
    [...own].filter(([key, style]) => {
      const fact = lists.find(([one]) => one.entry.key === key)?.[0];
      return style !== "none" || used.some((text) => fact !== undefined && fits(text, fact));
    }),
  );
}

function fits(style: string, { slots }: Fact): boolean {
  return placesOf(style).every((place) => slots.some((slot) => slot.place === place));
}

function placesOf(style: string): string[] {
  const { send, size } = JSON.parse(style) as { readonly send?: string; readonly size?: string };
  return [send, size].filter((place) => place !== undefined);
}
