/** Makes a value when it is first asked for. What `make` holds on to is let go then. */
export function once<T>(make: () => T): () => T {
  let pending: (() => T) | undefined = make;
  let made: T;
  return () => {
    if (pending !== undefined) made = pending();
    pending = undefined;
    return made;
  };
}
