import type * as z from "zod";
import type { Json } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";
import { nearestNames } from "../model/nearest.ts";
import { chooseBranch } from "./choose-branch.ts";
import { exampleFor } from "./examples.ts";
import type { Finding, Path } from "./finding.ts";

type Issue = z.core.$ZodIssue;

/** Turns zod's issues into findings in plain words. `root` is the data that was checked. */
export function explainIssues(issues: readonly Issue[], root: Json): Finding[] {
  return pairStrays(issues.flatMap((issue) => explainIssue(issue, [], root)));
}

/** Where a mapping lacks one key and has one that nothing is like, the one was written for the other. */
function pairStrays(findings: readonly Finding[]): Finding[] {
  const lacking = new Map<string, string[]>();
  const strays = new Map<string, number>();
  for (const { path, lacks, stray } of findings) {
    const owner = JSON.stringify(stray ? path.slice(0, -1) : path);
    if (lacks !== undefined) lacking.set(owner, [...(lacking.get(owner) ?? []), ...lacks]);
    if (stray) strays.set(owner, (strays.get(owner) ?? 0) + 1);
  }
  return findings.map((one) => {
    const owner = JSON.stringify(one.path.slice(0, -1));
    const [meant, ...others] = lacking.get(owner) ?? [];
    if (!one.stray || meant === undefined || others.length > 0 || strays.get(owner) !== 1) return one;
    return { ...one, meant, hint: `Did you mean \`${meant}\`?` };
  });
}

function explainIssue(issue: Issue, above: Path, root: Json): Finding[] {
  const path = [...above, ...(issue.path as (string | number)[])];
  const value = valueAt(root, path);
  if (value === undefined) return [misspeltChoice(issue, path, root) ?? missingKey(path)];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey(key, path, issue.message.split(" ")));
    case "invalid_union":
      return explainUnion(issue, path, value, root);
    case "invalid_type":
      return [wrongType(path, value, [TYPES.get(issue.expected) ?? issue.expected])];
    case "invalid_value":
      return [badValue(path, value, issue.values.map(String))];
    case "too_small":
    case "too_big":
      return [outOfBounds(issue, path)];
    case "invalid_key":
      return [{ ...badValue(path, String(path.at(-1)), []), at: "key" }];
    default: {
      const [what = "", hint] = issue.message.split("\n");
      return [finding("bad_value", path, `\`${nameOf(path)}\` ${what}.`, hint ?? exampleFor(path))];
    }
  }
}

function explainUnion(issue: Issue & { code: "invalid_union" }, path: Path, value: Json, root: Json): Finding[] {
  if ("options" in issue && issue.options !== undefined) return [badValue(path, value, issue.options.map(String))];
  const choice = chooseBranch(issue.errors);
  if (choice.kind === "branch") return choice.issues.flatMap((inner) => explainIssue(inner, path, root));
  const { types, values } = choice;
  if (values.length > 0 && typeof value !== "object") return [badValue(path, value, values, types)];
  return [
    wrongType(path, value, [...types.map((type) => TYPES.get(type) ?? type), ...values.map((one) => `\`${one}\``)]),
  ];
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ["string", "a text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "a mapping"],
  ["record", "a mapping"],
  ["null", "empty"],
]);

function finding(
  code: string,
  path: Path,
  message: string,
  hint: string | undefined,
  at: Finding["at"] = "value",
): Finding {
  return { code, path, at, message, ...(hint !== undefined && { hint }) };
}

function missingKey(path: Path): Finding {
  const owner = path.slice(0, -1);
  const name = String(path.at(-1));
  const message = `${owner.length === 0 ? "The file" : `\`${nameOf(owner)}\``} lacks \`${name}\`.`;
  return { ...finding("missing_key", owner, message, exampleFor(path) ?? `Add \`${name}\`.`, "key"), lacks: [name] };
}

/** Without the key that chooses among mappings none of the others is looked at, so it may stand there misspelt. */
function misspeltChoice(issue: Issue, path: Path, root: Json): Finding | undefined {
  const owner = valueAt(root, path.slice(0, -1));
  if (issue.code !== "invalid_union" || !isJsonObject(owner ?? null)) return undefined;
  const [key] = nearestNames(String(path.at(-1)), Object.keys(owner as object), 1);
  return key === undefined ? undefined : unknownKey(key, path.slice(0, -1), [String(path.at(-1))]);
}

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
function unknownKey(key: string, owner: Path, known: readonly string[]): Finding {
  const own = known.filter((one) => one !== "" && !one.includes("/"));
  const inside = known.filter((one) => one.includes("/")).map((one) => one.split("/") as [home: string, name: string]);
  // Of several forms of a mapping another one has it.
  if (own.includes(key)) {
    const told = `\`${key}\` cannot stand beside the other keys of \`${nameOf(owner)}\`.`;
    return finding(
      "conflicting_keys",
      [...owner, key],
      told,
      "It is of another form of this entry: keep one of the two.",
      "key",
    );
  }
  const message = `\`${key}\` is not a key ${owner.length === 0 ? "of the file" : `of \`${nameOf(owner)}\``}.`;
  const meant = SYNONYMS.get(key)?.find((one) => own.includes(one)) ?? nearestNames(key, own, 1)[0];
  const hint = hintFor(key, meant, own, inside);
  const isStray = hint.startsWith(KEYS_HERE);
  return {
    ...finding("unknown_key", [...owner, key], message, hint, "key"),
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

function wrongType(path: Path, value: Json, expected: readonly string[]): Finding {
  const wanted = [...new Set(expected)];
  const list = wanted.length > 1 ? `${wanted.slice(0, -1).join(", ")} or ${wanted.at(-1)}` : wanted.join("");
  const message = `\`${nameOf(path)}\` must be ${list}, not ${isSecret(path) ? "this" : describeValue(value)}.`;
  return finding("wrong_type", path, message, exampleFor(path) ?? `Write ${list}.`);
}

/** A key or password that stands in the file as it is must not be shown. */
function isSecret([section, part]: Path): boolean {
  return section === "api" && (part === "auth" || part === "headers");
}

function badValue(path: Path, value: Json, allowed: readonly string[], types: readonly string[] = []): Finding {
  const [nearest] = nearestNames(String(value), allowed, 1);
  const others = types.map((type) => TYPES.get(type)).filter((type) => type !== undefined);
  const list = [...new Set([...allowed, ...others])].join(", ");
  const hint = nearest === undefined ? `Allowed: ${list}.` : `Did you mean \`${nearest}\`? Allowed: ${list}.`;
  return finding(
    "bad_value",
    path,
    `\`${nameOf(path)}\` cannot be ${isSecret(path) ? "this" : describeValue(value)}.`,
    hint,
  );
}

function outOfBounds(issue: Issue & { code: "too_small" | "too_big" }, path: Path): Finding {
  const small = issue.code === "too_small";
  const bound = small ? issue.minimum : issue.maximum;
  if (issue.origin === "string" || issue.origin === "array")
    return finding(
      "bad_value",
      path,
      `\`${nameOf(path)}\` must not be empty.`,
      exampleFor(path) ?? "Leave it out, or fill it in.",
    );
  const than = small ? (issue.inclusive ? "at least" : "more than") : issue.inclusive ? "at most" : "less than";
  return finding(
    "bad_value",
    path,
    `\`${nameOf(path)}\` must be ${than} ${bound}.`,
    exampleFor(path) ?? `Write ${than} ${bound}.`,
  );
}

/** Names an entry as its author sees it: `tools.list.result.limit`, `errors[0].status`. */
export function nameOf(path: Path): string {
  const name = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return name.replace(/^\./, "") || "the file";
}

export function valueAt(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) {
    if (Array.isArray(value)) value = (value as readonly Json[])[step as number];
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
  }
  return value;
}

function describeValue(value: Json): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  return `\`${String(value).slice(0, 60)}\``;
}
