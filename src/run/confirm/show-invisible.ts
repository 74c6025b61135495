/** A text in which all that a reader cannot see, or that changes the order of what is seen, stands as its code: `<U+202E>`. Line ends and tabs stay. */
export function showInvisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu, (one) =>
    one === "\n" || one === "\t" ? one : `<U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}
