import { TokenRefused, type ToolError, UnknownTool } from "../model/errors.ts";
import type { Caller, ToolReply } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";
import type { Toolset } from "../model/tool.ts";
import { pinnedNames } from "./arguments/pinned-names.ts";
import { callTool } from "./call-tool.ts";
import { openCursorKeys } from "./cursor/cursor-keys.ts";
import { explainThrow, type Stage } from "./errors/explain-throw.ts";
import { writeError } from "./errors/write-error.ts";
import { createSlots } from "./exchange/limit-concurrency.ts";
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
}

/** Makes what all calls of a toolset share. Nothing is read from the environment and nothing is sent before it is asked to. */
export function createRunner(toolset: Toolset, settings: RunSettings, outside: Outside): Runner {
  const tools = new Map(toolset.tools.map((tool) => [tool.name, { tool, pinned: pinnedNames(toolset.pins, tool) }]));
  const slots = createSlots(toolset.upstream.concurrency);
  const cursorKeys = openCursorKeys(settings.secrets ?? []);
  const accessOf = rememberAccess((key) => openAccess(toolset, settings.env, key));
  return {
    toolset,
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
        const call = { ...known, toolset, slots, access, caller, outside, reach, cursorKeys };
        return writeReply(await callTool(call, args), toolset.server.structured);
      } catch (error) {
        const explained = explainThrow(error, stage);
        if (isForOperator(explained)) report(error, outside);
        return writeError(explained, hide);
      }
    },
  };
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
