import type { Fact } from "../survey/read-fact.ts";

/** Works out once what only the operation itself decides: a choice asks for it some thousand times. */
export function perFact<T>(make: (fact: Fact) => T): (fact: Fact) => T {
  const known = new WeakMap<Fact, { readonly made: T }>();
  return (fact) => {
    const found = known.get(fact) ?? { made: make(fact) };
    known.set(fact, found);
    return found.made;
  };
}
