import { fitCredentials } from "../../host/fit-credentials.ts";
import type { ServerEntry, VerifiedCaller } from "../../host/hosting.ts";
import type { OpenedServer, Visibility } from "../../host/opened-server.ts";
import { type Generation, makeGeneration } from "../../mcp/make-generation.ts";
import type { Identity } from "../../model/exchange.ts";
import { once } from "../../model/once.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Toolset } from "../../model/tool.ts";
import { hideByTags } from "../../model/visible/hide-by-tags.ts";
import { withoutTools } from "../../model/visible/without-tools.ts";
import { findLacking } from "../../run/find-lacking.ts";
import type { Runner } from "../../run/run-tool.ts";
import { describeError } from "../describe-error.ts";
import { showHostPage } from "../page/show-host-page.ts";
import type { Certificates } from "../toolset/read-certificates.ts";
import { makeToolsSha } from "../toolset/tools-sha.ts";
import type { LoadedToolset } from "../toolset/toolset-request.ts";
import { version } from "../version.ts";
import { type HostRunning, openHostRunner } from "./open-host-runner.ts";
import { visibleToolset } from "./visible-toolset.ts";

/** Makes of a compiled server what callers are served, each of them as much as it may see. */
export function openServer(
  entry: ServerEntry,
  loaded: LoadedToolset & { readonly toolset: Toolset },
  tls: Certificates,
  running: HostRunning,
): OpenedServer {
  const whole = servedToolset(entry, loaded.toolset);
  const runners = openHostRunner(entry, whole, tls, running);
  runners.prepare().catch((error: unknown) => running.report(describeError(error)));
  const known = new Map<string, Shown>();
  const stops: (() => void)[] = [];
  const listeners = new Set<(who: Identity) => void>();
  const tell = (who: Identity): void => {
    for (const listener of listeners) listener(who);
  };
  const make = (seen: Visibility): Shown => {
    const toolset = visibleToolset(whole, seen);
    const runner = runners.open(toolset);
    const stop = runner.onChange?.(tell);
    if (stop !== undefined) stops.push(stop);
    const sha = once(() => makeToolsSha({ file: entry.curation }, { ...loaded, toolset }));
    return { generation: makeGeneration(toolset, version, runner, sha), toolset, runner };
  };
  const show = (seen: Visibility): Shown => {
    // There are as many as keys differ, and two for tokens.
    const name = JSON.stringify([seen.writes, seen.tags.all, seen.tags.any, seen.tags.exclude]);
    const shown = known.get(name) ?? make(seen);
    known.set(name, shown);
    return shown;
  };
  // By one identity for as long as the caller is known: what is made for it is kept by its parts.
  const credentialsOf = onceFor(
    (caller: VerifiedCaller) => fitCredentials(whole.upstream.credentials, caller.credentials).credentials,
  );
  const pageOf = onceFor((caller: VerifiedCaller) => {
    const { id, claims, tags, writes, subjectToken } = caller;
    const credentials = credentialsOf(caller);
    const who = { id, key: claims, credentials, ...(subjectToken !== undefined && { subjectToken }) };
    return showHostPage({ ...show({ tags, writes }), who, runners, withholds: entry.raw !== true });
  });
  return {
    ...(whole.server.title !== undefined && { title: whole.server.title }),
    generation: (seen) => show(seen).generation,
    pageOf,
    credentialsOf,
    lacking: (caller) => findLacking(whole, runners.env, askingOf(caller)),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      for (const stop of stops) stop();
      return runners.close();
    },
  };
}

interface Shown {
  readonly generation: Generation;
  readonly toolset: Toolset;
  readonly runner: Runner;
}

function askingOf({ claims, credentials, subjectToken }: VerifiedCaller): Parameters<typeof findLacking>[2] {
  const schemes = new Set(credentials.map(({ scheme }) => scheme));
  return { key: claims, schemes, hasToken: subjectToken !== undefined };
}

/**
 * What the server shows of its curation, under its name in the host file: of two servers that share a curation, tokens of the one are nothing to the
 * other.
 */
export function servedToolset({ name, explore, tags }: ServerEntry, toolset: Toolset): Toolset {
  const exploring = explore ? [] : toolset.tools.filter(({ plan }) => plan.kind === "explore");
  const allowed = withoutTools(hideByTags(toolset, tags), new Set(exploring.map((tool) => tool.name)));
  return { ...allowed, server: { ...allowed.server, name } };
}
