import { type Command, parseCommand, type Shell, UsageError } from "../command.ts";
import { type Address, isLoopback, parseAddress } from "../parse-address.ts";
import { EXPOSE_HELP, readExpose } from "../read-expose.ts";
import { AS_HELP, readKey, requestAs } from "../read-key.ts";
import { readSize } from "../read-size.ts";
import { readTags, TAG_HELP, TAG_OPTIONS } from "../read-tags.ts";
import { readWorkers, WORKERS_HELP } from "../read-workers.ts";
import { canServe } from "../toolset/can-serve.ts";
import { loadToolset } from "../toolset/load-toolset.ts";
import type { EventsPlace } from "../toolset/open-event-log.ts";
import { fromPlain } from "../toolset/plain-toolset.ts";
import { stateOf } from "../toolset/serve-state.ts";
import { serveToolset } from "../toolset/serve-toolset.ts";
import { readRequest } from "../toolset/spec-request.ts";
import type { Joined } from "../workers/join-workers.ts";

const HELP = `vitrine serve CURATION: serve the tools of a curation over stdio
vitrine serve --spec SPEC: explore an API without one: search, describe and call whatever only reads

  --http HOST:PORT     serve over HTTP instead, at /mcp, with a page for people at /, and /healthz and /metrics (Prometheus) beside it; port 0 takes a free one
  --allow-host NAME    a Host name to accept beside localhost; needed where HOST is not loopback; may be repeated
  --watch              reload when the curation or its spec changes; the last good toolset stays on any error. Over HTTP SIGHUP does so too
${AS_HELP}
${WORKERS_HELP}
  --events FILE        append a line for each call: how it ended, how long it took, bytes; never arguments or content (JSON, events.v1)
  --events-max-bytes N put FILE aside as FILE.1 when it has grown to so much; five such are kept (default: 64MB)
  --read-only          leave out every tool that writes
${EXPOSE_HELP}
${TAG_HELP}
  --spec SPEC          an OpenAPI document in place of a curation: a file or an https URL; no credential is sent
  --base-url URL       with --spec: where the API is, where the spec does not say it
  --root DIR           the folder that bounds the files a curation names (default: the parent of its folder)

  VITRINE_SECRET       in the environment: what page tokens are sealed with, at least 16 characters, so that several processes read each
                       other's; two with a comma between them while it is changed, the new one first (default: a random one a process)
  OTEL_…               OpenTelemetry's own variables: with OTEL_EXPORTER_OTLP_ENDPOINT, traces and metrics go to the collector there`;

export const serve: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "[CURATION]",
      options: {
        http: { type: "string" },
        "allow-host": { type: "string", multiple: true, default: [] },
        workers: { type: "string" },
        watch: { type: "boolean", default: false },
        as: { type: "string" },
        "read-only": { type: "boolean", default: false },
        root: { type: "string" },
        spec: { type: "string" },
        "base-url": { type: "string" },
        events: { type: "string" },
        "events-max-bytes": { type: "string" },
        expose: { type: "string" },
        ...TAG_OPTIONS,
      },
    });
    const allowHosts = values["allow-host"];
    const address = values.http === undefined ? undefined : boundAddress(values.http, allowHosts);
    const count = readWorkers(values.workers);
    if (count > 1 && address === undefined)
      throw new UsageError("--workers goes with --http HOST:PORT: over stdio there is one client.");
    const tags = readTags(values);
    if (tags && values.spec !== undefined)
      throw new UsageError("Tags choose among the tools of a curation, and --spec has none.");
    const expose = readExpose(values.expose);
    const events = readEvents(values.events, values["events-max-bytes"]);
    const servedOnly = events === undefined;
    const asked = {
      ...readRequest(positionals[0], values),
      servedOnly,
      ...(tags && { tags }),
      ...(expose && { expose }),
    };
    // To nobody listening it would be the end, also while it starts; of several workers the first process hears it for all.
    if (address !== undefined) shell.onHangup?.(() => {});
    const workers = count > 1 ? await joinOthers(shell) : undefined;
    if (count > 1 && workers === undefined) return startWorkers(count, shell);
    const kept = stateOf(workers?.lastGood);
    const caller = kept?.caller ?? (await readKey(values.as));
    const request = requestAs(asked, caller);
    let later = (): void => {};
    const load = () =>
      loadToolset(request, shell.env, (work) => {
        later = work;
      });
    const loaded = kept === undefined ? await load() : fromPlain(kept.loaded);
    if (!(await canServe(loaded, shell, kept !== undefined))) return 1;
    return serveToolset(
      {
        loaded,
        request,
        caller,
        env: shell.env,
        watch: values.watch,
        later,
        ...(kept && { tls: kept.tls }),
        ...(events && { events }),
        ...(workers && { workers }),
        ...(address && { http: { address, allowHosts } }),
      },
      workers === undefined ? shell : { ...shell, signal: workers.signal },
    );
  },
};

async function joinOthers(shell: Shell): Promise<Joined | undefined> {
  const { joinWorkers } = await import("../workers/join-workers.ts");
  return joinWorkers(shell);
}

async function startWorkers(count: number, shell: Shell): Promise<number> {
  const { runWorkers } = await import("../workers/run-workers.ts");
  const { describeWorkers } = await import("../workers/describe-workers.ts");
  const tell = (line: string | undefined): void => void (line !== undefined && shell.note(line));
  return runWorkers({ count, shell, reload: "one", tell: (fact) => tell(describeWorkers(fact)) });
}

function readEvents(file: string | undefined, size: string | undefined): EventsPlace | undefined {
  if (file === undefined && size !== undefined) throw new UsageError("--events-max-bytes goes with --events FILE.");
  if (file === "") throw new UsageError("--events needs the name of a file.");
  return file === undefined ? undefined : { file, maxBytes: readSize(size ?? "64MB", "events-max-bytes") };
}

function boundAddress(text: string, allowHosts: readonly string[]): Address {
  const address = parseAddress(text);
  if (isLoopback(address) || allowHosts.length > 0) return address;
  throw new UsageError(
    `${address.hostname} can be reached by others, and serve knows no callers: say with --allow-host NAME which Host names are accepted, and let only callers that you trust reach it, or serve it with \`vitrine host\`, which knows its callers.`,
  );
}
