import type { Json } from "../../model/json.ts";
import type { Value } from "../../model/value.ts";
import { clipCharacters } from "../clip-characters.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { writeJson } from "../request/write-json.ts";
import { showInvisible } from "./show-invisible.ts";

const LONGEST_PART = 300;
const LONGEST = 2000;

/**
 * The author's question with its values set in. What a caller or an upstream gave stays on its line and within bounds, so that it cannot look like the
 * question itself or like what is said below it.
 */
export function writeText(text: Value, roots: Roots): string {
  const parts = text.kind === "text" ? text.parts : [text.kind === "expression" ? text.expression : plain(text)];
  const written = parts.map((part) =>
    typeof part === "string" ? part : setIn(evaluateExpression(part, roots, roots)),
  );
  return clipCharacters(written.join("").trim(), LONGEST);
}

function plain(text: Value): string {
  return text.kind === "literal" && typeof text.value === "string" ? text.value : "";
}

function setIn(value: Json): string {
  const text = value === null ? "nothing" : typeof value === "object" ? writeJson(value) : String(value);
  return clipCharacters(showInvisible(text.replace(/\s+/g, " ")), LONGEST_PART);
}
