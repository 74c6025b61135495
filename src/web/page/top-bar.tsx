import { counted } from "../../model/counted.ts";
import type { PageData } from "../page-data.ts";
import { formatBytes, formatCount } from "./parts/numbers.ts";
import { ThemeSwitch } from "./parts/theme-switch.tsx";

interface TopBarProps {
  readonly data: PageData;
  readonly isConnected: boolean;
  readonly onLeave: (() => void) | undefined;
}

export function TopBar({ data, isConnected, onLeave }: TopBarProps) {
  const { server, tools, cost, watches, kind } = data;
  return (
    <header class="top">
      <div class="who">
        <h1>{server.title ?? server.name}</h1>
        <p>
          <span class="brand">vitrine {server.version}</span> · <code>{server.name}</code>
          {server.file !== undefined && (
            <>
              {" · "}
              <code>{server.file}</code>
            </>
          )}
          {kind === "serve" && watches && " · watched: save the file and see"}
          {!isConnected && <span class="wrong"> · not connected</span>}
        </p>
      </div>
      <p class="totals">
        {counted(tools.length, "tool")}, <strong>{formatCount(cost.list.tokens)} tokens</strong>,{" "}
        {formatBytes(cost.list.bytes)}
      </p>
      <ThemeSwitch />
      {onLeave !== undefined && (
        <button type="button" onClick={onLeave}>
          Leave
        </button>
      )}
    </header>
  );
}
