import type { Place } from "../../model/place.ts";
import type { Value } from "../../model/value.ts";
import type { EntryPath } from "../open-report.ts";
import type { Site } from "../places/find-place.ts";

/** A value on its way to a place of one operation. */
export interface Sent {
  /** What in the curation says so. */
  readonly at: EntryPath;
  readonly site: Site;
  readonly value: Value;
  /** The input that stands here whole. */
  readonly whole?: string;
}

/** The path of a place from the parameter or the body inwards; header names in lower case. */
export function placePath(place: Place): string[] {
  const root =
    "name" in place ? `${place.in}.${place.in === "header" ? place.name.toLowerCase() : place.name}` : place.in;
  return [root, ...place.pointer];
}

/** Whether `outer` is `inner` or holds it. */
export function holds(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.length <= inner.length && outer.every((part, at) => part === inner[at]);
}
