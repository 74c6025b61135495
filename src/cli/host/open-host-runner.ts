import { openAuthorizer } from "../../auth/open-authorizer.ts";
import type { ServerEntry } from "../../host/hosting.ts";
import { breakUpstreams } from "../../host/limits/break-upstream.ts";
import type { Toolset } from "../../model/tool.ts";
import type { Writes } from "../../model/writes.ts";
import { createSecretHider } from "../../run/hide-secrets.ts";
import { createRunners, type Outside, type Runner, type RunSettings } from "../../run/run-tool.ts";
import { describeError } from "../describe-error.ts";
import { exploreApart } from "../toolset/explore-apart.ts";
import { openLazyEgress } from "../toolset/lazy-egress.ts";
import type { Certificates } from "../toolset/read-certificates.ts";
import type { Joined } from "../workers/join-workers.ts";
import { takeShare } from "../workers/take-share.ts";
import type { RestingCount } from "./count-resting.ts";
import { requestOf } from "./server-request.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What all servers of a host run with. */
export interface HostRunning {
  /** The whole environment, of which each server is given what it was granted. */
  readonly env: Env;
  /** Of which page tokens and confirmations are made. */
  readonly secrets: readonly string[];
  readonly usedOnce?: RunSettings["usedOnce"];
  /** To the upstream of a server, of which other replicas tell too. */
  readonly writesOf?: (server: string) => Writes;
  /** Which of several workers it is. */
  readonly workers?: Pick<Joined, "number" | "of">;
  /** Hears which upstreams are left alone. */
  readonly resting?: RestingCount;
  /** Hears of what the operator should know, its secrets hidden. */
  report(line: string): void;
}

/** The running side of one server: one client to the outside, and a runner for each part of its tools that somebody sees. */
export interface HostRunner {
  /** What the server was granted. */
  readonly env: Env;
  open(toolset: Toolset): Runner;
  /** A runner of its own before whose outside another stands, for example one that sends nothing. */
  openAround(toolset: Toolset, around: (outside: Outside) => Outside): Runner;
  /** Loads what calls need, which the first of them would wait for, and which an update of the program takes away later. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

export function openHostRunner(
  entry: ServerEntry,
  served: Toolset,
  tls: Certificates,
  running: HostRunning,
): HostRunner {
  const { secrets, usedOnce, workers, report } = running;
  const whole = workers === undefined ? served : takeShare(served, workers);
  const env = grantedEnv(entry, running.env);
  const request = requestOf(entry);
  // Nothing that the curation names is trusted: public addresses, and those that the host file allows.
  const reached = openLazyEgress({
    trustedHosts: [],
    allowPrivate: entry.allowPrivate,
    tls,
  });
  const resting = running.resting?.open(entry.name);
  const egress = breakUpstreams(reached, {
    tell: (origin, restMs) => {
      resting?.tell(origin, restMs);
      if (restMs > 0) report(`${entry.name}: ${origin} gives no answers, and is left alone for ${restMs / 1000} s.`);
    },
  });
  // What only some callers have is hidden by `hide`.
  const hider = createSecretHider(Object.values(env).filter((value) => value !== undefined));
  const outside: Outside = {
    egress,
    authorize: openAuthorizer(),
    observe: () => {},
    report: (error, hide = (text) => text) => report(hider.text(hide(describeError(error)))),
    now: () => new Date(),
  };
  const exploring = exploreApart(request);
  const settings: RunSettings = { env, secrets, explorer: exploring.load, ...(usedOnce !== undefined && { usedOnce }) };
  const writes = running.writesOf?.(entry.name);
  const open = createRunners(whole, { ...settings, ...(writes !== undefined && { writes }) }, outside);
  const openAround: HostRunner["openAround"] = (toolset, around) =>
    createRunners(whole, settings, around(outside))(toolset);
  const prepare = async (): Promise<void> => {
    const runner = open(whole);
    await Promise.all([runner.loadCalls(), reached.load()]);
    await runner.loadRest();
  };
  const close = (): Promise<void> => {
    resting?.close();
    exploring.close();
    return egress.close();
  };
  return { env, open, openAround, prepare, close };
}

function grantedEnv({ env: granted }: ServerEntry, env: Env): Env {
  return Object.fromEntries(granted.map((name) => [name, env[name]]));
}
