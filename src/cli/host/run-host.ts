import { type HostLog, openHostLog } from "../../host/host-log.ts";
import type { HostFile } from "../../host/hosting.ts";
import { openHost } from "../../host/open-host.ts";
import type { Served } from "../../host/opened-server.ts";
import { readHostFile } from "../../host/read-host-file.ts";
import { openState } from "../../host/shared/open-state.ts";
import { compareTexts } from "../../model/compare-texts.ts";
import { aborted } from "../aborted.ts";
import { OUR_FAULT, type Shell } from "../command.ts";
import { formatFindings, sortFindings } from "../commands/format-findings.ts";
import { describeError } from "../describe-error.ts";
import { findPage } from "../page/find-page.ts";
import { readSecrets } from "../read-secrets.ts";
import { digest } from "../toolset/digest-file.ts";
import { readFile } from "../toolset/read-file.ts";
import type { Joined } from "../workers/join-workers.ts";
import { secretsOf } from "../workers/secrets-of.ts";
import { countResting, type RestingCount } from "./count-resting.ts";
import { describeFact } from "./describe-fact.ts";
import { hearFaults } from "./hear-faults.ts";
import { type Generations, hostGauges } from "./host-gauges.ts";
import { keepHost, keptHostOf, withPlaces } from "./kept-host.ts";
import { type LoadedHost, loadHost } from "./load-host.ts";
import type { HostRunning } from "./open-host-runner.ts";
import { openHostWatching } from "./open-host-watching.ts";
import { reloadHost, tellProblem } from "./reload-host.ts";

/** By then a load balancer has heard that this replica is ready no more. */
const LEAVE_MS = 2_000;
/** As long as the longest call may take, and a little more. */
const GRACE_MS = 50_000;

/**
 * Serves a host file until the process is asked to end, by itself or as one of several workers. Resolves to the exit code; throws `UnreadableInput` and
 * `MissingSetting`.
 */
export async function runHost(file: string, shell: Shell, workers?: Joined): Promise<number> {
  const log = numberLines(
    openHostLog(shell.note, () => new Date()),
    workers,
  );
  const report = (message: string): void => log.tell("error", "fault", { message });
  const kept = keptHostOf(workers?.lastGood);
  const opened = kept?.opened ?? readFile(file).text;
  const { host } = readHostFile(file, opened, shell.env);
  // What is wrong with the curations is told beside what is wrong with the file, as far as it can be found.
  if (host === undefined) return refuse(await loadHost(file, { env: shell.env, secrets: [], report }), shell);
  const secrets = secretsOf(shell.env, workers);
  const state = await openState({
    publicUrl: host.publicUrl,
    ...(host.shared !== undefined && { shared: host.shared }),
    ...(workers !== undefined && { workers: workers.state }),
    tell: (fact) => log.tell("warn", fact.kind, describeFact(fact)),
  });
  const { usedOnce, writes } = state;
  const resting = countResting();
  const running: HostRunning = {
    env: shell.env,
    secrets,
    report,
    resting,
    writesOf: writes.of,
    ...(workers !== undefined && { workers }),
    ...(usedOnce !== undefined && { usedOnce }),
  };
  try {
    const first = await loadHost(file, running, undefined, kept);
    if (first.served === undefined) return refuse(first, shell);
    if (workers === undefined || (kept === undefined && workers.number === 1)) {
      for (const problem of first.problems) tellProblem(log, problem);
      warnOf(host, shell.env, log);
    }
    const served = { ...first.served, host: withPlaces(first.served.host, host) };
    const reads = (loaded: LoadedHost): void => workers?.reads(markOf(loaded));
    const serves = (loaded: LoadedHost): void => {
      workers?.serves({ good: keepHost(loaded, opened), isForAll: false });
      reads(loaded);
    };
    // What was begun with is known, and may be the last no more.
    if (kept === undefined) serves(first);
    else reads(first);
    return await serve(file, { ...first, served }, { running, resting, state, log, shell, workers, serves });
  } finally {
    await state.close();
  }
}

/** Two workers that serve what was made from the same files say the same. */
function markOf({ digests }: LoadedHost): string {
  return digest(JSON.stringify([...digests].toSorted(([one], [other]) => compareTexts(one, other))));
}

interface Serving {
  readonly running: HostRunning;
  readonly resting: RestingCount;
  readonly state: Awaited<ReturnType<typeof openState>>;
  readonly log: HostLog;
  readonly shell: Shell;
  readonly workers: Joined | undefined;
  /** Whoever takes the place of this worker begins with it. */
  serves(loaded: LoadedHost): void;
}

async function serve(file: string, first: LoadedHost & { readonly served: Served }, serving: Serving): Promise<number> {
  const { running, resting, state, log, shell, workers } = serving;
  const { host } = first.served;
  const generations: Generations = { served: 1, isLast: true };
  const watching = await openHostWatching({
    gauges: hostGauges({ state, isShared: host.shared !== undefined, generations, resting }),
    events: host.events,
    env: shell.env,
    note: (line) => log.tell("warn", "telemetry", { message: line }),
    report: (error) => log.tell("error", "fault", { message: describeError(error) }),
  });
  const { watch } = watching;
  const opened = await openHost(first.served, {
    ...{ log, watch },
    state: workers === undefined ? state : { ...state, isReady: () => state.isReady() && workers.areReady() },
    metrics: workers?.metricsOfAll(watching.metrics) ?? watching.metrics,
    describe: describeError,
    pageFolder: findPage(),
  });
  const listening = { port: opened.port, servers: first.served.servers.size, keys: host.keys.size };
  if (workers === undefined) log.tell("info", "listening", listening);
  else workers.listening(listening);
  const reload = reloadHost({ file, first, running, host: opened, log, generations, reloaded: serving.serves });
  const stopHearing = state.notices.onReload(() => void reload.now());
  const stopHangup = shell.onHangup?.(() => {
    // Where the others cannot be told, at least this one reads its files again.
    state.notices.announceReload().catch(() => reload.now());
  });
  const faults = hearFaults(shell, host, log);
  await aborted(AbortSignal.any([shell.signal, faults.signal]));
  if (faults.signal.aborted) workers?.failing();
  if (workers === undefined) log.tell("info", "draining");
  stopHearing();
  stopHangup?.();
  reload.close();
  await opened.drain(LEAVE_MS, GRACE_MS);
  await watching.close();
  if (workers === undefined) log.tell("info", "ended");
  faults.stop();
  return faults.signal.aborted ? OUR_FAULT : 0;
}

function refuse({ problems }: Pick<LoadedHost, "problems">, shell: Shell): number {
  shell.note(formatFindings(sortFindings(problems), false));
  return 1;
}

/** Each line of a worker says of which. */
function numberLines(log: HostLog, workers: Joined | undefined): HostLog {
  if (workers === undefined) return log;
  const { number: worker } = workers;
  return { ...log, tell: (level, event, facts) => log.tell(level, event, { worker, ...facts }) };
}

function warnOf({ shared }: HostFile, env: Shell["env"], log: HostLog): void {
  if (readSecrets(env).length > 0 || shared === undefined) return;
  log.tell("warn", "no_secret", {
    message:
      "VITRINE_SECRET is not set, so page tokens and confirmations are good on the replica alone that gave them.",
  });
}
