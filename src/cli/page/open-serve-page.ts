import type { Beside } from "../../mcp/serve-http.ts";
import type { Identity } from "../../model/exchange.ts";
import { callableNames } from "../../model/group/callable-names.ts";
import { exposeToolset } from "../../model/group/expose-toolset.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Toolset } from "../../model/tool.ts";
import { hideByStates } from "../../model/visible/hide-by-states.ts";
import type { PageData } from "../../web/page-data.ts";
import { openPage, PAGE_PARTS, type PageSource } from "../../web/serve-page.ts";
import { openDryRun } from "../commands/dry-run.ts";
import type { LiveToolset, OpenedCaller } from "../toolset/live-toolset.ts";
import type { EventsPlace } from "../toolset/open-event-log.ts";
import { type OpenedRunner, openRunner, type RunnerOptions } from "../toolset/open-runner.ts";
import type { ToolsetRequest } from "../toolset/toolset-request.ts";
import type { Joined } from "../workers/join-workers.ts";
import { describeView, listStates } from "./describe-view.ts";
import { findPage } from "./find-page.ts";
import { keepLooking } from "./keep-looking.ts";
import { lookApart } from "./look-apart.ts";
import type { PageLook } from "./look-at-curation.ts";
import { openCalls } from "./open-calls.ts";
import { tryTool } from "./try-tool.ts";

export interface ServePageOptions {
  readonly live: LiveToolset<
    OpenedCaller & Pick<OpenedRunner, "hider" | "tls"> & Pick<RunnerOptions, "specIsLocal" | "exploring">
  >;
  readonly request: ToolsetRequest;
  readonly key: JsonObject;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly watches: boolean;
  /** What the files were when they were read for what is served. */
  readonly files: () => FilesRead;
  readonly events?: EventsPlace;
  readonly workers?: Joined;
  /** Of the page's files; those of the package unless said. */
  readonly folder?: string;
  report(error: unknown): void;
}

/** SHA-256 by absolute path. */
type FilesRead = ReadonlyMap<string, string | undefined>;

export interface ServePage extends Beside {
  /** The files of the curation were read again, whether or not what they hold can be served. */
  changed(files: FilesRead): void;
}

/** The page of a server that knows no callers: whoever reaches it is its operator. */
export function openServePage(options: ServePageOptions): ServePage {
  const { live, request, report, folder = findPage() } = options;
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const looking = keepLooking(() => lookApart(request), tell, report);
  let files = options.files;
  const stopListening = live.onChange(tell);
  const source: PageSource = {
    ...showServed({ ...options, files: () => files() }, looking),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const page = openPage({ kind: "serve", folder, report });
  const parts = new Map(PAGE_PARTS.map((part) => [`/page/api/${part}`, part]));
  return {
    find(path) {
      const part = parts.get(path);
      if (part !== undefined) return (asked, response) => page.serve(part, asked, response, source);
      return page.has(path) ? (asked, response) => page.serveFile(path, asked, response) : undefined;
    },
    changed(read) {
      const now = new Map(read);
      files = () => now;
      looking.again();
    },
    async close(graceMs) {
      stopListening();
      await page.close(graceMs);
    },
  };
}

function showServed(
  { live, request, key, env, watches, files, events, workers, report }: ServePageOptions,
  looking: ReturnType<typeof keepLooking>,
): Omit<PageSource, "onChange"> {
  const who: Identity = { key };
  const seenNow = async (): Promise<Toolset> =>
    (await live.current().caller.seenBy?.(who)) ?? hideByStates(live.served().toolset, new Set());
  return {
    async data(): Promise<PageData> {
      const { look: latest, isPending } = looking.latest();
      // Where files are watched they are read in a moment.
      const isOutdated = !watches && latest !== undefined && !isMadeOf(latest.files, files());
      const found = isOutdated ? undefined : latest;
      const { hider } = live.served().opened;
      // A file shows what it holds, and a message what was wrong of it.
      const look = found && {
        ...found,
        findings: hider.json(found.findings as unknown as Json) as unknown as typeof found.findings,
      };
      const seen = await seenNow();
      return describeView({
        seen,
        ...(look !== undefined && { look }),
        own: {
          kind: "serve",
          watches,
          hasCalls: events !== undefined,
          pending: isPending ? ["findings", "endpoints"] : [],
          states: listStates(live.served().toolset, seen),
          ...(isOutdated && { isOutdated }),
          ...(request.explored === undefined && { file: request.file }),
        },
      });
    },
    async tryTool(asked, signal) {
      // One toolset for all of it, also where another is served meanwhile.
      const { hider, tls, specIsLocal, exploring } = live.served().opened;
      const { call } = live.current().caller;
      const openDry = (toolset: Toolset) => {
        const dryRun = openDryRun();
        const { runner, close } = openRunner({
          toolset,
          specIsLocal,
          tls,
          exploring,
          request,
          key,
          env,
          report,
          ...(workers && { workers }),
          around: dryRun.around,
        });
        return { runner, dryRun, close };
      };
      return tryTool(asked, { seen: await seenNow(), who, call, hider, withholds: false, openDry }, signal);
    },
    ...(events !== undefined && {
      calls: openCalls(events.file, () => callableNames(exposeToolset(live.served().toolset))),
    }),
  };
}

/** Of the files that both know each is the same. */
function isMadeOf(made: PageLook["files"], read: FilesRead): boolean {
  return made.every(([path, sha256]) => !read.has(path) || read.get(path) === sha256);
}
