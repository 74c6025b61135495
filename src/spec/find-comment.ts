const COMMENTS = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** Where the first comment of a text begins that is JSON but for its comments, as some editors write it; undefined for any other text. */
export function findComment(text: string): number | undefined {
  let first: number | undefined;
  const bare = text.replace(COMMENTS, (found, at: number) => {
    if (found.startsWith('"')) return found;
    first ??= at;
    return "";
  });
  return first !== undefined && isJson(bare) ? first : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
