/** A name as a step of a JSON pointer (RFC 6901 3). */
export function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The name that a step of a JSON pointer stands for (RFC 6901 4). */
export function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
