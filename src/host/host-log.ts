import { AsyncLocalStorage } from "node:async_hooks";

export type Level = "info" | "warn" | "error";
/** Never a secret, and never what a caller asked for or got. */
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The operator's log: one line of JSON a fact. */
export interface HostLog {
  tell(level: Level, event: string, facts?: Facts): void;
  /** Whatever is told by `work`, or by what it began, tells these too. */
  within<T>(facts: Facts, work: () => T): T;
}

const MOST_CHARACTERS = 2_000;

/** `write` takes one line, without its line feed. */
export function openHostLog(write: (line: string) => void, now: () => Date): HostLog {
  const around = new AsyncLocalStorage<Facts>();
  return {
    tell(level, event, facts = {}) {
      const told = { time: now().toISOString(), level, event, ...around.getStore(), ...facts };
      write(JSON.stringify(told, (_, value: unknown) => (typeof value === "string" ? visible(value) : value)));
    },
    within: (facts, work) => around.run({ ...around.getStore(), ...facts }, work),
  };
}

/** JSON escapes controls below U+0020 alone; those that act on whoever looks at a log are more. */
function visible(text: string): string {
  return text.slice(0, MOST_CHARACTERS).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
