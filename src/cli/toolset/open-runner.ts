import { openAuthorizer } from "../../auth/open-authorizer.ts";
import type { EgressPolicy } from "../../egress/open-egress.ts";
import type { ResolvedUpstream, RunEvent } from "../../model/exchange.ts";
import type { JsonObject } from "../../model/json.ts";
import { once } from "../../model/once.ts";
import type { Toolset } from "../../model/tool.ts";
import { createSecretHider, type SecretHider } from "../../run/hide-secrets.ts";
import { openAccess } from "../../run/open-access.ts";
import { createRunner, type Outside, type Runner } from "../../run/run-tool.ts";
import { describeError } from "../describe-error.ts";
import { commonOf } from "../workers/common-of.ts";
import type { Joined } from "../workers/join-workers.ts";
import { secretsOf } from "../workers/secrets-of.ts";
import { takeShare } from "../workers/take-share.ts";
import type { ExploringApart } from "./explore-apart.ts";
import { openLazyEgress } from "./lazy-egress.ts";
import { type Certificates, readCertificates } from "./read-certificates.ts";
import type { ToolsetRequest } from "./toolset-request.ts";
import { trustedHosts } from "./trusted-hosts.ts";

export interface RunnerOptions {
  readonly toolset: Toolset;
  readonly specIsLocal: boolean;
  readonly request: ToolsetRequest;
  readonly key: JsonObject;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Read before; absent: as the files are now. */
  readonly tls?: Certificates | undefined;
  /** What it has in common with runners of other processes. */
  readonly workers?: Joined;
  /** What reads the document that is explored; absent: this thread does. */
  readonly exploring?: Pick<ExploringApart, "load" | "prepare"> | undefined;
  /** Hears of what the operator should know, its secrets hidden. */
  report(line: string): void;
  observe?(event: RunEvent): void;
  /** Stands before the real outside, for example to send nothing. */
  around?(outside: Outside): Outside;
}

export interface OpenedRunner {
  readonly runner: Runner;
  /** Takes what is read under `api` out of whatever is shown, but for the address of the API. */
  readonly hider: SecretHider;
  readonly tls: Certificates;
  /** Loads what the first call would wait for. */
  prepare(): Promise<void>;
  /** Loads all that later calls may need. */
  prepareRest(): Promise<void>;
  close(): Promise<void>;
}

/** A runner with its own client to the outside. Throws `UnreadableInput` for certificates, and `MissingSetting` where the environment lacks what serving needs. */
export function openRunner(options: RunnerOptions): OpenedRunner {
  const { env, key, workers, observe = () => {}, report, around = (outside) => outside } = options;
  const toolset = workers === undefined ? options.toolset : takeShare(options.toolset, workers);
  const tls = options.tls ?? readCertificates(toolset.upstream.tls ?? {}, options.request);
  const { upstream } = openAccess(toolset, env, { key });
  const policy: EgressPolicy = {
    trustedHosts: trustedHosts(toolset, upstream, options.specIsLocal),
    allowPrivate: [],
    tls,
  };
  const egress = openLazyEgress(policy);
  const authorize = openAuthorizer();
  const log = createSecretHider(upstream.secrets);
  const hider = createSecretHider(hiddenTexts(upstream));
  const outside: Outside = {
    egress,
    authorize: async (...given) => {
      const authorized = await authorize(...given);
      for (const one of [log, hider]) one.add(authorized.secrets);
      return authorized;
    },
    observe,
    report: (error) => report(log.text(describeError(error))),
    now: () => new Date(),
  };
  const exploring = options.exploring ?? exploreHere(options.request);
  const settings = { env, secrets: secretsOf(env, workers), explorer: exploring.load, ...commonOf(toolset, workers) };
  const runner = createRunner(toolset, settings, around(outside));
  const prepare = async () => void (await Promise.all([runner.loadCalls(), egress.load()]));
  // One after the other, so that a call meanwhile finds most of the processor free.
  const prepareRest = async () => {
    await prepare();
    if (explores(toolset)) await exploring.prepare();
    await runner.loadRest();
  };
  return { runner, hider, tls, prepare, prepareRest, close: () => egress.close() };
}

export function explores({ tools }: Toolset): boolean {
  return tools.some(({ plan }) => plan.kind === "explore");
}

function exploreHere(request: ToolsetRequest): NonNullable<RunnerOptions["exploring"]> {
  const loader = once(async () => (await import("./load-explorer.ts")).openExplorerLoader(request));
  return { load: async () => (await loader())(), prepare: async () => void (await loader()) };
}

// Whoever looks at a request must see where it goes, but not a token that stands in the path of `baseUrl`.
function hiddenTexts({ baseUrl, secrets }: ResolvedUpstream): string[] {
  const url = baseUrl === undefined ? undefined : new URL(baseUrl);
  return secrets.filter((secret) => url === undefined || !secret.startsWith(`${url.host}/`));
}
