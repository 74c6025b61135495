import type { Identity } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";

/** One thing for each caller, for as long as the caller is known. */
export interface KeptByCaller<T> {
  get(who: Identity): T | undefined;
  set(who: Identity, value: T): void;
}

/** What is kept for one caller is never given for another, also where two have the same claims, or one object of them. */
export function keepByCaller<T>(): KeptByCaller<T> {
  const kept = new WeakMap<JsonObject, { readonly who: Identity; readonly value: T }>();
  return {
    get(who) {
      const known = kept.get(who.key);
      return known !== undefined && isSame(known.who, who) ? known.value : undefined;
    },
    set: ({ id, key, credentials, subjectToken }, value) => {
      const who: Identity = {
        key,
        ...(id !== undefined && { id }),
        ...(credentials !== undefined && { credentials }),
        ...(subjectToken !== undefined && { subjectToken }),
      };
      kept.set(key, { who, value });
    },
  };
}

function isSame(one: Identity, other: Identity): boolean {
  return one.id === other.id && one.credentials === other.credentials && one.subjectToken === other.subjectToken;
}
