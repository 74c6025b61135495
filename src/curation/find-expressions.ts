/** A text cut at its `${…}`: literal parts and, between the braces, expressions as written. */
export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "expression"; readonly source: string };

/**
 * Cuts a text at its `${…}`; `$${` is a literal `${`. Braces and quotes inside an expression are paired. Undefined where a `${` is never
 * closed.
 */
export function findExpressions(text: string): TextPart[] | undefined {
  if (!text.includes("${")) return text === "" ? [] : [{ kind: "text", text }];
  const parts: TextPart[] = [];
  let literal = "";
  for (let at = 0; at < text.length; ) {
    if (text.startsWith("$${", at)) {
      literal += "${";
      at += 3;
    } else if (text.startsWith("${", at)) {
      const end = endOfExpression(text, at + 2);
      if (end === undefined) return undefined;
      if (literal !== "") parts.push({ kind: "text", text: literal });
      literal = "";
      parts.push({ kind: "expression", source: text.slice(at + 2, end) });
      at = end + 1;
    } else {
      literal += text[at];
      at += 1;
    }
  }
  if (literal !== "") parts.push({ kind: "text", text: literal });
  return parts;
}

/** Position of the brace that closes what opened before `start`. */
function endOfExpression(text: string, start: number): number | undefined {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]!;
    if (isQuote(char)) {
      const end = endOfQuote(text, at);
      if (end === undefined) return undefined;
      at = end;
    } else if (char === "{") {
      open += 1;
    } else if (char === "}") {
      if (open === 0) return at;
      open -= 1;
    }
  }
  return undefined;
}

/** The three quotes of JMESPath: raw text, name, literal. */
export function isQuote(char: string): boolean {
  return char === "'" || char === '"' || char === "`";
}

/** Position of the quote that closes the one at `start`. */
export function endOfQuote(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at;
  }
  return undefined;
}
