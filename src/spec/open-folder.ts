import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { SpecFile } from "../model/api.ts";
import { type FurtherDocument, type FurtherDocuments, isRefusal, type Refusal } from "./further-documents.ts";
import { type Home, nameDocument, urlOf } from "./name-document.ts";
import { digestOf } from "./parse-bytes.ts";
import { readFurther } from "./read-further.ts";
import { MAX_SPEC_BYTES } from "./read-source.ts";

const MOST_FILES = 20_000;
const MOST_BYTES = 4 * MAX_SPEC_BYTES;

/**
 * The files beside a root file, read when a reference needs them: those that really lie in the root's folder, links followed, and no others.
 * `source` is the root as the user typed it, `home` where it really is.
 */
export function openFolder(source: string, home: Home): FurtherDocuments {
  const folder = dirname(fileURLToPath(home.root));
  const documents = new Map<string, FurtherDocument | Refusal>();
  const files: SpecFile[] = [];
  let bytesRead = 0;

  function read(id: string): FurtherDocument | Refusal {
    const known = documents.get(id) ?? open(id);
    documents.set(id, known);
    return known;
  }

  function open(id: string): FurtherDocument | Refusal {
    if (documents.size >= MOST_FILES) return { refused: `is one of more than ${MOST_FILES} files` };
    const path = attempt(() => fileURLToPath(urlOf(id, home)));
    if (path === undefined || path.includes("\0")) return { refused: "is not the name of a file" };
    const real = attempt(() => realpathSync(path));
    if (real === undefined) return refuse({ path }, "names a file that does not exist");
    if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep))
      return refuse({ path, real }, "leads out of the folder of the spec, where nothing is read");
    const stat = attempt(() => statSync(real));
    if (stat?.isFile() !== true) return refuse({ path }, "does not name a file");
    bytesRead += stat.size;
    if (stat.size > MAX_SPEC_BYTES || bytesRead > MOST_BYTES) return refuse({ path }, "names a file that is too large");
    const bytes = attempt(() => readFileSync(real));
    if (bytes === undefined) return refuse({ path }, "names a file that may not be read");
    files.push({ path, sha256: digestOf(bytes), real });
    const name = join(dirname(source), decodePath(id));
    return readFurther(id, name, bytes);
  }

  function refuse(file: SpecFile, refused: string): Refusal {
    files.push(file);
    return { refused };
  }

  return {
    nameOf: (reference, base) => nameDocument(reference, base, home),
    read,
    opened: () => [...documents.values()].filter((one): one is FurtherDocument => !isRefusal(one)),
    files: () => files,
    fetchPending: async () => false,
  };
}

function decodePath(id: string): string {
  return attempt(() => decodeURIComponent(id)) ?? id;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
