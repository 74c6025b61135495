import { useRef } from "preact/hooks";
import type { PageData } from "../../page-data.ts";
import type { Server } from "../ask.ts";
import type { Changes } from "../find-changes.ts";
import type { Route } from "../route.ts";
import type { Trials } from "../try/trials.ts";
import { Overview } from "./overview.tsx";
import { ToolDetail } from "./tool-detail.tsx";
import { ToolList } from "./tool-list.tsx";

interface ToolsViewProps {
  readonly data: PageData;
  readonly changes: Changes;
  readonly route: Route;
  readonly server: Server;
  go(next: Partial<Route>): void;
  say(words: string): void;
}

export function ToolsView({ data, changes, route, server, go, say }: ToolsViewProps) {
  // What was typed and answered outlives a look at another tool, and an edit of the file.
  const trials = useRef<Trials>(new Map()).current;
  const at = data.tools.findIndex(({ listed }) => listed.name === route.tool);
  const tool = data.tools[at];
  return (
    <div class="tools">
      <ToolList data={data} changes={changes} selected={tool?.listed.name} tab={route.tab} />
      <section class="detail" aria-label="Detail">
        {tool !== undefined ? (
          <ToolDetail
            key={tool.listed.name}
            tool={tool}
            at={at}
            data={data}
            change={changes.byTool.get(tool.listed.name)}
            route={route}
            server={server}
            trials={trials}
            go={go}
            say={say}
          />
        ) : (
          <Overview data={data} missing={route.tool} removed={changes.removed} />
        )}
      </section>
    </div>
  );
}
