import { groupDigits } from "../../model/counted.ts";
import { version } from "../version.ts";
import { drawBars } from "./draw-bars.ts";
import { escapeHtml } from "./escape-html.ts";
import { headOf, type Overview, type Section } from "./overview.ts";
import { chartsOf } from "./report-charts.ts";
import { errorGrid, figureGrid, type Grid, retryGrid } from "./report-grids.ts";
import { REPORT_STYLE } from "./report-style.ts";
import { sentence } from "./report-text.ts";

const MOST_ROWS = 500;

/** One page that stands by itself: no script, nothing loaded, every text that others chose escaped. */
export function reportHtml(overview: Overview): string {
  const { all, sections, source } = overview;
  const body = [
    ...(all === undefined ? [] : sections.map(sectionHtml)),
    gridSection("Errors", "errors", "Errors by channel and code", errorGrid(overview)),
    gridSection("Called again", "retries", "Runs in which a tool was called again", retryGrid(overview)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>What the tools did</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<main>
<h1>What the tools did</h1>
<p>${escapeHtml(all === undefined ? "No calls." : sentence(all))}</p>
<p class="source">${escapeHtml(source)}; vitrine ${escapeHtml(version)}</p>
${body.join("\n")}
</main>
</body>
</html>`;
}

const TITLES = new Map([
  ["tool", "By tool"],
  ["tools_sha", "By list of tools"],
  ["day", "By day"],
]);

function sectionHtml(section: Section): string {
  const { by } = section;
  const title = TITLES.get(by.join()) ?? `By ${headOf(by).join(" and ")}`;
  const figures = chartsOf(section).map(
    (chart) => `<figure><figcaption>${escapeHtml(chart.title)}</figcaption>${drawBars(chart)}</figure>`,
  );
  return inSection(title, by.join("-"), [...figures, gridHtml(`${title}: every figure`, figureGrid(section))]);
}

function gridSection(title: string, id: string, caption: string, grid: Grid): string {
  return grid.rows.length === 0 ? "" : inSection(title, id, [gridHtml(caption, grid)]);
}

function inSection(title: string, id: string, parts: readonly string[]): string {
  return `<section aria-labelledby="${id}-h">\n<h2 id="${id}-h">${escapeHtml(title)}</h2>\n${parts.join("\n")}\n</section>`;
}

/** It can be moved by keyboard where it is wider than the page. */
function gridHtml(caption: string, { head, rows, names }: Grid): string {
  const more = rows.length > MOST_ROWS ? `<p>… and ${groupDigits(rows.length - MOST_ROWS)} more.</p>` : "";
  const lines = rows.slice(0, MOST_ROWS).map((row) => {
    const cells = row.map((cell, at) =>
      at < names ? `<th scope="row"><bdi>${escapeHtml(cell)}</bdi></th>` : `<td>${escapeHtml(cell)}</td>`,
    );
    return `<tr>${cells.join("")}</tr>`;
  });
  const heads = head.map((name) => `<th scope="col">${escapeHtml(name)}</th>`);
  return `<div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(caption)}">
<table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${heads.join("")}</tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table>
</div>${more}`;
}
