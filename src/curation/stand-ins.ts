import type { Json } from "../model/json.ts";
import type { Finding, Path } from "./finding.ts";

/** An expression that may give anything, so that whatever is asked of it holds. */
const ANYTHING = "from_items(`[]`).a";

/**
 * What takes the place of an entry that is wrong, where without one its owner would go too, or the rest would look wrong: by the entry's
 * place, `*` any step, `**` any further steps.
 */
const STAND_INS: readonly (readonly [place: readonly string[], value: Json])[] = (
  [
    ["api/auth/*/*", "left out"],
    ["api/auth/*/*/*", "left out"],
    ["pins/*", "left out"],
    ["pins/*/value", "left out"],
    ["entities/*/aliases/*/to", "left out"],
    ["entities/*/aliases/*/ids", ANYTHING],
    ["entities/*/aliases/*/args/*", null],
    ["states/*/when", ANYTHING],
    ["states/*/args/*", null],
    ["tools/*/input/*", {}],
    ["tools/*/args/*", null],
    ["tools/*/args/*/**", null],
    ["tools/*/steps/*/value", ANYTHING],
    ["tools/*/steps/*/forEach", ANYTHING],
    ["tools/*/steps/*/args/*", null],
    ["tools/*/steps/*/args/*/**", null],
    ["tools/*/steps/*/all", { rows: ANYTHING, max: 1 }],
    ["tools/*/steps/*/all/rows", ANYTHING],
    ["tools/*/steps/*/all/max", 1],
    ["tools/*/result/rows", "`[]`"],
    ["tools/*/result/value", ANYTHING],
    ["tools/*/result/value/**", ANYTHING],
    ["tools/*/result/fields/*", ANYTHING],
    ["tools/*/result/fields/*/path", ANYTHING],
    ["tools/*/result/all", { max: 1 }],
    ["tools/*/result/all/max", 1],
    ["tools/*/result/totals/value", ANYTHING],
    ["tools/*/result/totals/count", ANYTHING],
    ["tools/*/result/totals/walk", { maxPages: 1 }],
    ["tools/*/result/totals/walk/maxPages", 1],
    ["tools/*/result/totals/caveats/*/code", "LEFT_OUT"],
    ["tools/*/result/totals/caveats/*/note", "-"],
    ["tools/*/result/limit", { default: 1, max: 1 }],
    ["tools/*/result/limit/default", 1],
    ["tools/*/result/limit/max", 1],
    ["tools/*/errors/*/error", "left_out"],
    ["tools/*/errors/*/recover", "-"],
    ["server/name", "server"],
    ["server", { name: "server" }],
    ["vitrine", 1],
  ] as const
).map(([place, value]) => [place.split("/"), value]);

/** Here the key itself is wrong, or should not be there. */
const OF_KEYS: readonly string[] = ["bad_name", "bad_place", "conflicting_keys", "reserved_name", "unknown_key"];

/** What stands in for the entry that a finding is about, or for the one that its owner lacks. */
export function standInFor({ code, path, lacks }: Finding): { readonly path: Path; readonly value: Json } | undefined {
  if (OF_KEYS.includes(code)) return undefined;
  const [name] = lacks ?? [];
  const entry = name === undefined ? path : [...path, name];
  const found = STAND_INS.find(([place]) => isAt(entry, place));
  return found && { path: entry, value: found[1] };
}

function isAt(path: Path, place: readonly string[]): boolean {
  const open = place.at(-1) === "**";
  if (open ? path.length < place.length : path.length !== place.length) return false;
  return place.every((step, at) => step === "*" || step === "**" || step === path[at]);
}
