import type { Fact } from "../survey/read-fact.ts";

const NAMED = /^(x-)?idempotency[-_]?(key|token)$/i;

/** The place of the key that makes a write safe to repeat: a header that any of them has, or what the bodies of all of them have. */
export function readKey(facts: readonly Fact[]): string | undefined {
  const writes = facts.filter(({ kind }) => kind === "write");
  const placesOf = ({ slots }: Fact) => slots.filter(({ name }) => NAMED.test(name)).map(({ place }) => place);
  const places = writes.flatMap(placesOf);
  return (
    places.find((place) => place.startsWith("header.")) ??
    places.find((place) => writes.every((fact) => placesOf(fact).includes(place)))
  );
}
