import type { ToolServerOptions } from "../mcp/create-server.ts";
import type { McpView } from "../mcp/mount-mcp.ts";
import type { CallWatcher } from "../model/call-watch.ts";
import { onceFor } from "../model/once-for.ts";
import type { VerifiedCaller } from "./hosting.ts";
import type { OpenedServer } from "./opened-server.ts";

export interface ViewOptions {
  /** Hears of the calls of one caller, for the events. */
  readonly watch?: (callerId: string) => CallWatcher;
  readonly report: ToolServerOptions["report"];
}

/** What each caller is served of one server: made once, and kept for as long as the caller is known. */
export function openViews(server: OpenedServer, options: ViewOptions): (caller: VerifiedCaller) => McpView {
  return onceFor((caller: VerifiedCaller) => makeView(server, caller, options));
}

function makeView(server: OpenedServer, caller: VerifiedCaller, { watch, report }: ViewOptions): McpView {
  const generation = server.generation({ tags: caller.tags, writes: caller.writes });
  const options: ToolServerOptions = {
    id: caller.id,
    key: caller.claims,
    credentials: server.credentialsOf(caller),
    ...(caller.subjectToken !== undefined && { subjectToken: caller.subjectToken }),
    // A reload may come at any moment.
    listTtlMs: 0,
    isOfCaller: true,
    report,
    ...(watch !== undefined && { watcher: watch(caller.id) }),
  };
  return { current: () => generation, options };
}
