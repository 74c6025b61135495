import { askThread, type ThreadAnswer } from "../toolset/ask-thread.ts";
import { loadHere } from "./load-here.ts";
import type { LookRequest, PageLook } from "./look-at-curation.ts";

export interface LookAnswer extends ThreadAnswer {
  readonly look: PageLook;
}

/** The same as `lookAtCuration`, in a thread where that can be. */
export async function lookApart(request: LookRequest): Promise<PageLook> {
  const { file, root, explored } = request;
  const plain = { file, root, ...(explored !== undefined && { explored }) };
  const told = await askThread<LookAnswer>(PROGRAM, plain);
  if (told !== undefined) return told.look;
  const { lookAtCuration } = await loadHere(() => import("./look-at-curation.ts"));
  return lookAtCuration(request);
}

const PROGRAM = new URL("./page-worker.js", import.meta.url);
