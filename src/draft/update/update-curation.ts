import { parse } from "yaml";
import type { Api } from "../../model/api.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Draft, type DraftOptions, describeSettled, MOST_TOKENS, MOST_TOOLS } from "../draft-curation.ts";
import type { Refused } from "../settle/read-draft.ts";
import { type Outside, settleDraft } from "../settle/settle-draft.ts";
import { surveyApi } from "../survey/survey-api.ts";
import { nameApi } from "../word/name-api.ts";
import { entriesOf } from "./as-map.ts";
import { insertEntries, isOpen } from "./insert-entries.ts";
import { readJoined } from "./read-joined.ts";
import { namedOperations, type Old, readOld } from "./read-old.ts";

export interface UpdateOptions extends Omit<DraftOptions, "spec"> {
  /** The curation, for messages. */
  readonly file: string;
  /** As it stands, a curation that reads without an error. */
  readonly text: string;
  /** A person named the operations one by one. */
  readonly isNamed?: boolean;
}

export interface Update extends Draft {
  /** What is new under `api`. */
  readonly shared: readonly string[];
  /** Tools in all. */
  readonly toolsInAll: number;
  /** Operations that the curation names and the document does not have, with their place in the curation. */
  readonly gone: readonly { readonly path: readonly (string | number)[]; readonly reference: string }[];
}

/** Each turn adds what one draft would; the next finds what is then still worth adding, so that a further update changes nothing. */
const MOST_TURNS = 20;

/**
 * Adds to a curation the tools that a draft would choose for what it does not have yet, and what `api` leaves unsaid; all that people wrote stays as
 * it is. Errors outside of the tools are told in place of it.
 */
export async function updateCuration(api: Api, options: UpdateOptions, outside: Outside): Promise<Update | Refused> {
  const start = options.text.replace(/^\uFEFF/, "");
  const mark = options.text.slice(0, options.text.length - start.length);
  const tools: Draft["tools"][number][] = [];
  const env: Draft["env"][number][] = [];
  const shared: string[] = [];
  let text = start;
  let decisions = 0;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const whole = parse(text, { merge: true, version: "1.2", schema: "core" }) as JsonObject;
    const old = readOld(whole, api, (section) => !isOpen(text, section));
    if ("errors" in old) return old;
    const settled = await settleAmong(api, old, options, outside);
    const { added } = settled;
    const described = describeSettled(settled);
    tools.push(...described.tools);
    env.push(...described.env);
    shared.push(...Object.keys(added?.api ?? {}));
    decisions += described.decisions;
    const next = added === undefined ? text : insertEntries(options.file, text, added, settled.remarks);
    if (next === text) {
      const gone = namedOperations(whole).filter(({ reference }) => api.find(reference) === undefined);
      const toolsInAll = entriesOf(whole, "tools").length;
      const { prefix, tokens } = described;
      return { text: `${mark}${text}`, tools, prefix, tokens, decisions, env, shared, gone, toolsInAll };
    }
    text = next;
  }
  throw new Error(`The update did not come to an end in ${MOST_TURNS} turns.`);
}

async function settleAmong(
  api: Api,
  old: Old,
  { keep, isNamed = false, writes = false, progress, ...more }: UpdateOptions,
  outside: Outside,
) {
  const seeds = new Set(old.names.keys());
  const isWanted = (key: string) => !old.curated.has(key) && !old.unwanted.has(key);
  const survey = surveyApi(api, {
    keep: (entry) => isWanted(entry.key) && (keep?.(entry) ?? true),
    also: seeds,
    pins: old.pins,
    ...(progress !== undefined && { progress }),
    ...(more.use !== undefined && { use: more.use }),
    writes,
  });
  const own = (await outside.cost(old.toolset)).list;
  const room = Math.max(0, MOST_TOOLS - entriesOf(old.whole, "tools").length);
  return settleDraft(
    {
      api,
      spec: "",
      survey,
      name: nameApi(api.title, api.servers[0]?.url ?? ""),
      most: isNamed ? MOST_TOOLS : room,
      budget: isNamed ? own + MOST_TOKENS : Math.max(own, MOST_TOKENS),
      isNamed: keep !== undefined,
      writes,
      old,
      read: readJoined,
    },
    outside,
  );
}
