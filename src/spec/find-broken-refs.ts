import { isFault, type SpecFault } from "../model/api.ts";
import { faultOf } from "./broken-spec.ts";
import type { SpecDocument } from "./read-document.ts";
import { lookUp, refOf } from "./resolve-ref.ts";
import { walkDocument } from "./walk-document.ts";

/** Every `$ref` that leads nowhere or to where nothing is read, also those that no operation reaches, in the root and in what it leads to. */
export function findBrokenRefs(document: SpecDocument): SpecFault[] {
  const faults: SpecFault[] = [];
  const walked = new Set<string>();
  const open = [{ id: "", root: { value: document.root, pointer: "#" } as const }, ...openedBy(document)];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (walked.has(at.id)) continue;
    walked.add(at.id);
    for (const { value, pointer } of walkDocument(at.root)) {
      const ref = refOf(value);
      const target = ref === undefined ? undefined : faultOf(() => lookUp(document, ref, pointer));
      if (target !== undefined && isFault(target)) faults.push(target);
    }
    // What was opened on the way has references of its own.
    if (open.length === 0) open.push(...openedBy(document).filter(({ id }) => !walked.has(id)));
  }
  return faults;
}

function openedBy(document: SpecDocument) {
  return document.further.opened().map(({ id, root }) => ({ id, root: { value: root, pointer: `${id}#` } }));
}
