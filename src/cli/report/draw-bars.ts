import { escapeHtml } from "./escape-html.ts";
import { shorten } from "./printable.ts";

/** A chart of horizontal bars, one or more a row, each of one or more parts end to end. */
export interface BarChart {
  readonly id: string;
  readonly title: string;
  /** What a reader who does not see it is told. */
  readonly description: string;
  /** The names of the parts' kinds, for the legend. */
  readonly legend: readonly (readonly [kind: string, name: string])[];
  readonly rows: readonly BarRow[];
}

export interface BarRow {
  readonly label: string;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly parts: readonly { readonly kind: string; readonly value: number }[];
  /** Behind the bar. */
  readonly text: string;
}

const [WIDTH, LABEL, TEXT, BAR, GAP, TOP] = [760, 220, 130, 16, 10, 30];
const MOST_CHARACTERS = 30;
const LEAST = 1.5;

/** The chart as SVG: a picture with a name and a description. Its figures must also stand in a table. */
export function drawBars({ id, title, description, legend, rows }: BarChart): string {
  const sums = rows.flatMap(({ bars }) => bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const scale =
    (WIDTH - LABEL - TEXT) /
    Math.max(
      1e-9,
      sums.reduce((most, sum) => Math.max(most, sum), 0),
    );
  let y = TOP;
  const drawn = rows.map((row) => {
    const svg = drawRow(row, y, scale);
    y += row.bars.length * BAR + GAP;
    return svg;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${y}" role="img" aria-labelledby="${id}-t ${id}-d">
<title id="${id}-t">${escapeHtml(title)}</title><desc id="${id}-d">${escapeHtml(description)}</desc>
${drawLegend(legend)}
${drawn.join("\n")}
</svg>`;
}

function drawRow({ label, bars }: BarRow, top: number, scale: number): string {
  const middle = top + (bars.length * BAR) / 2 + 4;
  const name = `<text x="${LABEL - 8}" y="${middle}" text-anchor="end">${escapeHtml(shorten(label, MOST_CHARACTERS))}</text>`;
  return [name, ...bars.map((bar, at) => drawBar(bar, top + at * BAR, scale))].join("");
}

function drawBar({ parts, text }: Bar, y: number, scale: number): string {
  let x = LABEL;
  const drawn = parts.map(({ kind, value }) => {
    // One crash among thousands of calls must still be seen.
    const width = value > 0 ? Math.max(LEAST, value * scale) : 0;
    const part = `<rect class="${kind}" x="${round(x)}" y="${y}" width="${round(width)}" height="${BAR - 2}"/>`;
    x += width;
    return width === 0 ? "" : part;
  });
  return `${drawn.join("")}<text class="figure" x="${round(x + 6)}" y="${y + BAR - 5}">${escapeHtml(text)}</text>`;
}

function drawLegend(legend: BarChart["legend"]): string {
  let x = LABEL;
  const drawn = legend.map(([kind, name]) => {
    const entry = `<rect class="${kind}" x="${x}" y="6" width="12" height="12"/><text x="${x + 17}" y="16">${escapeHtml(name)}</text>`;
    x += 40 + name.length * 7;
    return entry;
  });
  return drawn.join("");
}

const round = (value: number): string => String(Math.round(value * 100) / 100);
