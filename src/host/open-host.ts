import { openDoor } from "./callers/open-door.ts";
import { type App, type AppOptions, createApp } from "./create-app.ts";
import { openAdmission } from "./limits/admit-calls.ts";
import { openLoadGate } from "./limits/shed-load.ts";
import { type Listening, listen } from "./listen.ts";
import type { Served } from "./opened-server.ts";
import type { HostState } from "./shared/open-state.ts";

export interface HostOptions extends Pick<AppOptions, "log" | "describe" | "watch" | "metrics" | "pageFolder"> {
  readonly state: HostState;
}

export interface OpenedHost extends Pick<App, "replace">, Pick<Listening, "port" | "drain"> {}

/** Opens the hosted proxy at the address of its host file. Rejects with the system's error where that cannot be bound. */
export async function openHost(first: Served, options: HostOptions): Promise<OpenedHost> {
  const { log, describe, state } = options;
  let served = first;
  const door = openDoor({
    file: () => served.host,
    lacking: (server) => served.servers.get(server)?.lacking,
    checkRevoked: state.revocations.check,
    refused: (why) => log.tell("warn", "refused", { why }),
    issuerFailed: (error) => log.tell("error", "issuer_failed", { message: describe(error) }),
  });
  const gate = openLoadGate();
  const admission = openAdmission();
  const app = createApp(first, {
    ...options,
    door,
    limiter: state.limiter,
    onWrite: state.writes.onWrite,
    isReady: state.isReady,
    overload: gate.refusal,
    enter: admission.enter,
  });
  const close = async (): Promise<void> => {
    gate.close();
    await door.close();
  };
  const refused = (why: string): void => log.tell("warn", "connections_refused", { why });
  const listening = await listen(app, first.host.listen, { refused, host: () => served.host }).catch(
    async (error: unknown) => {
      await app.close(0);
      await close();
      throw error;
    },
  );
  // Nobody waits for it: it comes before the first token, or that one waits.
  void door.prepare();
  return {
    port: listening.port,
    replace: (next) => {
      served = next;
      app.replace(next);
    },
    drain: async (leaveMs, graceMs) => {
      await listening.drain(leaveMs, graceMs);
      await close();
    },
  };
}
