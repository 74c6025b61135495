import { isJsonObject, type Json } from "../../model/json.ts";
import { copySpellings } from "../number-spelling.ts";

export type Path = readonly (string | number)[];

/**
 * A tree that is changed by copying: what is on the way to a change is copied once, everything else is shared with the tree before, which stays
 * as it was (parts of it may stand in several places of it).
 */
export interface TreeEdit {
  readonly root: Json;
  /** Puts something else in the place of a value; nothing where there is no such place. */
  replace(path: Path, change: (value: Json) => Json): void;
  remove(path: Path): void;
}

export function editTree(start: Json): TreeEdit {
  const own = new Set<object>();
  let root = start;

  function change(path: Path, at: number, value: Json, work: (value: Json) => Json): Json {
    const step = path[at];
    if (step === undefined) return work(value);
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return value;
    const copy = copyOnce(value) as Record<string | number, Json>;
    set(copy, step, change(path, at + 1, copy[step] as Json, work));
    return copy;
  }

  function copyOnce(value: object): object {
    if (own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    copySpellings(value, copy);
    own.add(copy);
    return copy;
  }

  return {
    get root() {
      return root;
    },
    replace: (path, work) => {
      root = change(path, 0, root, work);
    },
    remove: (path) => {
      const last = path.at(-1);
      if (last === undefined) return;
      root = change(path.slice(0, -1), 0, root, (parent) => {
        if (Array.isArray(parent)) return parent.filter((_, index) => index !== last);
        if (!isJsonObject(parent)) return parent;
        return Object.fromEntries(Object.entries(parent).filter(([key]) => key !== last));
      });
    },
  };
}

// A name such as `__proto__` is a name.
function set(object: Record<string | number, Json>, key: string | number, value: Json): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
