import { MissingSetting } from "../model/errors.ts";
import type { Json } from "../model/json.ts";
import type { Expression, Value } from "../model/value.ts";
import { evaluateExpression, type Roots } from "./expressions/evaluate.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingRead {
  readonly text: string;
  /** What was read from `env` or `key` for it. */
  readonly parts: readonly string[];
}

/** The text of a setting under `api`, which `use` names. Throws `MissingSetting`, without any value in its message. */
export function readSetting(value: Value, use: string, roots: Roots): SettingRead {
  const parts = value.kind === "text" ? value.parts : value.kind === "expression" ? [value.expression] : undefined;
  if (parts === undefined) {
    const text = checkText(textOf(value.kind === "literal" ? value.value : null), use, "it is no text");
    return { text, parts: [] };
  }
  const texts = parts.map((part) => (typeof part === "string" ? part : readExpression(part, use, roots)));
  const text = checkText(texts.join(""), use, `it is read from ${parts.flatMap(sourceNames).join(", ")}`);
  return { text, parts: texts.filter((_, position) => typeof parts[position] !== "string") };
}

function readExpression(expression: Expression, use: string, roots: Roots): string {
  const text = textOf(evaluateExpression(expression, roots, roots));
  if (text === undefined || text === "")
    throw new MissingSetting(`${describeSource(expression, roots)}, which \`${use}\` needs.`);
  return text;
}

function textOf(value: Json): string | undefined {
  return value === null || typeof value === "object" ? undefined : String(value);
}

// A line break at the end of a secret, as files have it, would split a header.
function checkText(text: string | undefined, use: string, where: string): string {
  if (text === undefined) throw new MissingSetting(`\`${use}\` is no text.`);
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(text)) {
    throw new MissingSetting(`\`${use}\` holds a line break or another control character (${where}).`);
  }
  return text;
}

function sourceNames(part: string | Expression): string[] {
  if (typeof part === "string") return [];
  const found = part.jmespath.matchAll(/\b(env|key)\.(?:"([^"]+)"|(\w+))/g);
  return [...found].map(
    ([, root, quoted, plain]) => `${root === "env" ? "the environment variable" : "the claim"} ${quoted ?? plain}`,
  );
}

function describeSource(expression: Expression, roots: Roots): string {
  const unset = sourceNames(expression).filter((name) => {
    const bare = name.split(" ").at(-1) ?? "";
    return name.startsWith("the env") ? !roots.env?.[bare] : roots.key?.[bare] === undefined;
  });
  const [name = `\`${expression.jmespath}\``] = unset;
  return `${name.replace(/^t/, "T")} is not set`;
}
