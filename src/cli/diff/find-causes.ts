import { type Effects, openCauses } from "../../surface/diff/attribute-cause.ts";
import type { Cause, Change } from "../../surface/diff/change.ts";
import { compareManifests } from "../../surface/diff/compare-manifests.ts";
import type { Manifest } from "../../surface/manifest-format.ts";
import { type CompiledSide, crossCompile } from "./compile-side.ts";
import type { Side } from "./read-side.ts";
import { isSameMaking, soundCuration } from "./sound-curation.ts";

export interface Causes {
  of(change: Change): Cause;
  /** Why some are not known. */
  readonly doubt?: string;
}

/**
 * Where the changes between two sides come from. Two curations are compiled each against the other's spec, which shows what either part does alone;
 * of manifests only what they say of their making is known.
 */
export async function findCauses(base: Side, head: Side): Promise<Causes> {
  const [from, to] = [await soundCuration(base, "base"), await soundCuration(head, "head")];
  if (from === undefined || to === undefined) return judgeByMaking(base.manifest, head.manifest);
  const effects = await findEffects(from, to);
  const doubt = "Some causes are unknown: nothing of either curation compiles against the spec of the other.";
  if (effects === undefined) return { of: () => "unknown", doubt };
  return { of: openCauses({ ...effects, compiler: compareManifests(base.manifest, from.manifest) }), doubt };
}

/** What either part does alone, and beside the other one's change; undefined where the parts cannot be told apart. */
async function findEffects(base: CompiledSide, head: CompiledSide): Promise<Omit<Effects, "compiler"> | undefined> {
  if (base.specBytes === head.specBytes) return { spec: [], curation: compareManifests(base.manifest, head.manifest) };
  if (base.curationBytes === head.curationBytes)
    return { spec: compareManifests(base.manifest, head.manifest), curation: [] };
  const onlySpec = await crossCompile(base, head);
  const onlyCuration = await crossCompile(head, base);
  if (onlySpec === undefined && onlyCuration === undefined) return undefined;
  const compare = (one: Manifest | undefined, other: Manifest | undefined) =>
    one === undefined || other === undefined ? [] : compareManifests(one, other);
  return {
    spec: [...compare(base.manifest, onlySpec), ...compare(onlyCuration, head.manifest)],
    curation: [...compare(base.manifest, onlyCuration), ...compare(onlySpec, head.manifest)],
  };
}

function judgeByMaking(base: Manifest, head: Manifest): Causes {
  const [before, after] = [base.made.vitrine, head.made.vitrine];
  if (before !== after)
    return {
      of: () => "unknown",
      doubt: `Causes are unknown: one side was made by vitrine ${before}, the other by ${after}.`,
    };
  if (isSameMaking(base, head)) return { of: () => "curation" };
  const doubt =
    "Causes are unknown: of a manifest alone nobody can tell whether the spec or the curation made it so. Compare with git:REV:CURATION.";
  return { of: () => "unknown", doubt };
}
