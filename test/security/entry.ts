/** One attack or fault that a proxy for agents must hold off, and the tests that show it; or why there is none. */
export type Entry = {
  /** Group and number, as `C14`. */
  readonly id: string;
  /** What is tried and what it would gain, in a sentence. */
  readonly attack: string;
} & ({ readonly tests: readonly Proof[] } | { readonly untested: string });

/** A test by its file below `test/` and (a part of) its title as it is written there. */
export interface Proof {
  readonly file: string;
  readonly title: string;
}
