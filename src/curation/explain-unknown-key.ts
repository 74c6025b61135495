import { nearestNames } from "../model/nearest.ts";
import type { Finding, Path } from "./finding.ts";
import { nameOf } from "./name-of.ts";

/** Words that people reach for, and what the format calls the thing. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ["description", ["use", "describe", "instructions"]],
  ["inputs", ["input"]],
  ["parameters", ["input", "args"]],
  ["arguments", ["args"]],
  ["params", ["args"]],
  ["columns", ["fields"]],
  ["sort", ["order"]],
  ["output", ["result"]],
  ["response", ["result"]],
  ["operationId", ["operation"]],
  ["endpoint", ["operation"]],
  ["auth", ["api"]],
  ["token", ["bearer"]],
  ["url", ["baseUrl", "spec"]],
  ["hint", ["recover"]],
  ["summary", ["title"]],
]);

/** `known` holds the keys of the mapping, and as `key/inner` those of the mappings right inside it. */
export function unknownKey(key: string, owner: Path, known: readonly string[]): Finding {
  const own = known.filter((one) => one !== "" && !one.includes("/"));
  const inside = known.filter((one) => one.includes("/")).map((one) => one.split("/") as [home: string, name: string]);
  // Of several forms of a mapping another one has it.
  if (own.includes(key)) {
    const told = `\`${key}\` cannot stand beside the other keys of \`${nameOf(owner)}\`.`;
    const hint = "It is of another form of this entry: keep one of the two.";
    return { code: "conflicting_keys", path: [...owner, key], at: "key", message: told, hint };
  }
  const message = `\`${key}\` is not a key ${owner.length === 0 ? "of the file" : `of \`${nameOf(owner)}\``}.`;
  const meant = SYNONYMS.get(key)?.find((one) => own.includes(one)) ?? nearestNames(key, own, 1)[0];
  const hint = hintFor(key, meant, own, inside);
  const isStray = hint.startsWith(KEYS_HERE);
  return {
    code: "unknown_key",
    path: [...owner, key],
    at: "key",
    message,
    hint,
    ...(meant && { meant }),
    ...(isStray && { stray: true }),
  };
}

const KEYS_HERE = "Keys here: ";

function hintFor(
  key: string,
  meant: string | undefined,
  own: readonly string[],
  inside: readonly [string, string][],
): string {
  const homesOf = (name: string | undefined) =>
    inside.flatMap(([home, inner]) => (inner === name ? [`\`${home}\``] : []));
  const homes = homesOf(key);
  if (homes.length > 0) return `It belongs under ${homes.join(" or ")}.`;
  if (meant !== undefined) return `Did you mean \`${meant}\`?`;
  const names = inside.map(([, name]) => name);
  const [near] = nearestNames(key, names, 1);
  return near === undefined
    ? `${KEYS_HERE}${own.join(", ")}.`
    : `Did you mean \`${near}\`, under ${homesOf(near).join(" or ")}?`;
}
