import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Egress } from "../egress/open-egress.ts";
import type { SpecFile } from "../model/api.ts";
import { UnreadableInput } from "../model/errors.ts";
import { isJsonObject, type JsonObject, ownValue } from "../model/json.ts";
import { once } from "../model/once.ts";
import type { Problem } from "../model/problem.ts";
import type { FurtherDocuments } from "./further-documents.ts";
import type { Home } from "./name-document.ts";
import { openFolder } from "./open-folder.ts";
import { openOrigin } from "./open-origin.ts";
import type { Overlaid } from "./overlay/apply-overlays.ts";
import { digestOf, parseBytes } from "./parse-bytes.ts";
import { type ReadSource, readSource } from "./read-source.ts";

export type SpecVersion = "2.0" | "3.0" | "3.1" | "3.2";

/** A spec: its root document with overlays applied, and the way to the documents that it refers to. */
export interface SpecDocument {
  readonly source: string;
  /** Of the root, and of every further document. */
  readonly version: SpecVersion;
  readonly root: JsonObject;
  /** Of the root as written. Kept only where it is short, to find the line of a finding. */
  readonly text?: string;
  /** As of `ParsedBytes`. */
  mayHaveIds(): boolean;
  readonly further: FurtherDocuments;
  /** The root and its overlays; hashed when first asked for. */
  readonly files: readonly SpecFile[];
  /** What its overlays gave. */
  readonly problems: readonly Problem[];
}

/** Reads and parses an OpenAPI document from a file path or an http(s) URL, and applies overlays to it. Throws UnreadableInput. */
export async function readDocument(
  source: string,
  egress: Egress | undefined,
  overlays: readonly string[],
): Promise<SpecDocument> {
  const read = await readSource(source, egress);
  const { value, text, mayHaveIds } = parseBytes(source, read.bytes);
  if (!isJsonObject(value)) throw new UnreadableInput(`${source}: not an OpenAPI document: it holds no object.`);
  const real = read.url === undefined ? realPath(source) : undefined;
  const sha256 = once(() => digestOf(read.bytes));
  const overlaid = await overlay(value, source, overlays, egress);
  const root = overlaid.root;
  return {
    source,
    version: readVersion(source, root),
    root,
    ...(text !== undefined && { text }),
    mayHaveIds: () => mayHaveIds() || overlaid.mayHaveIds,
    further: openFurther(source, read, root, egress),
    get files() {
      return [{ path: source, sha256: sha256(), ...(real !== undefined && { real }) }, ...overlaid.files];
    },
    problems: overlaid.problems,
  };
}

async function overlay(
  root: JsonObject,
  source: string,
  overlays: readonly string[],
  egress: Egress | undefined,
): Promise<Overlaid> {
  if (overlays.length === 0) return { root, mayHaveIds: false, files: [], problems: [] };
  const { applyOverlays } = await import("./overlay/apply-overlays.ts");
  return await applyOverlays(root, source, overlays, egress);
}

function openFurther(
  source: string,
  { url }: ReadSource,
  root: JsonObject,
  egress: Egress | undefined,
): FurtherDocuments {
  const at = url === undefined ? pathToFileURL(realPath(source)) : new URL(url);
  at.hash = "";
  const stated = ownValue(root, "$self");
  const isSelf = typeof stated === "string" && URL.canParse(stated);
  const home: Home = { root: at, self: isSelf ? new URL(stated) : undefined };
  return url === undefined || egress === undefined ? openFolder(source, home) : openOrigin(egress, home);
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // What was read and has no path, such as a pipe, has no neighbours either.
    return file;
  }
}

function readVersion(source: string, root: JsonObject): SpecVersion {
  const [key, stated] =
    ["openapi", "swagger"]
      .map((name) => [name, ownValue(root, name)] as const)
      .find(([, value]) => value !== undefined) ?? [];
  if (stated === undefined || stated === null) {
    throw new UnreadableInput(`${source}: not an OpenAPI document: it has neither "openapi" nor "swagger" at its top.`);
  }
  // YAML reads an unquoted `3.0` as the number 3.
  const number = /^([23])(?:\.([0-9]))?(?:[.-].*)?$/s.exec(typeof stated === "object" ? "" : String(stated));
  const version = number === null ? "" : `${number[1]}.${number[2] ?? 0}`;
  if (isVersion(version) && (version === "2.0") === (key === "swagger")) return version;
  throw new UnreadableInput(
    `${source}: ${key} ${JSON.stringify(stated).slice(0, 40)} is not a version that can be read (2.0, 3.0, 3.1, 3.2).`,
  );
}

function isVersion(text: string): text is SpecVersion {
  return text === "2.0" || text === "3.0" || text === "3.1" || text === "3.2";
}
