/** Of one call: whether bytes of what it read were no text in their charset, so that U+FFFD stands in what is made of it. */
export interface Replaced {
  note(): void;
  isSeen(): boolean;
}

export function watchReplaced(): Replaced {
  let seen = false;
  return {
    note() {
      seen = true;
    },
    isSeen: () => seen,
  };
}
