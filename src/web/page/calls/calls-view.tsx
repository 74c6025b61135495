import { useEffect, useState } from "preact/hooks";
import { counted } from "../../../model/counted.ts";
import type { PageCalls, PageToolCalls } from "../../page-data.ts";
import { askCalls, type Server } from "../ask.ts";
import { describeFailure } from "../ask-failed.ts";
import { Head } from "../parts/head.tsx";
import { formatBytes, formatCount, formatMs, formatShare } from "../parts/numbers.ts";
import { CallBars } from "./call-bars.tsx";

const EVERY_MS = 10_000;

/** What the events say, asked for again while it is looked at. */
export function CallsView({ server }: { readonly server: Server }) {
  const [calls, setCalls] = useState<PageCalls>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    let isShown = true;
    const ask = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        const next = await askCalls(server);
        if (!isShown) return;
        setCalls(next);
        setFailure(undefined);
      } catch (error) {
        if (isShown) setFailure(describeFailure(error));
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), EVERY_MS);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [server]);
  if (calls === undefined) return <p role="status">{failure ?? "The events are being read."}</p>;
  return (
    <>
      {failure !== undefined && (
        <p class="notice broken" role="status">
          This is as it was: {failure} It is asked again every {EVERY_MS / 1_000} s.
        </p>
      )}
      {calls.tools.length === 0 ? <p>No call was written down yet.</p> : <Charts calls={calls} />}
    </>
  );
}

function Charts({ calls }: { readonly calls: PageCalls }) {
  const { from, to, bucketMs, tools, lost, faulty, isPart } = calls;
  const all = addUp(tools);
  const count = tools.reduce((sum, tool) => sum + tool.calls, 0);
  const errors = tools.reduce((sum, tool) => sum + tool.errors, 0);
  const times = `${formatTime(from)} – ${formatTime(to)}`;
  return (
    <>
      <h2>
        {counted(count, "call")}, {counted(errors, "error")}
      </h2>
      <figure>
        <CallBars overTime={all} class="large" />
        <figcaption class="help">
          {times}, a bar for {formatSpan(bucketMs)}, the highest{" "}
          {counted(Math.max(...all.map((one) => one.calls)), "call")}. <span class="swatch ours" aria-hidden="true" />{" "}
          answered <span class="swatch bad" aria-hidden="true" /> errors
        </figcaption>
      </figure>
      <table class="amounts">
        <caption class="unseen">Calls by tool</caption>
        <Head columns={["Tool", "Calls", "Errors", "p50", "p95", "Reply", "From the API", "Over time"]} />
        <tbody>
          {tools.map((tool) => (
            <tr key={tool.tool ?? ""}>
              <th scope="row">{tool.tool === null ? "names of no tool" : <code>{tool.tool}</code>}</th>
              <td data-label="Calls">{formatCount(tool.calls)}</td>
              <td data-label="Errors">
                {formatCount(tool.errors)} ({formatShare(tool.errors, tool.calls)})
              </td>
              <td data-label="p50">{formatMs(tool.p50)}</td>
              <td data-label="p95">{formatMs(tool.p95)}</td>
              <td data-label="Reply">{formatBytes(Math.round(tool.bytesOut))}</td>
              <td data-label="From the API">{formatBytes(Math.round(tool.bytesUpstream))}</td>
              <td class="wide">
                <CallBars overTime={tool.overTime} withP95 />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="help">Bytes are means a call; the line over the bars is the p95.</p>
      {isPart && <p class="help">Only the newest part of the file was read.</p>}
      {lost > 0 && <p class="help">{counted(lost, "event")} could not be written down.</p>}
      {faulty > 0 && <p class="help">{counted(faulty, "line")} of the file cannot be read.</p>}
    </>
  );
}

function addUp(tools: readonly PageToolCalls[]): PageToolCalls["overTime"] {
  const length = Math.max(...tools.map(({ overTime }) => overTime.length));
  return Array.from({ length }, (_, at) => ({
    calls: tools.reduce((sum, { overTime }) => sum + (overTime[at]?.calls ?? 0), 0),
    errors: tools.reduce((sum, { overTime }) => sum + (overTime[at]?.errors ?? 0), 0),
    p95: null,
  }));
}

const formatTime = (time: string | null): string =>
  time === null ? "–" : new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

const SPANS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

function formatSpan(ms: number): string {
  const found = SPANS.find(([span]) => ms >= span);
  return found === undefined ? `${ms} ms` : `${Math.round((ms / found[0]) * 10) / 10} ${found[1]}`;
}
