import type { Egress } from "../egress/open-egress.ts";
import type { SpecFile } from "../model/api.ts";
import type { FurtherDocument, FurtherDocuments, Refusal } from "./further-documents.ts";
import { isRefusal } from "./further-documents.ts";
import { type Home, nameDocument } from "./name-document.ts";
import { digestOf } from "./parse-bytes.ts";
import { readFurther } from "./read-further.ts";
import { readSource } from "./read-source.ts";

/** Bounds of what a downloaded spec may have us fetch beside itself. */
const MOST_ROUNDS = 30;
const MOST_DOCUMENTS = 2_000;
const MOST_BYTES = 128 * 1024 * 1024;
const DEADLINE_MS = 120_000;
const AT_ONCE = 6;

/**
 * The documents of the origin that the root came from. Reading one that is not here notes that it is wanted; `fetchPending` fetches what is
 * wanted through the guarded client. Nothing else is ever asked for.
 */
export function openOrigin(egress: Egress, home: Home): FurtherDocuments {
  const documents = new Map<string, FurtherDocument | Refusal>();
  const wanted = new Set<string>();
  const files: SpecFile[] = [];
  let [rounds, bytesRead, started] = [0, 0, 0];

  function read(id: string): FurtherDocument | Refusal {
    const known = documents.get(id);
    if (known !== undefined) return known;
    if (isOver()) return { refused: "leads to one document more than is fetched for a spec" };
    wanted.add(id);
    return { refused: "leads to a document that has not been fetched" };
  }

  function isOver(): boolean {
    const isLate = started > 0 && performance.now() - started > DEADLINE_MS;
    return rounds >= MOST_ROUNDS || documents.size >= MOST_DOCUMENTS || bytesRead > MOST_BYTES || isLate;
  }

  async function fetchPending(): Promise<boolean> {
    if (wanted.size === 0) return false;
    started ||= performance.now();
    rounds += 1;
    const queue = [...wanted];
    wanted.clear();
    const worker = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined && !isOver(); id = queue.shift())
        documents.set(id, await fetchOne(id));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return true;
  }

  async function fetchOne(id: string): Promise<FurtherDocument | Refusal> {
    try {
      const { bytes } = await readSource(id, egress, Math.max(MOST_BYTES - bytesRead, 1));
      bytesRead += bytes.byteLength;
      files.push({ path: id, sha256: digestOf(bytes) });
      return readFurther(id, id, bytes);
    } catch (error) {
      files.push({ path: id });
      const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
      return { refused: `leads to a document that cannot be read: ${reason}` };
    }
  }

  return {
    nameOf: (reference, base) => nameDocument(reference, base, home),
    read,
    opened: () => [...documents.values()].filter((one): one is FurtherDocument => !isRefusal(one)),
    files: () => files,
    fetchPending,
  };
}
