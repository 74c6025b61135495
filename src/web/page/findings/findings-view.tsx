import { useState } from "preact/hooks";
import { counted } from "../../../model/counted.ts";
import type { Severity } from "../../../model/problem.ts";
import type { PageData, PageFinding } from "../../page-data.ts";
import { ScrollBox } from "../parts/scroll-box.tsx";
import { Words } from "../parts/words.tsx";

const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];

/** What `vitrine check` says, at the lines. */
export function FindingsView({ data }: { readonly data: PageData }) {
  const [hidden, setHidden] = useState<ReadonlySet<Severity>>(new Set());
  const { findings, pending, furtherFindings = 0, isOutdated } = data;
  if (isOutdated)
    return (
      <p>
        The file has changed since it was read, and what <code>vitrine check</code> would find in it is nothing of what
        is served. Send the server a SIGHUP, or start it with <code>--watch</code>, and it serves the file as it is.
      </p>
    );
  if (findings === undefined)
    return (
      <p role="status">{pending.includes("findings") ? "The file is being checked." : "There is nothing to check."}</p>
    );
  const countOf = (severity: Severity): number => findings.filter((one) => one.severity === severity).length;
  const turn = (severity: Severity): void =>
    setHidden(new Set(SEVERITIES.filter((one) => hidden.has(one) !== (one === severity))));
  return (
    <>
      <h2>{findings.length === 0 ? "No findings" : counted(findings.length, "finding")}</h2>
      <fieldset class="row">
        <legend class="unseen">Which are shown</legend>
        {SEVERITIES.filter((severity) => countOf(severity) > 0).map((severity) => (
          <label key={severity}>
            <input type="checkbox" checked={!hidden.has(severity)} onChange={() => turn(severity)} />{" "}
            {counted(countOf(severity), severity)}
          </label>
        ))}
      </fieldset>
      <ol class="findings">
        {findings
          .filter(({ severity }) => !hidden.has(severity))
          .map((finding) => (
            <Finding
              key={`${finding.file}:${finding.line}:${finding.column}:${finding.code}:${finding.message}`}
              finding={finding}
            />
          ))}
      </ol>
      {furtherFindings > 0 && (
        <p>
          And {counted(furtherFindings, "further finding")}: <code>vitrine check</code> tells all.
        </p>
      )}
    </>
  );
}

function Finding({ finding }: { readonly finding: PageFinding }) {
  const { severity, code, message, hint, file, line, column, excerpt } = finding;
  return (
    <li class={`finding ${severity}`}>
      <p>
        <span class={`tag ${severity}`}>{severity}</span>{" "}
        <code>
          {file}:{line}:{column}
        </code>{" "}
        <span class="help">{code}</span>
      </p>
      <Words text={message} />
      {hint !== undefined && <Words text={hint} class="help" />}
      {excerpt !== undefined && <Excerpt excerpt={excerpt} line={line} />}
    </li>
  );
}

interface ExcerptProps {
  readonly excerpt: NonNullable<PageFinding["excerpt"]>;
  readonly line: number;
}

function Excerpt({ excerpt: { firstLine, lines }, line }: ExcerptProps) {
  return (
    <ScrollBox class="text excerpt" label={`Lines around ${line}`}>
      {lines.map((text, at) => {
        const number = firstLine + at;
        return (
          <div key={number} class={number === line ? "line here" : "line"}>
            <span class="number">
              {number === line && <span class="unseen">Here: </span>}
              {number}
            </span>
            {number === line ? <mark>{text || " "}</mark> : text}
          </div>
        );
      })}
    </ScrollBox>
  );
}
