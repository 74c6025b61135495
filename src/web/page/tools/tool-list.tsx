import { useState } from "preact/hooks";
import type { PageData, PageTool } from "../../page-data.ts";
import type { Changes } from "../find-changes.ts";
import { Bar } from "../parts/bar.tsx";
import { formatCount } from "../parts/numbers.ts";
import { type Tab, writeRoute } from "../route.ts";

interface ToolListProps {
  readonly data: PageData;
  readonly changes: Changes;
  readonly selected: string | undefined;
  /** Which stays open when another tool is chosen. */
  readonly tab: Tab;
}

export function ToolList({ data, changes, selected, tab }: ToolListProps) {
  const [search, setSearch] = useState("");
  const found = data.tools.filter((tool) => isFound(tool, search));
  const most = Math.max(...data.tools.map(({ cost }) => cost.tokens), 1);
  return (
    <nav class="tool-list" aria-label="Tools" onKeyDown={moveAmongLinks}>
      <label class="search">
        <span class="unseen">Search the tools</span>
        <input
          type="search"
          placeholder="Search"
          value={search}
          spellcheck={false}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </label>
      <p class="unseen" role="status">
        {search === "" ? "" : `${found.length} of ${data.tools.length} tools`}
      </p>
      <ul>
        {search === "" && (
          <li>
            <a href={writeRoute({})} aria-current={selected === undefined ? "true" : undefined}>
              <span class="name">What an agent reads first</span>
              <span class="amount">{formatCount(data.cost.instructions.tokens)}</span>
            </a>
          </li>
        )}
        {found.map(({ listed, cost, runs, states }) => (
          <li key={listed.name}>
            <a
              href={writeRoute({ tool: listed.name, tab })}
              aria-current={listed.name === selected ? "true" : undefined}
            >
              <span class="name">
                <code>{listed.name}</code> <Mark kind={changes.byTool.get(listed.name)?.kind} />
                {runs === "shows" && <span class="tag writes">writes</span>}
                {states.length > 0 && <span class="tag">while {states.join(" or ")}</span>}
              </span>
              <span class="amount">
                {formatCount(cost.tokens)}
                <span class="unseen"> tokens</span>
              </span>
              <Bar part={cost.tokens} whole={most} />
            </a>
          </li>
        ))}
        {found.length === 0 && <li class="nothing">No tool has these words.</li>}
      </ul>
    </nav>
  );
}

export function Mark({ kind }: { readonly kind: "added" | "changed" | undefined }) {
  return kind === undefined ? null : <span class={`tag ${kind}`}>{kind}</span>;
}

function isFound({ listed, actions }: PageTool, search: string): boolean {
  const inputs = Object.keys(listed.inputSchema.properties ?? {});
  const text = [listed.name, listed.title, listed.description, ...inputs, ...actions.map(({ action }) => action)]
    .join("\n")
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Beside the Tab key: up and down go from link to link. */
function moveAmongLinks(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, a")];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
