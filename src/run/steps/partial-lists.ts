import { type JsonObject, ownValue } from "../../model/json.ts";
import type { Step } from "../../model/step.ts";
import { listPaths, type Path } from "../expressions/list-sums.ts";
import type { Omission } from "../shape/omit.ts";
import { sayPartial } from "../shape/withhold-sums.ts";
import { isMoved } from "./tell-moved.ts";

/** What is known of the steps that have ended. */
export interface EndedSteps {
  readonly steps: readonly Step[];
  readonly results: JsonObject;
  readonly omitted: readonly Omission[];
}

/** Why what stands at a path of a workflow's roots is not all there is, with a code; undefined where nothing says so. */
export function partialStep(path: Path, ended: EndedSteps): string | undefined {
  const [root, id, ...inside] = path[0] === "$" ? path.slice(1) : path;
  const at = ended.steps.findIndex((one) => one.id === id);
  const step = ended.steps[at];
  if (root !== "steps" || id === undefined || step === undefined) return undefined;
  const own = ended.omitted.filter((one) => stepOf(one) === id && (one.what === "rows" || one.what === "items"));
  if (own.some(isMoved)) return `rows of \`${id}\` moved while they were read (SNAPSHOT_DRIFT)`;
  if (own.length > 0) return `not all of \`${id}\` was read (PARTIAL_PAGES)`;
  if (step.kind === "value") return partialOf(listPaths(step.value), at, ended);
  if (step.forEach !== undefined) return partialOf(listPaths(step.forEach.list), at, ended);
  return step.all === undefined ? sayPartial(ownValue(ended.results, id) ?? null, inside, NO_HEADERS) : undefined;
}

/** Steps are made of those before them. */
function partialOf(paths: readonly Path[], before: number, ended: EndedSteps): string | undefined {
  const earlier = { ...ended, steps: ended.steps.slice(0, before) };
  return paths.map((path) => partialStep(path, earlier)).find((reason) => reason !== undefined);
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map();

/** The step whose answer an omission is about. */
export function stepOf({ path = "" }: Omission): string {
  return path.replace(/[.[].*/s, "");
}
