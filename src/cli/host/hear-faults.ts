import type { HostLog } from "../../host/host-log.ts";
import type { HostFile } from "../../host/hosting.ts";
import { createSecretHider } from "../../run/hide-secrets.ts";
import type { Shell } from "../command.ts";

export interface FaultsHeard {
  /** Ends with the first error that nothing caught: nobody knows what state the process is in, so another one should take over. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** Tells the log of errors that nothing caught, without what the servers are granted of the environment. Calls that run are not ended by them. */
export function hearFaults(
  shell: Pick<Shell, "onFault" | "onWarning" | "env">,
  { servers }: HostFile,
  log: HostLog,
): FaultsHeard {
  const granted = [...servers.values()].flatMap(({ env }) => env.map((name) => shell.env[name]));
  const hider = createSecretHider(granted.filter((value) => value !== undefined));
  const fault = new AbortController();
  const stop = shell.onFault?.((error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.tell("error", "fault", { message: hider.text(text), uncaught: true });
    fault.abort();
  });
  const stopWarnings = shell.onWarning?.(({ name, message }) =>
    log.tell("warn", "warning", { message: hider.text(`${name}: ${message}`) }),
  );
  const stopAll = (): void => {
    stop?.();
    stopWarnings?.();
  };
  return { signal: fault.signal, stop: stopAll };
}
