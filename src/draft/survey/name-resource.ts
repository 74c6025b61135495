import type { OperationEntry } from "../../model/api.ts";
import { singular, snakeOf, wordsOf } from "../word/nouns.ts";
import { saysSearch } from "../word/subject-words.ts";

/** What an operation is about, as far as its path says; nothing of the operation itself is read. */
export interface Resource {
  /** The literal parts of the path in snake_case, without versions and the like: `zones`, `records`. */
  readonly nouns: readonly string[];
  /** The last of them that is no search, in the singular: `zone`; empty where there is none. */
  readonly thing: string;
  /** The path's keys in their order, each with the collection that it picks from. */
  readonly keys: readonly { readonly name: string; readonly collection: string }[];
  /** The path as written with `{}` for keys, without a key at its end: what `/zones` and `/zones/{id}` have in common. */
  readonly collection: string;
  readonly endsInKey: boolean;
  /** Where the path names a method and no thing: `conversations.list` is `list` of `conversations`. */
  readonly verb?: string;
}

/** What says which API it is, or how it answers, and not what the operation is about. */
const NO_NOUN = /^(api|apis|rest|v\d+(\.\d+)*([a-z]+\d*)?|\d{4}-\d\d(-\d\d)?|\d+(\.\d+)+|json|ajax|public|services?)$/i;
const SUFFIX = /\.(json|xml|csv|html?)$/i;

export function nameResource(
  entry: Pick<OperationEntry, "id" | "path">,
  nounOf: (part: string) => string = readNoun,
): Resource {
  const parts = partsOf(entry.path);
  const last = parts.at(-1);
  const rpc = rpcOf(entry, last);
  const keys = parts.flatMap((part, at) => {
    const name = keyOf(part);
    return name === undefined ? [] : [{ name, collection: collectionOf(parts.slice(0, at)) }];
  });
  const endsInKey = last !== undefined && keyOf(last) !== undefined;
  const literals = rpc?.nouns ?? parts.filter((part) => keyOf(part) === undefined);
  // `/services/{id}/users` says of which system, `/namespaces/{name}/services` what is listed.
  const nouns = literals.map((part, at) =>
    at > 0 && at === literals.length - 1 && /^services?$/i.test(part) ? snakeOf(part) : nounOf(part),
  );
  const said = nouns.filter((noun) => noun !== "");
  return {
    nouns: said,
    thing: singular(said.findLast((noun) => !saysSearch([noun])) ?? ""),
    keys,
    collection: rpc === undefined ? collectionOf(endsInKey ? parts.slice(0, -1) : parts) : `/${rpc.nouns.join("/")}`,
    endsInKey,
    ...(rpc !== undefined && { verb: rpc.verb }),
  };
}

/** `fine_tuning` of `/fine_tuning/jobs`: an area of the API, and no thing that a key picks. */
export function groupOf({ nouns, collection, verb }: Resource): string | undefined {
  const before = collection.split("/").at(-2) ?? "";
  const group = nouns.at(-2);
  if (verb !== undefined || group === undefined || before.includes("{") || snakeOf(before) !== group) return undefined;
  return /^(me|my|user|current|self)$/.test(group) || saysSearch([group]) ? undefined : group;
}

/** A literal part of a path as a noun; empty where it is none. */
export function readNoun(part: string): string {
  return NO_NOUN.test(part) ? "" : snakeOf(part);
}

function partsOf(path: string): string[] {
  const parts = path
    .split(/[?#]/, 1)[0]!
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replace(SUFFIX, ""));
  return parts.at(-1) === "json" ? parts.slice(0, -1) : parts;
}

function keyOf(part: string): string | undefined {
  return /^\{([^{}]+)\}$/.exec(part)?.[1];
}

function collectionOf(parts: readonly string[]): string {
  return `/${parts.map((part) => (keyOf(part) === undefined ? part : "{}")).join("/")}`;
}

/** Paths that name methods: `/conversations.list`; or that are all the same, and the operationId names it: AWS's JSON protocols. */
function rpcOf(
  { id = "", path }: Pick<OperationEntry, "id" | "path">,
  last = "",
): { nouns: string[]; verb: string } | undefined {
  const dotted = last.split(".");
  if (dotted.length > 1 && dotted.every((word) => /^[A-Za-z][A-Za-z0-9_-]*$/.test(word)))
    return { nouns: dotted.slice(0, -1), verb: snakeOf(dotted.at(-1)!) };
  const [verb, ...words] = wordsOf(id);
  if (!path.includes("#") || verb === undefined || words.length === 0) return undefined;
  return { nouns: [words.join("_")], verb };
}
