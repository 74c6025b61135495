import { DestinationBlocked, TokenRefused, type ToolError, UnknownTool, UpstreamUnreachable } from "../model/errors.ts";
import type { Caller, Identity, ToolReply } from "../model/exchange.ts";
import type { Explorer } from "../model/explorer.ts";
import { actionsOf, exposeToolset, openGroups } from "../model/group/expose-toolset.ts";
import type { JsonObject } from "../model/json.ts";
import { once } from "../model/once.ts";
import { onceFor } from "../model/once-for.ts";
import type { State, Tool, Toolset } from "../model/tool.ts";
import { countWrites, type Writes } from "../model/writes.ts";
import { loadPatternMatcher } from "./arguments/match-pattern.ts";
import { pinnedNames } from "./arguments/pinned-names.ts";
import type { ToolCall } from "./call-tool.ts";
import { unsealConfirmation } from "./confirm/confirm-token.ts";
import { OWN_MEMORY, type UsedOnce } from "./confirm/used-once.ts";
import { type CursorKeys, openCursorKeys } from "./cursor/cursor-keys.ts";
import { explainThrow, type Stage } from "./errors/explain-throw.ts";
import { writeError } from "./errors/write-error.ts";
import { createSlots, type Slots } from "./exchange/limit-concurrency.ts";
import type { SecretHider } from "./hide-secrets.ts";
import { keepByCaller } from "./keep-by-caller.ts";
import { type Access, openAccess } from "./open-access.ts";
import type { Outside } from "./outside.ts";
import { writeReply } from "./shape/write-reply.ts";
import { runByState } from "./states/run-by-state.ts";
import { watchStates } from "./states/watch-states.ts";

export type { Outside } from "./outside.ts";

export interface RunSettings {
  /** What `${env.X}` reads. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * What keys of page tokens are made of: the first seals, all open, so that processes which share them read each other's tokens. One of the process's
   * own where there is none.
   */
  readonly secrets?: readonly string[];
  /**
   * Where used confirmations are remembered by all processes that share `secrets`. Without it a confirmation is good in the process alone that gave it:
   * it must count once, and no other process could know.
   */
  readonly usedOnce?: UsedOnce;
  /** To the same upstream by whatever else knows of it; of this runner alone where absent. */
  readonly writes?: Writes;
  /** What the tools of `explore` look into, where the toolset has them: it is asked for at their first call. */
  readonly explorer?: () => Promise<Explorer>;
}

export interface Runner {
  readonly toolset: Toolset;
  /** Throws `MissingSetting` where a variable, or a claim of the caller's key, that serving needs is unset. */
  checkSettings(who?: Identity): void;
  /**
   * Runs one tool with arguments as a client sent them. Everything that goes wrong is a reply with `isError`, but for a name that is not
   * listed: that throws `UnknownTool`, and nothing else is ever thrown.
   */
  call(name: string, args: unknown, caller: Caller): Promise<ToolReply>;
  /** The toolset as this caller sees it now. Absent where no tool comes and goes with what the upstream says. */
  seenBy?(who: Identity): Promise<Toolset>;
  /** Hears when what somebody sees has become another toolset; gives what ends that. */
  onChange?(listener: (who: Identity) => void): () => void;
  /** Whether a text is a confirmation that was given here, whatever it is for. */
  gaveConfirmation(token: string): boolean;
  /** Takes what is secret of this caller's access out of whatever is shown of its calls. Throws `MissingSetting`. */
  hiderFor(who: Identity): SecretHider;
  /** Loads what every call needs, which the first one would wait for. */
  loadCalls(): Promise<void>;
  /** Loads what only some calls need too. After it no call reads more of the program from disk. */
  loadRest(): Promise<void>;
}

/** Apart from the rest: a server must not pay for running its tools before it has listed them. */
const loadCallTool = once(async () => (await import("./call-tool.ts")).callTool);
const loadExploreApi = once(async () => (await import("./explore/explore-api.ts")).exploreApi);

const loadAskState = once(async () => (await import("./states/ask-state.ts")).askState);
const loadChooseAction = once(async () => (await import("./group/choose-action.ts")).chooseAction);

/** Makes what all calls of a toolset share. Nothing is read from the environment and nothing is sent before it is asked to. */
export function createRunner(toolset: Toolset, settings: RunSettings, outside: Outside): Runner {
  return createRunners(toolset, settings, outside)(toolset);
}

/** The same for the parts of a toolset that callers see: they share one upstream, so whatever is bounded or kept for it is so over all of them. */
export function createRunners(whole: Toolset, settings: RunSettings, outside: Outside): (part: Toolset) => Runner {
  const shared = share(whole, settings, createSlots(whole.upstream.concurrency));
  return (part) => openByState(part, settings, outside, shared);
}

function openByState(toolset: Toolset, settings: RunSettings, outside: Outside, shared: Shared): Runner {
  const open = (seen: Toolset): Runner => openRunner(seen, settings, outside, shared);
  if (!toolset.tools.some(({ states }) => states !== undefined)) return open(toolset);
  const { slots, accessOf, writes } = shared;
  const holds = async (state: State, who: Identity): Promise<boolean> => {
    const askState = await loadAskState();
    return askState(state, { toolset, who, slots, outside, openAccess: () => accessOf(who) });
  };
  return runByState(toolset, open, watchStates(toolset, { holds, writes, now: () => outside.now().getTime() }));
}

/** What the calls of a toolset share, whichever of its tools a caller sees. */
interface Shared {
  readonly slots: Slots;
  readonly writes: Writes;
  readonly cursorKeys: () => CursorKeys;
  readonly confirmKeys: () => CursorKeys;
  readonly accessOf: (who: Identity) => Access;
}

function share(toolset: Toolset, settings: RunSettings, slots: Slots): Shared {
  const { env, secrets = [], usedOnce = OWN_MEMORY, writes = countWrites() } = settings;
  return {
    slots,
    writes,
    cursorKeys: openCursorKeys(secrets),
    confirmKeys: openCursorKeys(usedOnce === OWN_MEMORY ? [] : secrets, "confirmation"),
    accessOf: rememberAccess((who) => openAccess(toolset, env, who)),
  };
}

function openRunner(toolset: Toolset, settings: RunSettings, outside: Outside, shared: Shared): Runner {
  const exposed = exposeToolset(toolset);
  const tools = indexTools(exposed);
  // What a call knows of the other tools: each action by itself.
  const open = openGroups(exposed);
  const { usedOnce = OWN_MEMORY, explorer } = settings;
  const { slots, cursorKeys, confirmKeys, accessOf } = shared;
  const openAlone = onceFor((one: Toolset): Runner => {
    // What was read since the server began may be of another curation: its pins would not be those that hold here.
    if (JSON.stringify(one.pins) !== JSON.stringify(toolset.pins)) throw new Error("The curation's pins have changed.");
    const served = { ...one, upstream: toolset.upstream };
    return openRunner(served, settings, outside, share(served, settings, slots));
  });
  return {
    toolset,
    loadCalls: async () => {
      await Promise.all([loadCallTool(), loadPatternMatcher(), ...(open === exposed ? [] : [loadChooseAction()])]);
      if (toolset.states !== undefined) await loadAskState();
    },
    loadRest: async () => {
      await loadCallTool();
      if (explorer !== undefined && toolset.tools.some(({ plan }) => plan.kind === "explore")) await loadExploreApi();
      const { loadEngines } = await import("./arguments/load-engines.ts");
      await loadEngines();
    },
    gaveConfirmation: (token) => unsealConfirmation(confirmKeys(), token) !== undefined,
    hiderFor: (who) => accessOf(who).hider,
    checkSettings: (who = { key: {} }) => {
      accessOf(who);
    },
    async call(name, args, caller) {
      const asked = tools.get(name);
      if (!asked) throw new UnknownTool(name);
      let hide = AS_IT_IS;
      let stage: Stage = "request";
      try {
        const access = accessOf(caller);
        hide = access.hider.text;
        const reach = (next: Stage) => {
          stage = next;
        };
        const { plan } = asked.tool;
        const chosen = plan.kind === "group" ? (await loadChooseAction())(plan, args) : undefined;
        const call: ToolCall = {
          tool: chosen?.tool ?? asked.tool,
          pinned: chosen === undefined ? asked.pinned : pinnedNames(toolset.pins, chosen.tool),
          toolset: open,
          slots,
          access,
          caller,
          outside,
          reach,
          cursorKeys,
          confirmKeys,
          usedOnce,
          ...(chosen !== undefined && { elsewhere: chosen.elsewhere }),
        };
        if (plan.kind === "explore") {
          if (explorer === undefined) throw new Error("Nothing was given to explore.");
          const exploreApi = await loadExploreApi();
          const callAlone = (one: Toolset, given: JsonObject) => openAlone(one).call(one.tools[0]!.name, given, caller);
          return await exploreApi(call, plan, args, { explorer: await explorer(), callAlone });
        }
        const callTool = await loadCallTool();
        return writeReply(await callTool(call, chosen?.args ?? args), toolset.server.structured);
      } catch (error) {
        const explained = explainThrow(error, stage);
        if (isForOperator(explained)) report(error, outside, hide);
        return writeError(explained, hide);
      }
    },
  };
}

/** By name, old ones too: a caller that knows a tool by one of them calls the same tool. */
function indexTools({ tools, pins }: Toolset) {
  const known = tools.map((tool) => ({ tool, pinned: pinnedNames(pins, tool), names: namesOf(tool) }));
  const actions = tools
    .flatMap((tool) => actionsOf(tool) ?? [])
    .map((tool) => ({ tool, pinned: pinnedNames(pins, tool), names: tool.aliases ?? [] }));
  return new Map([...known, ...actions].flatMap(({ names, ...one }) => names.map((name) => [name, one] as const)));
}

function namesOf({ name, aliases = [] }: Tool): readonly string[] {
  return [name, ...aliases];
}

/** A log that fails must not fail the call. */
function report(error: unknown, outside: Outside, hide: SecretHider["text"]): void {
  try {
    outside.report(error, hide);
  } catch {}
}

/** Without access it is not known yet what is secret; such an error's text is made by `explainThrow` alone. */
const AS_IT_IS = (text: string) => text;

function rememberAccess(open: (who: Identity) => Access): (who: Identity) => Access {
  const known = keepByCaller<Access>();
  return (who) => {
    const kept = known.get(who);
    if (kept !== undefined) return kept;
    const access = open(who);
    known.set(who, access);
    return access;
  };
}

/** Faults of ours, a curation that does not fit its upstream, and an address that only the operator can allow. */
function isForOperator({ code, cause }: ToolError): boolean {
  if (code === "internal" || code === "upstream_unauthorized") return true;
  if (cause instanceof TokenRefused || cause instanceof DestinationBlocked) return true;
  if (cause instanceof UpstreamUnreachable && cause.reason === "exhausted") return true;
  return code === "upstream_bad_response" && cause !== undefined;
}
