import type { Curation } from "../curation/format.ts";
import type { Api } from "../model/api.ts";
import { exposeTools } from "../model/group/expose-toolset.ts";
import type { Problem } from "../model/problem.ts";
import type { ServerFace, Tool, Toolset } from "../model/tool.ts";
import { hideByTags, type TagChoice } from "../model/visible/hide-by-tags.ts";
import { leaveOutTools } from "../model/visible/leave-out-tools.ts";
import { checkAliases } from "./check-aliases.ts";
import { checkNames, checkSizes } from "./check-toolset.ts";
import { compileTool } from "./compile-tool.ts";
import { type BoundEntities, bindEntities } from "./entities/bind-entities.ts";
import { checkExploreNames, exploreTools, nameExploreTools } from "./explore/explore-tools.ts";
import { gather } from "./gather-calls.ts";
import { checkGroups } from "./group/check-groups.ts";
import { isGrouped, placeInGroups } from "./group/place-in-groups.ts";
import { checkGuesses } from "./guesses/check-guesses.ts";
import { isEcho } from "./is-echo.ts";
import { checkApiPages } from "./lists/check-api-pages.ts";
import { openReport, type Report } from "./open-report.ts";
import { checkPinPlaces } from "./pins/bind-pins.ts";
import { DESCRIBE_ACCESS, describeAccess } from "./pins/describe-access.ts";
import { planPins } from "./pins/plan-pins.ts";
import { type BoundStates, bindStates } from "./states/bind-states.ts";
import type { CompiledTool, ToolContext, ToolOutcome } from "./tool-context.ts";
import { credentialPlaces } from "./upstream/build-credentials.ts";
import { buildUpstream } from "./upstream/build-upstream.ts";
import { checkKey } from "./upstream/place-key.ts";
import { checkTagChoice } from "./words/check-tag-choice.ts";
import { describeServer } from "./words/describe-server.ts";
import { nameTools, type ToolNames } from "./words/tool-names.ts";

export interface CompileOptions {
  /** Leaves out every tool that writes, whatever the curation says. */
  readonly readOnly?: boolean;
  /** The tools that it leaves out are as if they did not exist. */
  readonly tags?: TagChoice;
  /** Of what is left, likewise: what the key of one caller may see. */
  readonly keyTags?: TagChoice;
  /** In place of what the curation says. */
  readonly expose?: "flat" | "grouped";
  /** Tells no warnings and notes, which saves looking up where they stand. */
  readonly errorsOnly?: boolean;
  /** Nobody makes a manifest of it: what only that needs, and large specs are slow to tell, is left out (`Said.below`). */
  readonly servedOnly?: boolean;
  /**
   * What tools became in earlier tries with the same spec, kept here from one to the next: a tool that stands as it stood, in a curation that is else as
   * it was, is not compiled again.
   */
  readonly tried?: Map<string, ToolOutcome>;
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
  const context = openContext(curation, api, options, report);
  const parts = compileParts(context, report, options.tried);
  const { upstream, misplaced } = compileUpstream(parts, context, report);
  const extra = ownTools(context, report);
  const { operations, entities, states, ...gathered } = gather(
    parts.compiled,
    parts.bound,
    parts.stated,
    extra.tools,
    curation.content.api.idempotencyKey,
  );
  const tools = showTools(gathered.tools, context, options);
  const server = describeServer(curation, tools, context.names);
  checkTools(tools, context, options, report);
  const found = [
    ...report.problems,
    ...parts.problems.filter(({ code, message }) => !isEcho(code, [], message, misplaced)),
    ...extra.problems,
    ...server.problems,
  ];
  const problems = inOrder(options.errorsOnly ? found.filter(({ severity }) => severity === "error") : found);
  const refused = problems.some(({ severity, code }) => severity === "error" && code !== "spec_fault");
  if (refused || curation.leftOut.length > 0) return { problems };
  const toolset: Toolset = {
    version: 1,
    server: showServer(curation, server),
    upstream,
    operations,
    pins: context.pins.map((pin) => ({ name: pin.name, value: pin.value })),
    entities,
    ...(states !== undefined && states.length > 0 && { states }),
    tools,
  };
  return { toolset: hideByTags(hideByTags(toolset, options.tags ?? {}), options.keyTags ?? {}), problems };
}

function openContext(curation: Curation, api: Api, options: CompileOptions, report: Report): ToolContext {
  const { content } = curation;
  const pins = planPins(content.pins ?? {});
  const hasPins = pins.length > 0;
  const names = namesOf(curation, hasPins);
  checkNames(names, curation, { hasPins, inGroups: isGrouped(curation, options.expose) }, report);
  checkExploreNames(curation, report);
  const credentials = credentialPlaces(content.api, api);
  return {
    curation,
    api,
    names,
    pins,
    credentials,
    readOnly: options.readOnly ?? false,
    comparable: options.servedOnly !== true,
  };
}

interface CompiledParts {
  readonly compiled: readonly CompiledTool[];
  /** No tool was left out. */
  readonly isWhole: boolean;
  readonly bound: BoundEntities;
  readonly stated: BoundStates;
  readonly problems: readonly Problem[];
}

/** Everything that sends a request: tools, what finds identifiers, what asks for states. */
function compileParts(context: ToolContext, report: Report, before?: Map<string, ToolOutcome>): CompiledParts {
  const compile = before === undefined ? compileTool : openTried(context, before);
  const tried = Object.entries(context.curation.content.tools).map(
    ([name, entry]) => [name, compile(name, entry, context)] as const,
  );
  const byName = new Map(
    tried.flatMap(([name, { compiled: one }]) => (one === undefined ? [] : [[name, one] as const])),
  );
  const compiled = [...byName.values()];
  checkGuesses(byName, context, report);
  const bound = bindEntities(byName, context);
  const stated = bindStates(
    compiled.map(({ tool }) => tool),
    context,
  );
  const problems = [...tried.flatMap(([, outcome]) => outcome.problems), ...bound.problems, ...stated.problems];
  return { compiled, isWhole: compiled.length === tried.length, bound, stated, problems };
}

/**
 * Compiles what was not compiled before in these surroundings. Of the other tools one tool tells the names, and which lists an operation; of those that
 * it leads to also what inputs they have.
 */
function openTried({ curation }: ToolContext, before: Map<string, ToolOutcome>): typeof compileTool {
  const { tools, server, ...around } = curation.content;
  const others = Object.entries(tools).map(([name, { operation, result }]) => [name, operation, result?.rows]);
  const surroundings = JSON.stringify([around, { ...server, instructions: null }, others]);
  return (name, entry, context) => {
    const leadsOn = entry.suggest !== undefined || entry.result?.rest !== undefined;
    const key = `${name}\n${JSON.stringify([entry, leadsOn && tools])}\n${surroundings}`;
    const outcome = before.get(key) ?? compileTool(name, entry, context);
    before.set(key, outcome);
    return outcome;
  };
}

/** How the upstream is reached, and what only all operations together tell of pins, pages and keys. */
function compileUpstream(parts: CompiledParts, { curation, api, pins }: ToolContext, report: Report) {
  const { compiled, bound, stated, isWhole } = parts;
  const entry = curation.content.api;
  const targets = [...compiled, bound, stated].flatMap(({ calls }) => calls.map(({ target }) => target));
  const misplaced = isWhole ? checkPinPlaces(pins, targets, report).map((path) => ({ path, value: null })) : [];
  if (isWhole) checkApiPages(entry.pages ?? [], targets, report);
  const upstream = buildUpstream(entry, api, [...new Set(targets.map(({ operation }) => operation))], report);
  checkKey(
    entry.idempotencyKey,
    compiled.flatMap(({ calls }) => calls),
    report,
  );
  return { upstream, misplaced };
}

/** The tools that a server has of its own. */
function ownTools({ curation, api, pins, names }: ToolContext, report: Report) {
  const access = pins.length > 0 ? describeAccess(curation, api, pins, names) : undefined;
  return {
    tools: [...(access === undefined ? [] : [access.tool]), ...exploreTools(curation, api, report)],
    problems: access?.problems ?? [],
  };
}

/** The tools as they will be seen: without a word of those that were left out, and in their groups. */
function showTools(all: readonly Tool[], { curation, names }: ToolContext, { expose }: CompileOptions): Tool[] {
  const there = new Set(all.map(({ name }) => name));
  const hidden = new Set([...names.values()].filter((name) => !there.has(name)));
  const alone = all.map((tool) => leaveOutTools(tool, hidden));
  return isGrouped(curation, expose) ? placeInGroups(alone, curation, names) : alone;
}

function checkTools(
  tools: readonly Tool[],
  { curation, names }: ToolContext,
  { tags = {}, keyTags = {} }: CompileOptions,
  report: Report,
): void {
  checkGroups(tools, curation, names, report);
  checkAliases(tools, names, curation, report);
  checkSizes(exposeTools(tools), names, report);
  for (const choice of [tags, keyTags]) checkTagChoice(choice, curation, report);
}

function showServer(
  { content }: Curation,
  { instructions, guide }: Pick<ServerFace, "instructions" | "guide">,
): ServerFace {
  const { name, title, structured = true, pageTokenTtl } = content.server;
  return {
    name,
    ...(title !== undefined && { title }),
    instructions,
    structured,
    ...(pageTokenTtl !== undefined && { pageTokenTtlMs: pageTokenTtl }),
    ...(guide !== undefined && { guide }),
  };
}

/** The tools of the curation and those that a server has of its own. */
export function namesOf(curation: Curation, hasPins: boolean): ToolNames {
  const names = new Map([...nameExploreTools(curation), ...nameTools(curation)]);
  if (!hasPins || names.has(DESCRIBE_ACCESS)) return names;
  return new Map([...names, [DESCRIBE_ACCESS, `${curation.content.server.prefix ?? ""}${DESCRIBE_ACCESS}`]]);
}

/** In the order of the file; what one anchor brought into several tools stands once. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const distinct = new Map(problems.map((one) => [`${one.line}:${one.column}:${one.code}:${one.message}`, one]));
  return [...distinct.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}
