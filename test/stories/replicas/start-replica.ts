import { type Running, start } from "../../cli/running.ts";

export interface Replica {
  readonly running: Running;
  readonly port: number;
}

/** Starts one process of the built program; its clock is so many milliseconds ahead. */
export async function startReplica(file: string, env: Record<string, string>, aheadMs = 0): Promise<Replica> {
  const running = start(["host", file], env, aheadMs === 0 ? [] : ["--import", moveClock(aheadMs)]);
  const { port } = JSON.parse(await running.said("err", '"listening"')) as { port: number };
  return { running, port };
}

/** All that says what time it is, but not how much of it has passed. */
function moveClock(aheadMs: number): string {
  return `data:text/javascript,${encodeURIComponent(`
const Real = Date;
globalThis.Date = class Date extends Real {
  constructor(...given) { given.length === 0 ? super(Real.now() + ${aheadMs}) : super(...given); }
  static now() { return Real.now() + ${aheadMs}; }
};`)}`;
}
