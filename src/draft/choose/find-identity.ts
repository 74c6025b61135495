import { pathStep } from "../shape/path-step.ts";
import { isScalar, type View, type ViewSchema } from "../survey/view-schema.ts";
import { foldName, singular } from "../word/nouns.ts";

/** The column of a row by whose value another tool picks it. */
export interface Identity {
  readonly column: string;
  /** JMESPath from the row. */
  readonly path: string;
}

/** Names that mean the same thing in a path and in a row. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ["index", ["number", "index"]],
  ["username", ["username", "login", "name"]],
  ["user", ["login", "username", "id", "name"]],
  ["org", ["login", "username", "name", "id"]],
  ["owner", ["login", "username", "name", "id"]],
  ["sha", ["sha"]],
  ["ref", ["ref", "name", "sha"]],
]);
const ENDINGS = /(name|slug|login|number|sid|gid|uuid|guid|token|code|id|key|tag)$/;
const COMMON = [
  "id",
  "gid",
  "sid",
  "uuid",
  "guid",
  "key",
  "slug",
  "name",
  "uid",
  "login",
  "username",
  "number",
  "symbol",
  "code",
  "token",
];

/** Finds in a row what `key` of another operation takes, a text or not; `noun` names the row's kind. */
export function findIdentity(
  row: View,
  key: string,
  isText: boolean,
  noun: string,
  viewOf: ViewSchema,
): Identity | undefined {
  const wanted = foldName(key);
  const thing = foldName(singular(noun));
  const stripped = thing.length > 1 && wanted.startsWith(thing) ? wanted.slice(thing.length) : "";
  const ending = ENDINGS.exec(wanted)?.[1] ?? "";
  const names = [
    ...(wanted === "index" ? [] : [wanted]),
    ...(SYNONYMS.get(wanted) ?? []),
    stripped,
    `${thing}${ending}`,
    ending,
    `${thing}id`,
    ...COMMON,
  ].filter((name) => name !== "");
  const scalars = scalarsOf(row, thing, viewOf);
  // A key that is called as the thing is takes its name, not its number.
  const texts =
    isText && !/(id|gid|sid|number|index)$/.test(wanted) ? scalars.filter(({ type }) => type === "string") : [];
  for (const among of [texts, scalars])
    for (const name of names) {
      const found = among.find((one) => one.folded === name);
      if (found !== undefined) return { column: found.column, path: found.path };
    }
  return undefined;
}

interface NamedScalar extends Identity {
  readonly type: View["type"];
  readonly folded: string;
}

/** Of the row, then of what describes it: Kubernetes has names in `metadata`. */
function scalarsOf(row: View, thing: string, viewOf: ViewSchema): NamedScalar[] {
  const own = scalarsAt(row, "", viewOf);
  // What a thing's metadata calls as the thing itself is what it stands in: a namespace has none.
  const inner = [...row.properties].flatMap(([name, schema]) =>
    /^(metadata|meta|attributes|properties)$/i.test(name)
      ? scalarsAt(viewOf(schema), `${pathStep(name)}.`, viewOf).filter(({ folded }) => folded !== thing)
      : [],
  );
  return [...own, ...inner];
}

function scalarsAt(view: View, within: string, viewOf: ViewSchema): NamedScalar[] {
  return [...view.properties].flatMap(([name, schema]) => {
    const inner = viewOf(schema);
    return isScalar(inner)
      ? [{ folded: foldName(name), column: columnName(name), path: `${within}${pathStep(name)}`, type: inner.type }]
      : [];
  });
}

/** A name that output schemas of every client take. */
export function columnName(name: string): string {
  const plain = name
    .replace(/^@odata\./, "")
    .replace(/[^A-Za-z0-9_]+/g, "_")
    .replace(/^[^A-Za-z]+|_+$/g, "")
    .slice(0, 60);
  return plain === "" ? "value" : plain;
}
