import { parse, resolve } from "node:path";
import { isUrl } from "../../model/is-url.ts";
import { UsageError } from "../command.ts";
import { digest } from "./digest-file.ts";
import type { ExploredSpec, ToolsetRequest } from "./toolset-request.ts";

interface SpecOptions {
  readonly spec?: string | undefined;
  readonly "base-url"?: string | undefined;
  readonly root?: string | undefined;
  readonly "read-only"?: boolean;
}

/** What of a command's arguments names the toolset: a curation, or with `--spec` an API alone, which is explored. Throws `UsageError`. */
export function readRequest(curation: string | undefined, values: SpecOptions): ToolsetRequest {
  const { spec, "base-url": baseUrl, root, "read-only": readOnly = false } = values;
  if (spec === undefined) {
    if (baseUrl !== undefined) throw new UsageError("--base-url goes with --spec; a curation has `api.baseUrl`.");
    if (curation === undefined)
      throw new UsageError(
        "CURATION is missing. Name one (`vitrine draft SPEC -o FILE` writes it), or an API with --spec SPEC.",
      );
    return { file: curation, root, readOnly };
  }
  if (curation !== undefined) throw new UsageError("A curation names its spec itself: give one or --spec, not both.");
  const explored: ExploredSpec = { spec, ...(baseUrl !== undefined && { baseUrl }) };
  return { file: spec, root: parse(resolve(spec)).root, readOnly, explored };
}

/** The curation that stands for none: the API alone, explored. As its text, which YAML reads as well. */
export function curationOfSpec({ spec, baseUrl }: ExploredSpec): { readonly text: string; readonly sha256: string } {
  const api = { spec: isUrl(spec) ? spec : resolve(spec), ...(baseUrl !== undefined && { baseUrl }) };
  const text = JSON.stringify({ vitrine: 1, api, server: { name: "explore", explore: true }, tools: {} });
  return { text, sha256: digest(text) };
}

/** A server's name that tells the API's title. */
export function nameOfTitle(title: string): string {
  const plain = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 15)
    .replace(/-+$/, "");
  return plain === "" ? "explore" : plain;
}
