import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PageKind } from "./page-data.ts";

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

/** By path: what of the package stands there. */
const FILES = [
  ["/", "index.html", "text/html; charset=utf-8"],
  ["/page/page.js", "page.js", "text/javascript; charset=utf-8"],
  ["/page/page.css", "page.css", "text/css; charset=utf-8"],
] as const;

export const isPagePath = (path: string): boolean => FILES.some(([at]) => at === path);

/**
 * The files of the page, read at once, for an update of the package takes them away; again where one was missing. What is missing then is undefined: a
 * package without the page serves everything else.
 */
export function openPageFiles(folder: string, kind: PageKind): (path: string) => Promise<PageFile | undefined> {
  let reading = readAll(folder, kind);
  return async (path) => {
    const files = await reading;
    if (files.size === FILES.length) return files.get(path);
    reading = readAll(folder, kind);
    return (await reading).get(path);
  };
}

async function readAll(folder: string, kind: PageKind): Promise<ReadonlyMap<string, PageFile>> {
  const read = await Promise.all(
    FILES.map(async ([path, name, type]) => {
      const body = await readFile(join(folder, name)).catch(() => undefined);
      return [path, body && { type, body: path === "/" ? sayKind(body, kind) : body }] as const;
    }),
  );
  return new Map(read.flatMap(([path, file]) => (file === undefined ? [] : [[path, file] as const])));
}

function sayKind(html: Buffer, kind: PageKind): Buffer {
  return Buffer.from(html.toString("utf8").replace('data-kind="serve"', `data-kind="${kind}"`));
}
