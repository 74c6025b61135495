import { clipCharacters } from "../clip-characters.ts";

/** What a reply left out (contract section 4): what, where, how much was kept, and the way to the rest where there is one. */
export interface Omission {
  readonly what: "rows" | "text" | "items" | "properties" | "lines" | "binary" | "value" | "step";
  readonly path?: string;
  readonly kept: string;
  readonly get?: string;
}

const MOST_LISTED = 10;
const LONGEST_PATH = 120;

/**
 * One entry a place: cuts of the same kind at the same path, list positions aside, are told once, and beyond ten places the rest is
 * counted, so that the list itself stays small however much was cut.
 */
export function mergeOmissions(omissions: readonly Omission[], most = MOST_LISTED): Omission[] {
  const places = new Map<string, { first: Omission; times: number }>();
  for (const one of omissions) {
    const key = `${one.what} ${anyPosition(one.path ?? "")}`;
    const place = places.get(key);
    if (place) place.times += 1;
    else places.set(key, { first: one, times: 1 });
  }
  const merged = [...places.values()].map(({ first, times }) => shorten(times === 1 ? first : mergeSame(first, times)));
  if (merged.length <= most) return merged;
  const rest = merged.length - most + 1;
  return [...merged.slice(0, most - 1), { what: "items", kept: `${rest} more places were cut as well` }];
}

function mergeSame(first: Omission, times: number): Omission {
  // A column is one place in all rows.
  if (!first.path?.includes("[")) return first;
  return { ...first, path: anyPosition(first.path), kept: `${first.kept}, and likewise ${times - 1} more times` };
}

/** The root has no path. */
function shorten({ path, ...one }: Omission): Omission {
  return path
    ? { what: one.what, path: clipCharacters(path, LONGEST_PATH), kept: one.kept, ...(one.get && { get: one.get }) }
    : one;
}

function anyPosition(path: string): string {
  return path.replace(/\[\d+\]/g, "[]");
}
