import { parseValue, ROOTS, valueRoots } from "../../curation/expression.ts";
import type { ToolContext } from "../tool-context.ts";
import { stripHidden } from "../words/plain-text.ts";
import { type AliasEntry, type EntityEntry, listerOf } from "./entity-context.ts";
import { samplePattern } from "./sample-pattern.ts";

const MOST_SAMPLES = 4;

/** Where identifiers of a kind come from, and what else is taken, in words beside what is already `said`. */
export function describeEntity(
  entity: EntityEntry,
  isMany: boolean,
  said: string,
  context: Pick<ToolContext, "curation" | "names">,
): string {
  const lister = listerOf(entity, context);
  const tool = lister === undefined ? undefined : context.names.get(lister);
  const isTold = tool === undefined || said.includes(`\`${tool}\``);
  const source = isMany
    ? `Exact ${entity.field} values of \`${tool}\`.`
    : `${/^[aeiou]/i.test(entity.field) ? "An" : "A"} ${entity.field} of \`${tool}\`.`;
  const samples = [...new Set((entity.aliases ?? []).flatMap(sampleAlias))].slice(0, MOST_SAMPLES);
  // A sentence of its own, since the other one goes where that tool may not be seen.
  const others = samples.length === 0 ? [] : [`Also taken: ${samples.join(", ")}.`];
  return [...(isTold ? [] : [source]), ...others].join(" ");
}

/** A text that an alias takes, or what it finds things by. */
function sampleAlias(alias: AliasEntry): string[] {
  const sample = samplePattern(alias.pattern);
  if (sample !== undefined) return [stripHidden(sample)];
  const place = Object.entries("args" in alias ? (alias.args ?? {}) : {}).find(([, raw]) => readsCapture(raw))?.[0];
  const name = place?.split(/[./]/).at(-1) ?? "";
  return /^[A-Za-z][A-Za-z -]*$/.test(name) ? [`its ${name}`] : [];
}

function readsCapture(raw: Parameters<typeof parseValue>[0]): boolean {
  const { value } = parseValue(raw, ROOTS.alias);
  return value !== undefined && valueRoots(value).some(({ root }) => root === "captures");
}
