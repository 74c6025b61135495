import type { PageData, PageTool } from "../../page-data.ts";
import type { Server } from "../ask.ts";
import type { Change } from "../find-changes.ts";
import { TabList, TabPanel } from "../parts/tab-list.tsx";
import type { Route, Tab } from "../route.ts";
import type { Trials } from "../try/trials.ts";
import { TryTab } from "../try/try-tab.tsx";
import { AgentTab } from "./agent-tab.tsx";
import { ClientsTab } from "./clients-tab.tsx";
import { CostTab } from "./cost-tab.tsx";
import { Hints } from "./hints.tsx";
import { Mark } from "./tool-list.tsx";

interface ToolDetailProps {
  readonly tool: PageTool;
  /** Its place in the list. */
  readonly at: number;
  readonly data: PageData;
  readonly change: Change | undefined;
  readonly route: Route;
  readonly server: Server;
  readonly trials: Trials;
  go(next: Partial<Route>): void;
  say(words: string): void;
}

export function ToolDetail({ tool, at, data, change, route, server, trials, go, say }: ToolDetailProps) {
  const { listed, runs } = tool;
  const items = [
    { key: "agent", words: "As the agent sees it" },
    { key: "try", words: runs === "tries" ? "Try" : "Dry run" },
    { key: "cost", words: "Cost" },
    { key: "clients", words: "Clients" },
  ] as const;
  const open = (tab: Tab): void => go({ ...route, tool: listed.name, tab });
  return (
    <>
      <header class="tool-head">
        <h2>
          {listed.title} <Mark kind={change?.kind} />
        </h2>
        <p>
          <code>{listed.name}</code>
          {tool.at !== undefined && (
            <span class="help">
              {" "}
              {tool.at.file}:{tool.at.line}
            </span>
          )}
        </p>
        <Hints annotations={listed.annotations} states={tool.states} />
      </header>
      <TabList
        id="tool"
        label={`About ${listed.name}`}
        items={items}
        selected={route.tab}
        onSelect={open}
        class="inner"
      />
      <TabPanel id="tool" selected={route.tab}>
        {route.tab === "agent" && <AgentTab tool={tool} change={change} action={route.action} />}
        {route.tab === "try" && (
          <TryTab tool={tool} action={route.action} server={server} trials={trials} go={go} say={say} />
        )}
        {route.tab === "cost" && <CostTab tool={tool} data={data} />}
        {route.tab === "clients" && <ClientsTab tool={tool} at={at} clients={data.clients} />}
      </TabPanel>
    </>
  );
}
