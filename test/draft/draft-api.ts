import { estimateCost } from "../../src/cli/draft/cost-of.ts";
import { type Draft, type DraftOptions, draftCuration } from "../../src/draft/draft-curation.ts";
import type { Api } from "../../src/model/api.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { checkLint } from "../../src/surface/lint/check-lint.ts";
import { openSpec } from "../spec/open-spec.ts";

export function draftApi(api: Api, options: Partial<DraftOptions> = {}): Promise<Draft> {
  return draftCuration(api, { spec: "./spec.json", ...options }, { cost: estimateCost, lint: checkLint });
}

/** The draft of a document in a file. */
export async function draftFile(file: string): Promise<Draft> {
  return draftApi(await loadApi(file, {}));
}

/** The draft of a document that is written out. */
export async function draftText(document: object): Promise<Draft> {
  return draftApi(await openSpec(document));
}
