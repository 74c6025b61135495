/** Remembers what a text leads to, of so many texts at most; then it begins anew. For what documents have at many places and is dear to make. */
export function rememberBounded<T>(most: number, make: (text: string) => T): (text: string) => T {
  const made = new Map<string, { readonly value: T }>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known.value;
    if (made.size >= most) made.clear();
    const value = make(text);
    made.set(text, { value });
    return value;
  };
}
