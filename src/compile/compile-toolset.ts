import type { Curation } from "../curation/format.ts";
import type { Api } from "../model/api.ts";
import type { Call, OperationPlan } from "../model/call.ts";
import { exposeTools } from "../model/group/expose-toolset.ts";
import { mapCalls, mapEntityCalls } from "../model/map-calls.ts";
import type { Problem } from "../model/problem.ts";
import type { Tool, Toolset } from "../model/tool.ts";
import { hideByTags, type TagChoice } from "../model/visible/hide-by-tags.ts";
import { leaveOutTools } from "../model/visible/leave-out-tools.ts";
import type { CallDraft } from "./calls/draft-call.ts";
import { checkAliases } from "./check-aliases.ts";
import { checkNames, checkSizes } from "./check-toolset.ts";
import { compileTool } from "./compile-tool.ts";
import { type BoundEntities, bindEntities } from "./entities/bind-entities.ts";
import { checkExploreNames, exploreTools, nameExploreTools } from "./explore/explore-tools.ts";
import { checkGroups } from "./group/check-groups.ts";
import { isGrouped, placeInGroups } from "./group/place-in-groups.ts";
import { checkGuesses } from "./guesses/check-guesses.ts";
import { isEcho } from "./is-echo.ts";
import { checkApiPages } from "./lists/check-api-pages.ts";
import { openReport } from "./open-report.ts";
import { checkPinPlaces } from "./pins/bind-pins.ts";
import { DESCRIBE_ACCESS, describeAccess } from "./pins/describe-access.ts";
import { planPins } from "./pins/plan-pins.ts";
import { mergePlans } from "./places/plan-operation.ts";
import { refuseUnbuilt } from "./refuse-unbuilt.ts";
import { type BoundStates, bindStates } from "./states/bind-states.ts";
import type { CompiledTool } from "./tool-context.ts";
import { credentialPlaces } from "./upstream/build-credentials.ts";
import { buildUpstream } from "./upstream/build-upstream.ts";
import { checkKey, placeKey } from "./upstream/place-key.ts";
import { checkTagChoice } from "./words/check-tag-choice.ts";
import { describeServer } from "./words/describe-server.ts";
import { nameTools, type ToolNames } from "./words/tool-names.ts";

export interface CompileOptions {
  /** Leaves out every tool that writes, whatever the curation says. */
  readonly readOnly?: boolean;
  /** The tools that it leaves out are as if they did not exist. */
  readonly tags?: TagChoice;
  /** In place of what the curation says. */
  readonly expose?: "flat" | "grouped";
  /** Tells no warnings and notes, which saves looking up where they stand. */
  readonly errorsOnly?: boolean;
}

export interface CompileResult {
  /** Undefined where there is an error other than `spec_fault` (which costs one tool only), or where the curation had one of its own. */
  readonly toolset?: Toolset;
  /** In the order of the file. */
  readonly problems: readonly Problem[];
}

/** Compiles a curation against its spec into plain data. Reads no environment, file or clock: the same input gives the same toolset. */
export function compileToolset(curation: Curation, api: Api, options: CompileOptions = {}): CompileResult {
  const report = openReport(curation);
  refuseUnbuilt(curation, report);
  const { content } = curation;
  const pins = planPins(content.pins ?? {});
  const names = namesOf(curation, pins.length > 0);
  const inGroups = isGrouped(curation, options.expose);
  checkNames(names, curation, { hasPins: pins.length > 0, inGroups }, report);
  checkExploreNames(curation, report);
  const credentials = credentialPlaces(content.api, api);
  const context = { curation, api, names, pins, credentials, readOnly: options.readOnly ?? false };
  const tried = Object.entries(content.tools).map(
    ([name, entry]) => [name, compileTool(name, entry, context)] as const,
  );
  const outcomes = tried.map(([, outcome]) => outcome);
  const compiled = outcomes.flatMap((outcome) => outcome.compiled ?? []);
  const byName = new Map(
    tried.flatMap(([name, { compiled: one }]) => (one === undefined ? [] : [[name, one] as const])),
  );
  checkGuesses(byName, context, report);
  const bound = bindEntities(byName, context);
  const stated = bindStates(
    compiled.map(({ tool }) => tool),
    context,
  );
  const targets = [...compiled, bound, stated].flatMap(({ calls }) => calls.map(({ target }) => target));
  // Only all the operations together tell that none has a place.
  const isWhole = compiled.length === outcomes.length;
  const misplaced = isWhole ? checkPinPlaces(pins, targets, report).map((path) => ({ path, value: null })) : [];
  if (isWhole) checkApiPages(content.api.pages ?? [], targets, report);
  const upstream = buildUpstream(content.api, api, [...new Set(targets.map(({ operation }) => operation))], report);
  const access = pins.length > 0 ? describeAccess(curation, api, pins, names) : undefined;
  const key = content.api.idempotencyKey;
  checkKey(
    key,
    compiled.flatMap(({ calls }) => calls),
    report,
  );
  const extra = [...(access === undefined ? [] : [access.tool]), ...exploreTools(curation, api, report)];
  const { operations, tools: all, entities, states } = gather(compiled, bound, stated, extra, key);
  const hidden = new Set([...names.values()].filter((name) => !all.some((tool) => tool.name === name)));
  const alone = all.map((tool) => leaveOutTools(tool, hidden));
  const tools = inGroups ? placeInGroups(alone, curation, names) : alone;
  const server = describeServer(curation, tools, names);
  checkGroups(tools, curation, names, report);
  checkAliases(tools, names, curation, report);
  checkSizes(exposeTools(tools), names, report);
  checkTagChoice(options.tags ?? {}, curation, report);
  const found = [
    ...report.problems,
    ...bound.problems,
    ...stated.problems,
    ...outcomes
      .flatMap((outcome) => outcome.problems)
      .filter(({ code, message }) => !isEcho(code, [], message, misplaced)),
    ...(access?.problems ?? []),
    ...server.problems,
  ];
  const problems = inOrder(options.errorsOnly ? found.filter(({ severity }) => severity === "error") : found);
  const refused = problems.some(({ severity, code }) => severity === "error" && code !== "spec_fault");
  if (refused || curation.leftOut.length > 0) return { problems };
  const { name, title, structured = true, pageTokenTtl } = content.server;
  const toolset: Toolset = {
    version: 1,
    server: {
      name,
      ...(title !== undefined && { title }),
      instructions: server.instructions,
      structured,
      ...(pageTokenTtl !== undefined && { pageTokenTtlMs: pageTokenTtl }),
      guide: server.guide,
    },
    upstream,
    operations,
    pins: pins.map((pin) => ({ name: pin.name, value: pin.value })),
    entities,
    ...(states !== undefined && states.length > 0 && { states }),
    tools,
  };
  return { toolset: hideByTags(toolset, options.tags ?? {}), problems };
}

/** The tools of the curation and those that a server has of its own. */
export function namesOf(curation: Curation, hasPins: boolean): ToolNames {
  const names = new Map([...nameExploreTools(curation), ...nameTools(curation)]);
  if (!hasPins || names.has(DESCRIBE_ACCESS)) return names;
  return new Map([...names, [DESCRIBE_ACCESS, `${curation.content.server.prefix ?? ""}${DESCRIBE_ACCESS}`]]);
}

/** Tools sorted by name, and the operations that they send: one plan for each way of sending one. */
export function gather(
  compiled: readonly CompiledTool[],
  bound: Pick<BoundEntities, "entities" | "calls">,
  stated: Pick<BoundStates, "states" | "calls">,
  extra: readonly Tool[],
  key: string | undefined,
): Pick<Toolset, "operations" | "tools" | "entities" | "states"> {
  const sorted = compiled.toSorted((a, b) => compareText(a.tool.name, b.tool.name));
  const groups = new Map<string, CallDraft[]>();
  for (const draft of [...sorted, bound, stated].flatMap(({ calls }) => calls)) {
    const way = wayOf(draft.plan);
    groups.set(way, [...(groups.get(way) ?? []), draft]);
  }
  const ways = [...groups.keys()];
  const operations = [...groups.values()].map((group) =>
    mergePlans(
      group.map(({ plan }) => plan),
      group[0]!.target.operation,
    ),
  );
  const renumber = (calls: readonly CallDraft[]) => (call: Call) => {
    const draft = calls[call.operation]!;
    return { ...placeKey(call, draft, key), operation: ways.indexOf(wayOf(draft.plan)) };
  };
  const tools = sorted.map(({ tool, calls }) => mapCalls(tool, renumber(calls)));
  const entities = bound.entities.map((entity) => mapEntityCalls(entity, renumber(bound.calls)));
  const states = stated.states.map((state) => ({ ...state, call: renumber(stated.calls)(state.call) }));
  const all = [...tools, ...extra].toSorted((a, b) => compareText(a.name, b.name));
  return { operations, tools: all, entities, states };
}

function wayOf(plan: OperationPlan): string {
  return JSON.stringify({ ...plan, parameters: [] });
}

/** By code units, so that the order is the same on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** In the order of the file; what one anchor brought into several tools stands once. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const distinct = new Map(problems.map((one) => [`${one.line}:${one.column}:${one.code}:${one.message}`, one]));
  return [...distinct.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}
