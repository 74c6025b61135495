import { timingSafeEqual } from "node:crypto";
import { onceFor } from "../../model/once-for.ts";
import type { HostFile, KeyEntry } from "../hosting.ts";
import { hashKey } from "./make-key.ts";

const NOBODYS = Buffer.alloc(32);

/**
 * The entry of a key. It is looked up by its digest, which nobody can steer towards one that is held, and compared in constant time, also where
 * there is none.
 */
export function findKey(key: string, keys: HostFile["keys"]): KeyEntry | undefined {
  const digest = hashKey(key);
  const found = indexOf(keys).get(digest.toString("hex"));
  const held = found === undefined ? NOBODYS : Buffer.from(found.sha256, "hex");
  return held.length === digest.length && timingSafeEqual(digest, held) ? found : undefined;
}

const indexOf = onceFor((keys: HostFile["keys"]): ReadonlyMap<string, KeyEntry> => {
  const index = new Map<string, KeyEntry>();
  const twice = new Set<string>();
  for (const entry of keys.values()) {
    const sha256 = entry.sha256.toLowerCase();
    if (index.has(sha256)) twice.add(sha256);
    index.set(sha256, entry);
  }
  // A key is bound to exactly one server and one set of claims (contract section 9).
  for (const sha256 of twice) index.delete(sha256);
  return index;
});
