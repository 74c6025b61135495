import type { Identity } from "../../model/exchange.ts";
import type { State, Toolset } from "../../model/tool.ts";
import { hideByStates } from "../../model/visible/hide-by-states.ts";
import type { Writes } from "../../model/writes.ts";
import { keepByCaller } from "../keep-by-caller.ts";

/** Which tools there are by what the upstream says. */
export interface StateWatch {
  /** The toolset without the tools whose states do not hold for this caller: as the upstream said within half a minute, or says now. */
  seenBy(who: Identity): Promise<Toolset>;
  /** Something was written: whatever the upstream said before is asked again, and at once where somebody listens. */
  wrote(who: Identity): void;
  /** Hears when what somebody sees has become another toolset, and who that is; gives what ends that. */
  onChange(listener: (who: Identity) => void): () => void;
}

/** How long what the upstream said is taken for what it still says. */
const KEPT_MS = 30_000;

interface Look {
  readonly since: number;
  /** How many writes there were before it. */
  readonly writes: number;
  readonly seen: Promise<Toolset>;
}

export interface StateWatching {
  /** Asks for one state; never rejects. Those that are needed are asked at the same time, once for all who want to know meanwhile. */
  holds(state: State, who: Identity): Promise<boolean>;
  /** To the upstream, by whomever: after each of them it is asked again. */
  readonly writes: Writes;
  /** In milliseconds. */
  now(): number;
}

export function watchStates(toolset: Toolset, { holds, writes, now }: StateWatching): StateWatch {
  const looks = keepByCaller<Look>();
  const listeners = new Set<(who: Identity) => void>();
  const made = new Map<string, Toolset>();

  const needed = new Set(toolset.tools.flatMap(({ states = [] }) => states));
  const states = (toolset.states ?? []).filter(({ name }) => needed.has(name));

  /** One toolset for the same states, so that a change can be told and what is made of a toolset is made once. */
  const toolsetFor = (holding: readonly string[]): Toolset => {
    const id = holding.join("\n");
    const known = made.get(id) ?? hideByStates(toolset, new Set(holding));
    made.set(id, known);
    return known;
  };
  const look = async (who: Identity): Promise<Toolset> => {
    const answers = await Promise.all(states.map((state) => holds(state, who)));
    return toolsetFor(states.flatMap(({ name }, at) => (answers[at] === true ? [name] : [])));
  };
  const tellChange = async (who: Identity, before: Look, after: Look): Promise<void> => {
    if ((await before.seen) === (await after.seen)) return;
    for (const listener of listeners) listener(who);
  };
  const seenBy = (who: Identity): Promise<Toolset> => {
    const last = looks.get(who);
    if (last !== undefined && last.writes === writes.count() && now() - last.since < KEPT_MS) return last.seen;
    const next = { since: now(), writes: writes.count(), seen: look(who) };
    looks.set(who, next);
    if (last !== undefined) void tellChange(who, last, next);
    return next.seen;
  };
  return {
    seenBy,
    wrote: (who) => {
      writes.add();
      if (listeners.size > 0 && looks.get(who) !== undefined) void seenBy(who);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
