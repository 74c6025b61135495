import { loadAliasMatcher } from "../identify/match-alias.ts";
import { loadAjv } from "./check-residual.ts";
import { loadPatternMatcher } from "./match-pattern.ts";

/** Loads the packages that arguments are checked with, one after the other. */
export async function loadEngines(): Promise<void> {
  await loadPatternMatcher();
  await loadAliasMatcher();
  await loadAjv();
}
