import type * as z from "zod";
import type { Json } from "../model/json.ts";
import { isJsonObject } from "../model/json.ts";
import { nearestNames } from "../model/nearest.ts";
import { chooseBranch } from "./choose-branch.ts";
import { exampleFor } from "./examples.ts";
import { unknownKey } from "./explain-unknown-key.ts";
import type { Finding, Path } from "./finding.ts";
import { nameOf } from "./name-of.ts";

type Issue = z.core.$ZodIssue;

/** What a kind of file knows of its own entries. */
export interface Telling {
  /** How the key at this path is written. */
  exampleFor(path: Path): string | undefined;
  /** A key or password that stands in the file as it is must not be shown. */
  isSecret(path: Path): boolean;
}

const OF_CURATIONS: Telling = {
  exampleFor,
  isSecret: ([section, part]) => section === "api" && (part === "auth" || part === "headers"),
};

/** Turns zod's issues into findings in plain words. `root` is the data that was checked. */
export function explainIssues(issues: readonly Issue[], root: Json, telling: Telling = OF_CURATIONS): Finding[] {
  return pairStrays(issues.flatMap((issue) => explainIssue(issue, [], root, telling)));
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

function explainIssue(issue: Issue, above: Path, root: Json, telling: Telling): Finding[] {
  const path = [...above, ...(issue.path as (string | number)[])];
  const value = valueAt(root, path);
  if (value === undefined) return [misspeltChoice(issue, path, root) ?? missingKey(path, telling)];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey(key, path, issue.message.split(" ")));
    case "invalid_union":
      return explainUnion(issue, path, value, root, telling);
    case "invalid_type":
      return [wrongType(path, value, [TYPES.get(issue.expected) ?? issue.expected], telling)];
    case "invalid_value":
      return [badValue(path, value, issue.values.map(String), telling)];
    case "too_small":
    case "too_big":
      return [outOfBounds(issue, path, telling)];
    case "invalid_key":
      return [{ ...badValue(path, String(path.at(-1)), [], telling), at: "key" }];
    default: {
      const [what = "", hint] = issue.message.split("\n");
      return [finding("bad_value", path, `\`${nameOf(path)}\` ${what}.`, hint ?? telling.exampleFor(path))];
    }
  }
}

function explainUnion(
  issue: Issue & { code: "invalid_union" },
  path: Path,
  value: Json,
  root: Json,
  telling: Telling,
): Finding[] {
  if ("options" in issue && issue.options !== undefined)
    return [badValue(path, value, issue.options.map(String), telling)];
  const choice = chooseBranch(issue.errors);
  if (choice.kind === "branch") return choice.issues.flatMap((inner) => explainIssue(inner, path, root, telling));
  const { types, values } = choice;
  if (values.length > 0 && typeof value !== "object") return [badValue(path, value, values, telling, types)];
  return [
    wrongType(
      path,
      value,
      [...types.map((type) => TYPES.get(type) ?? type), ...values.map((one) => `\`${one}\``)],
      telling,
    ),
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

function missingKey(path: Path, { exampleFor }: Telling): Finding {
  const owner = path.slice(0, -1);
  const name = String(path.at(-1));
  const message = `${owner.length === 0 ? "The file" : `\`${nameOf(owner)}\``} lacks \`${name}\`.`;
  return { ...finding("missing_key", owner, message, exampleFor(path) ?? `Add \`${name}\`.`, "key"), lacks: [name] };
}

/** Without the key that chooses among mappings none of the others is looked at, so it may stand there misspelt. */
function misspeltChoice(issue: Issue, path: Path, root: Json): Finding | undefined {
  const owner = valueAt(root, path.slice(0, -1));
  if (issue.code !== "invalid_union" || !isJsonObject(owner)) return undefined;
  const [key] = nearestNames(String(path.at(-1)), Object.keys(owner), 1);
  return key === undefined ? undefined : unknownKey(key, path.slice(0, -1), [String(path.at(-1))]);
}

function wrongType(path: Path, value: Json, expected: readonly string[], { exampleFor, isSecret }: Telling): Finding {
  const wanted = [...new Set(expected)];
  const list = wanted.length > 1 ? `${wanted.slice(0, -1).join(", ")} or ${wanted.at(-1)}` : wanted.join("");
  const message = `\`${nameOf(path)}\` must be ${list}, not ${isSecret(path) ? "this" : describeValue(value)}.`;
  return finding("wrong_type", path, message, exampleFor(path) ?? `Write ${list}.`);
}

function badValue(
  path: Path,
  value: Json,
  allowed: readonly string[],
  { isSecret }: Telling,
  types: readonly string[] = [],
): Finding {
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

function outOfBounds(issue: Issue & { code: "too_small" | "too_big" }, path: Path, { exampleFor }: Telling): Finding {
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
