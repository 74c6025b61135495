import { compareManifests } from "../../surface/diff/compare-manifests.ts";
import type { Manifest } from "../../surface/manifest-format.ts";
import type { CompiledSide } from "./compile-side.ts";
import type { Side } from "./read-side.ts";

/**
 * Of a lock file the curation beside it, where it is what the lock was made of: it gives the same, or at that revision it would but for another
 * version of the compiler.
 */
export async function soundCuration(side: Side, role: "base" | "head"): Promise<CompiledSide | undefined> {
  const { target, manifest } = side;
  const compiled = await side.compiled();
  if (compiled === undefined || compiled.manifest === manifest) return compiled;
  if (!isSameMaking(manifest, compiled.manifest)) return undefined;
  const mayDiffer =
    role === "base" && target.kind === "git" && manifest.made.vitrine !== compiled.manifest.made.vitrine;
  return mayDiffer || compareManifests(manifest, compiled.manifest).length === 0 ? compiled : undefined;
}

/** Whether two manifests were made of the same bytes, the curation's own aside. */
export function isSameMaking(one: Manifest, other: Manifest): boolean {
  const bytes = ({ made }: Manifest) => JSON.stringify(made.from.map(({ path, sha256 }) => [path, sha256]));
  return bytes(one) === bytes(other);
}
