import type { Json, JsonObject } from "../../model/json.ts";
import type { Chosen } from "../choose/choose-tools.ts";
import { findIdentity, type Identity } from "../choose/find-identity.ts";
import { keySlots, listsThings } from "../choose/find-producer.ts";
import { readFilter } from "../recognise/read-filter.ts";
import type { ReadPages } from "../recognise/read-pages.ts";
import { readTotal } from "../recognise/read-total.ts";
import { chooseInputs, type DraftInput } from "../shape/choose-inputs.ts";
import { endStreams } from "../shape/end-streams.ts";
import { isOfEnvelope } from "../survey/find-rows.ts";
import { isFixed } from "../survey/list-slots.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { Survey } from "../survey/survey-api.ts";
import { plural, singular } from "../word/nouns.ts";
import { effectOf, sayConfirm, sayNotFor, sayReturns, sayUse } from "../word/say-tool.ts";
import type { BuildContext, Remark } from "./build-curation.ts";
import { mendsOf } from "./mends.ts";
import type { Entities } from "./name-entities.ts";
import { type ShownFields, showFields } from "./show-fields.ts";

export interface ToolContext extends BuildContext {
  readonly names: ReadonlyMap<string, string>;
  readonly entities: Entities;
  readonly chosen: readonly Chosen[];
  readonly pages: ReadPages | undefined;
  /** The place of the key that makes a write safe to repeat. */
  readonly key: string | undefined;
  /** Amounts are in the smallest unit. */
  readonly inMinor: boolean;
  /** Its callers may be given a filter. */
  readonly hasFilter: boolean;
  /** Where the API's styles would give it another's. */
  readonly ownPages: JsonObject | "none" | undefined;
}

export const NO_SOURCE =
  "decide: no tool here lists its values. Say in `describe` where a caller has it from, with an example, or add a tool that lists it.";

export interface BuiltTool {
  readonly name: string;
  readonly entry: JsonObject;
  readonly remarks: readonly Remark[];
}

/** The rows that a list shows and the most bytes of a reply. */
const LIMIT = { default: 20, max: 100 };
const FEW = { default: 5, max: 50 };
const LIST_BUDGET = "12kB";
const OBJECT_BUDGET = "8kB";

/** One tool of the curation, as it is written. */
export function buildTool(chosen: Chosen, context: ToolContext): BuiltTool {
  const { fact } = chosen;
  const { names, entities, mends, survey, manner } = context;
  const name = names.get(fact.entry.key)!;
  const own = mendsOf(mends, fact.entry.key);
  const noun = fact.resource.nouns.at(-1) ?? "row";
  const ended = endStreams(fact.slots);
  const shown = shownOf(chosen, context);
  const { selection } = shown;
  const filter = context.hasFilter && !own.withoutFilter ? readFilter(fact, survey.viewOf) : undefined;
  const inputs = chooseInputs(fact.slots, survey.viewOf, {
    without: new Set([
      ...(context.pages?.places ?? []),
      ...(filter?.places ?? []),
      ...(context.key ? [context.key] : []),
      ...ended.keys(),
      ...(selection === undefined ? [] : [selection.place]),
    ]),
    most: manner.inputs + (fact.kind === "write" ? 2 : 0),
    least: fact.kind === "write" ? 2 : 4,
    entities: entities.of.get(fact.entry.key) ?? new Map(),
    noun: fact.body.kind === "rows" ? plural(noun) : noun,
    distrusted: own.distrustedInputs,
    types: own.inputTypes,
    dropped: own.droppedInputs,
  });
  const detail = detailsBeside(fact, context);
  const notFor = sayNotFor(chosen, listBeside(fact, context));
  const returns = manner.compact ? undefined : sayReturns(chosen);
  const entry: JsonObject = {
    operation: referenceOf(fact, context),
    ...(fact.readsByPost && { effect: "read" }),
    ...(fact.kind === "write" && deedEntries(chosen, name, inputs)),
    ...((own.unchecked || context.pages?.isUntold === true || selection !== undefined) && { unchecked: true }),
    use: sayUse(chosen, name, {
      distrusted: own.distrustedUse,
      asksNothing: inputs.every(({ slot }) => slot.in === "path"),
      beside: context.chosen.flatMap((one) =>
        one.fact !== fact && one.fact.resource.collection === fact.resource.collection ? [one.fact] : [],
      ),
    }),
    ...(notFor !== undefined && { notFor }),
    ...(returns !== undefined && { returns }),
    ...inputEntries(
      inputs,
      selection === undefined ? ended : new Map<string, Json>([...ended, [selection.place, selection.names]]),
    ),
    ...(filter !== undefined && { filter: filter.filter }),
    ...(context.ownPages !== undefined && { pages: context.ownPages }),
    ...(fact.kind === "write" && fact.body.kind === "object" && fact.body.object.properties.size === 0
      ? {}
      : { result: resultOf(chosen, shown, context) }),
    ...(detail.length > 0 && {
      next: Object.fromEntries(detail.map((one) => [one, `read one ${singular(noun).replaceAll("_", " ")} whole`])),
    }),
  };
  return { name, entry, remarks: remarksOf(chosen, name, inputs, shown, context) };
}

function referenceOf({ entry }: Fact, { api }: ToolContext): string {
  return entry.id !== undefined && api.find(entry.id)?.key === entry.key ? entry.id : entry.key;
}

function listBeside(fact: Fact, { chosen, names }: ToolContext): string | undefined {
  const list = chosen.find(
    (one) =>
      one.fact.resource.collection === fact.resource.collection &&
      one.fact.body.kind === "rows" &&
      listsThings(one.fact),
  );
  return list === undefined || list.fact === fact ? undefined : names.get(list.fact.entry.key);
}

function detailsBeside(fact: Fact, { chosen, names }: ToolContext): string[] {
  if (fact.body.kind !== "rows" || !listsThings(fact)) return [];
  return chosen.flatMap((one) =>
    one.fact.kind === "detail" &&
    one.fact.resource.collection === fact.resource.collection &&
    one.fact.resource.verb?.includes("_by_") !== true
      ? (names.get(one.fact.entry.key) ?? [])
      : [],
  );
}

/** Nothing is done before it was agreed to, and nothing is destroyed but by a person's own yes. */
function deedEntries(chosen: Chosen, name: string, inputs: readonly DraftInput[]): JsonObject {
  const key = inputs.findLast(({ slot }) => slot.in === "path")?.name;
  const effect = effectOf(chosen.fact);
  const text = sayConfirm(chosen, name, key);
  return { effect, confirm: effect === "destroy" ? { text, human: true } : text };
}

function inputEntries(inputs: readonly DraftInput[], fixed: ReadonlyMap<string, Json>): JsonObject {
  const moved = inputs.filter(({ needsArgs }) => needsArgs);
  const args = [...moved.map(({ name, slot }) => [slot.place, `\${input.${name}}`] as const), ...fixed];
  return {
    ...(inputs.length > 0 && { input: Object.fromEntries(inputs.map(({ name, entry }) => [name, entry])) }),
    ...(args.length > 0 && { args: Object.fromEntries(args) }),
  };
}

/** By what one of the rows is picked, whether a tool here does or not. */
function ownKey({ body, resource }: Fact, { picks, viewOf }: Survey): Identity[] {
  const name = picks.get(resource.collection);
  const found =
    name !== undefined && body.kind === "rows" && findIdentity(body.row, name, true, resource.thing, viewOf);
  return found ? [found] : [];
}

/** A row shows the most that a list may, and what other tools need of it; one thing shows more. */
function shownOf({ fact }: Chosen, { survey, entities, names, manner, inMinor }: ToolContext): ShownFields {
  const { body } = fact;
  if (body.kind === "object")
    return showFields(
      fact,
      { within: body.within, most: manner.columns + 6, needed: [], isWhole: true, inMinor },
      survey,
    );
  const name = names.get(fact.entry.key)!;
  const asked = entities.all.filter(({ from }) => from === name).map(({ identity }) => identity);
  const needed = [...asked, ...ownKey(fact, survey)];
  return showFields(fact, { within: "", most: manner.columns, needed, isWhole: false, inMinor }, survey);
}

function resultOf({ fact }: Chosen, shown: ShownFields, { survey, mends }: ToolContext): JsonObject {
  const own = mendsOf(mends, fact.entry.key);
  const { body } = fact;
  const fields = withoutDropped(shown.fields, own.droppedFields);
  if (body.kind === "object") {
    // Where the document tells of the answer's frame alone, all of the answer is shown.
    const tells = fact.kind === "write" || !Object.keys(fields).every(isOfEnvelope);
    return { ...(tells && Object.keys(fields).length > 0 && { fields }), budget: OBJECT_BUDGET };
  }
  const total = own.withoutTotals ? undefined : readTotal(fact, survey.viewOf);
  return {
    rows: body.rows,
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(total !== undefined && { totals: { count: total } }),
    limit: own.fewRows ? FEW : LIMIT,
    budget: LIST_BUDGET,
  };
}

function withoutDropped(fields: JsonObject, dropped: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]): boolean => !dropped.has(name)) as [string, Json][]);
}

/** Why it was chosen, then what is left to a person. */
function remarksOf(
  { fact, sources }: Chosen,
  name: string,
  inputs: readonly DraftInput[],
  { selection }: ShownFields,
  { pages, survey, mends }: ToolContext,
): Remark[] {
  const { below, resource } = fact;
  const used = survey.use?.get(fact.entry.key) ?? 0;
  const why =
    used > 0
      ? `Chosen: ${used} of the recorded requests called it.`
      : below > 1 && fact.kind !== "write"
        ? `Chosen: ${below} of ${survey.operations} operations are at or below ${resource.collection}.`
        : `Chosen: ${KINDS[fact.kind]}.`;
  const open = keySlots(fact).filter((slot) => !sources.has(slot.place) && !isFixed(slot));
  const asked = inputs.filter(({ slot }) => open.includes(slot));
  return [
    { path: ["tools", name], text: why },
    ...(selection !== undefined
      ? [
          {
            path: ["tools", name, "unchecked"],
            text: `\`${selection.place}\` asks for more than the document tells of this answer.`,
          },
        ]
      : []),
    ...(mendsOf(mends, fact.entry.key).unchecked || pages?.isUntold === true
      ? [
          {
            path: ["tools", name, "unchecked"],
            text: "decide: the document describes this answer in a way that cannot be checked; see with `vitrine call` whether the fields are there.",
          },
        ]
      : []),
    ...asked.map((input) => ({
      path: ["tools", name, "input", input.name],
      text: NO_SOURCE,
    })),
    ...(pages?.doubt === undefined ? [] : [{ path: ["tools", name, "result"], text: `decide: ${pages.doubt}` }]),
  ];
}

const KINDS: Readonly<Record<Fact["kind"], string>> = {
  list: "a list that stands for itself",
  search: "a search",
  detail: "one thing, by its key",
  single: "something of which there is one",
  write: "it changes what other tools here read",
};
