import { useEffect, useRef } from "preact/hooks";
import type { PageData } from "../page-data.ts";
import type { Server } from "./ask.ts";
import { CallsView } from "./calls/calls-view.tsx";
import { ChainView } from "./chain/chain-view.tsx";
import { CostView } from "./cost/cost-view.tsx";
import { sayChanges } from "./find-changes.ts";
import { FindingsView } from "./findings/findings-view.tsx";
import { Notices } from "./notices.tsx";
import { LiveRegion, useSay } from "./parts/live-region.tsx";
import { type TabItem, TabList, TabPanel } from "./parts/tab-list.tsx";
import type { View } from "./route.ts";
import { ToolsView } from "./tools/tools-view.tsx";
import { TopBar } from "./top-bar.tsx";
import { usePage } from "./use-page.ts";
import { useRoute } from "./use-route.ts";

interface PageProps {
  readonly server: Server;
  /** Back to where a server and a key are asked for; absent where there is no such place. */
  readonly onLeave?: (why?: string) => void;
}

export function Page({ server, onLeave }: PageProps) {
  const state = usePage(server);
  const refused = state.kind === "failed" && state.isRefused && onLeave !== undefined ? state.message : undefined;
  useEffect(() => {
    if (refused !== undefined) onLeave?.(refused);
  }, [refused]);
  if (state.kind === "loading")
    return (
      <main class="alone" aria-busy="true">
        <h1>vitrine</h1>
        <p role="status">The tools are being read.</p>
      </main>
    );
  if (state.kind === "failed")
    return (
      <main class="alone">
        <h1>vitrine</h1>
        <p role="alert">{state.message}</p>
        {!state.isRefused && <p class="help">It is asked again by itself.</p>}
        <div class="row">
          <button type="button" class="main-button" onClick={state.askAgain}>
            Try again
          </button>
          {onLeave !== undefined && (
            <button type="button" onClick={() => onLeave()}>
              Leave
            </button>
          )}
        </div>
      </main>
    );
  return <Shown state={state} server={server} onLeave={onLeave && (() => onLeave())} />;
}

interface ShownProps {
  readonly state: Extract<ReturnType<typeof usePage>, { kind: "shown" }>;
  readonly server: Server;
  readonly onLeave: (() => void) | undefined;
}

function Shown({ state, server, onLeave }: ShownProps) {
  const { data, changes, isConnected, markSeen } = state;
  const [route, go] = useRoute();
  const [said, say] = useSay();
  const news = sayChanges(changes);
  const takeMarks = (): void => {
    markSeen();
    // The button that had the focus goes.
    skipToPanel();
  };
  const first = useRef(true);
  useEffect(() => {
    document.title = `${data.server.title ?? data.server.name} · vitrine`;
    if (!first.current && news !== undefined) say(news);
    first.current = false;
  }, [data.revision]);
  const items = viewsOf(data);
  const view = items.some(({ key }) => key === route.view) ? route.view : "tools";
  return (
    <>
      <button type="button" class="skip" onClick={skipToPanel}>
        Skip to the content
      </button>
      <TopBar data={data} isConnected={isConnected} onLeave={onLeave} />
      <TabList id="view" label="Views" items={items} selected={view} onSelect={(next) => go({ view: next })} />
      <main>
        <Notices data={data} news={news} onSeen={takeMarks} />
        <TabPanel id="view" selected={view} class="view">
          {view === "tools" && (
            <ToolsView data={data} changes={changes} route={route} server={server} go={go} say={say} />
          )}
          {view === "cost" && <CostView data={data} />}
          {view === "chain" && <ChainView chain={data.chain} />}
          {view === "findings" && <FindingsView data={data} />}
          {view === "calls" && <CallsView server={server} />}
        </TabPanel>
      </main>
      <LiveRegion said={said} />
    </>
  );
}

// No link: the address behind `#` says where a person is.
function skipToPanel(): void {
  document.getElementById("view-panel")?.focus();
}

function viewsOf({ tools, findings, pending, hasCalls, kind, chain }: PageData): readonly TabItem<View>[] {
  const counted = findings?.filter(({ severity }) => severity !== "note").length ?? 0;
  const badge = pending.includes("findings") ? "…" : counted > 0 ? String(counted) : undefined;
  return [
    { key: "tools", words: "Tools", badge: String(tools.length) },
    { key: "cost", words: "Cost" },
    ...(chain.nodes.length > 0 ? [{ key: "chain", words: "ID chain" } as const] : []),
    ...(kind === "serve" ? [{ key: "findings", words: "Findings", badge } as const] : []),
    ...(hasCalls ? [{ key: "calls", words: "Calls" } as const] : []),
  ];
}
