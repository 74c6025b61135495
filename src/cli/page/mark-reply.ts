import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { escapeToken } from "../../model/json-pointer.ts";
import type { ReplyMark } from "../../web/page-data.ts";

/** By what of a reply tells that something is missing (contract section 4). */
const TELLING: readonly (readonly [key: string, tells: (value: Json) => boolean])[] = [
  ["summary", () => true],
  ["other", () => true],
  ["hasMore", (value) => value === true],
  ["nextPageToken", () => true],
  ["note", () => true],
  ["omitted", () => true],
];

const MOST_MARKS = 200;

/** What of a reply tells of a cut, and what was cut by what `omitted` says. Places that `omitted` names in other words than a path have no mark of their own. */
export function markReply(reply: Json): readonly ReplyMark[] {
  if (!isJsonObject(reply)) return [];
  const told = TELLING.flatMap(([key, tells]): ReplyMark[] => {
    const value = reply[key];
    return value !== undefined && tells(value) ? [{ pointer: `/${key}`, kind: "told" }] : [];
  });
  const { omitted } = reply;
  const cut = Array.isArray(omitted) ? omitted.filter(isJsonObject).flatMap((one) => markOmitted(one, reply)) : [];
  const byPlace = new Map([...told, ...cut].map((mark) => [mark.pointer, mark]));
  return [...byPlace.values()].slice(0, MOST_MARKS);
}

function markOmitted({ what, path, kept, get }: JsonObject, reply: JsonObject): readonly ReplyMark[] {
  const words = `${String(what)}: kept ${String(kept)}${get === undefined ? "" : `; the rest by ${String(get)}`}.`;
  const places = typeof path === "string" ? findPlaces(path, reply) : [];
  // Of a clipped column the values that end so were clipped; where none does, any may have been.
  const clipped = places.filter(({ value }) => typeof value === "string" && value.endsWith("…"));
  const marked = what === "text" && clipped.length > 0 ? clipped : places;
  return marked.map(({ pointer }) => ({ pointer, kind: "cut", words }));
}

interface Place {
  readonly pointer: string;
  readonly value: Json;
}

/** A path counts from the reply, or it is of a column of its rows. */
function findPlaces(path: string, reply: JsonObject): readonly Place[] {
  const root: Place = { pointer: "", value: reply };
  const direct = follow(root, path);
  if (direct.length > 0) return direct;
  const rows = follow(root, "data[]");
  return rows.flatMap((row) => follow(row, path));
}

/** `a.b[].c`, where a name may hold dots itself: then the longest that is there counts. */
function follow(place: Place, path: string): readonly Place[] {
  if (path === "") return [place];
  const { pointer, value } = place;
  const [position, at] = /^\[(\d*)\]/.exec(path) ?? [];
  if (position !== undefined) {
    if (!Array.isArray(value)) return [];
    const rest = path.slice(position.length).replace(/^\./, "");
    const items = value.map((item, index): Place => ({ pointer: `${pointer}/${index}`, value: item }));
    return (at === "" ? items : items.slice(Number(at), Number(at) + 1)).flatMap((item) => follow(item, rest));
  }
  if (!isJsonObject(value)) return [];
  const name = Object.keys(value)
    .filter((key) => path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`))
    .toSorted((a, b) => b.length - a.length)[0];
  const inner = name === undefined ? undefined : value[name];
  if (name === undefined || inner === undefined) return [];
  const rest = path.slice(name.length).replace(/^\./, "");
  return follow({ pointer: `${pointer}/${escapeToken(name)}`, value: inner }, rest);
}
