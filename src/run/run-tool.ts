import { TokenRefused, type ToolError, UnknownTool } from "../model/errors.ts";
import type { Caller, ToolReply } from "../model/exchange.ts";
import type { Explorer } from "../model/explorer.ts";
import type { JsonObject } from "../model/json.ts";
import { once } from "../model/once.ts";
import type { Toolset } from "../model/tool.ts";
import { loadPatternMatcher } from "./arguments/match-pattern.ts";
import { pinnedNames } from "./arguments/pinned-names.ts";
import { unsealConfirmation } from "./confirm/confirm-token.ts";
import { OWN_MEMORY, type UsedOnce } from "./confirm/used-once.ts";
import { openCursorKeys } from "./cursor/cursor-keys.ts";
import { explainThrow, type Stage } from "./errors/explain-throw.ts";
import { writeError } from "./errors/write-error.ts";
import { createSlots, type Slots } from "./exchange/limit-concurrency.ts";
import { type Access, openAccess } from "./open-access.ts";
import type { Outside } from "./outside.ts";
import { writeReply } from "./shape/write-reply.ts";

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
  /** What the tools of `explore` look into, where the toolset has them: it is asked for at their first call. */
  readonly explorer?: () => Promise<Explorer>;
}

export interface Runner {
  readonly toolset: Toolset;
  /** Throws `MissingSetting` where a variable, or a claim of `key`, that serving needs is unset. */
  checkSettings(key?: JsonObject): void;
  /**
   * Runs one tool with arguments as a client sent them. Everything that goes wrong is a reply with `isError`, but for a name that is not
   * listed: that throws `UnknownTool`, and nothing else is ever thrown.
   */
  call(name: string, args: unknown, caller: Caller): Promise<ToolReply>;
  /** Whether a text is a confirmation that was given here, whatever it is for. */
  gaveConfirmation(token: string): boolean;
  /** Loads what every call needs, which the first one would wait for. */
  loadCalls(): Promise<void>;
  /** Loads what only some calls need too. After it no call reads more of the program from disk. */
  loadRest(): Promise<void>;
}

/** Apart from the rest: a server must not pay for running its tools before it has listed them. */
const loadCallTool = once(async () => (await import("./call-tool.ts")).callTool);

/** Makes what all calls of a toolset share. Nothing is read from the environment and nothing is sent before it is asked to. */
export function createRunner(toolset: Toolset, settings: RunSettings, outside: Outside): Runner {
  return openRunner(toolset, settings, outside, createSlots(toolset.upstream.concurrency));
}

function openRunner(toolset: Toolset, settings: RunSettings, outside: Outside, slots: Slots): Runner {
  const tools = indexTools(toolset);
  const { secrets = [], usedOnce = OWN_MEMORY, explorer } = settings;
  const alone = new WeakMap<Toolset, Runner>();
  const openAlone = (one: Toolset): Runner => {
    const runner = alone.get(one) ?? openRunner(one, settings, outside, slots);
    alone.set(one, runner);
    return runner;
  };
  const cursorKeys = openCursorKeys(secrets);
  const confirmKeys = openCursorKeys(usedOnce === OWN_MEMORY ? [] : secrets, "confirmation");
  const accessOf = rememberAccess((key) => openAccess(toolset, settings.env, key));
  return {
    toolset,
    loadCalls: async () => {
      await Promise.all([loadCallTool(), loadPatternMatcher()]);
    },
    loadRest: async () => {
      await loadCallTool();
      const { loadEngines } = await import("./arguments/load-engines.ts");
      await loadEngines(toolset);
    },
    gaveConfirmation: (token) => unsealConfirmation(confirmKeys(), token) !== undefined,
    checkSettings: (key = {}) => {
      accessOf(key);
    },
    async call(name, args, caller) {
      const known = tools.get(name);
      if (!known) throw new UnknownTool(name);
      let hide = AS_IT_IS;
      let stage: Stage = "request";
      try {
        const access = accessOf(caller.key);
        hide = access.hider.text;
        const reach = (next: Stage) => {
          stage = next;
        };
        const call = { ...known, toolset, slots, access, caller, outside, reach, cursorKeys, confirmKeys, usedOnce };
        const { plan } = known.tool;
        if (plan.kind === "explore") {
          if (explorer === undefined) throw new Error("Nothing was given to explore.");
          const { exploreApi } = await import("./explore/explore-api.ts");
          const callAlone = (one: Toolset, given: JsonObject) => openAlone(one).call(one.tools[0]!.name, given, caller);
          return await exploreApi(call, plan, args, { explorer: await explorer(), callAlone });
        }
        const callTool = await loadCallTool();
        return writeReply(await callTool(call, args), toolset.server.structured);
      } catch (error) {
        const explained = explainThrow(error, stage);
        if (isForOperator(explained)) report(error, outside);
        return writeError(explained, hide);
      }
    },
  };
}

/** By name, old ones too: a caller that knows a tool by one of them calls the same tool. */
function indexTools({ tools, pins }: Toolset) {
  const known = tools.map((tool) => ({ tool, pinned: pinnedNames(pins, tool) }));
  return new Map(
    known.flatMap((one) => [one.tool.name, ...(one.tool.aliases ?? [])].map((name) => [name, one] as const)),
  );
}

/** A log that fails must not fail the call. */
function report(error: unknown, outside: Outside): void {
  try {
    outside.report(error);
  } catch {}
}

/** Without access it is not known yet what is secret; such an error's text is made by `explainThrow` alone. */
const AS_IT_IS = (text: string) => text;

/** A caller's key is one object for as long as the caller is known. */
function rememberAccess(open: (key: JsonObject) => Access): (key: JsonObject) => Access {
  const known = new WeakMap<JsonObject, Access>();
  return (key) => {
    const access = known.get(key) ?? open(key);
    known.set(key, access);
    return access;
  };
}

/** Faults of ours, and a curation that does not fit its upstream. */
function isForOperator({ code, cause }: ToolError): boolean {
  if (code === "internal" || code === "upstream_unauthorized") return true;
  return cause instanceof TokenRefused || (code === "upstream_bad_response" && cause !== undefined);
}
