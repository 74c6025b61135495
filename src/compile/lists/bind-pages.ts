import type { PageStyle, ToolEntry } from "../../curation/format.ts";
import { placeText } from "../../model/place.ts";
import { holds, placePath, type Sent } from "../inputs/sent-value.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { pinOf } from "../pins/plan-pins.ts";
import type { Site } from "../places/find-place.ts";
import type { Target } from "../places/request-places.ts";
import type { ToolContext } from "../tool-context.ts";
import { type FitStyle, fitStyle, planPages } from "./fit-style.ts";

/** The list that is to be paged. */
export interface PagedList {
  /** The tool's own `pages`, which stands below `at`. */
  readonly own?: ToolEntry["pages"];
  /** What the call sends by itself. */
  readonly sent: readonly Sent[];
  /** Whether the request only reads. */
  readonly safe: boolean;
}

/** How a list is paged; the expressions in it are checked where the type of the body is known (`checkPages`). */
export interface BoundPages extends Pick<FitStyle, "style" | "at"> {
  readonly plan: ReturnType<typeof planPages>;
  readonly isOwn: boolean;
}

type PagesContext = Pick<ToolContext, "curation" | "pins">;

/**
 * The first style whose places the operation has: of the tool's own, one of which must fit, else of the API's. None where the tool says
 * `none`, where the call may write, or where the call itself sends what asks for a page.
 */
export function bindPages(
  list: PagedList,
  at: EntryPath,
  target: Target,
  context: PagesContext,
  report: Report,
): BoundPages | undefined {
  const { own, safe } = list;
  // A null is not sent.
  const sent = list.sent.filter(({ value }) => value.kind !== "literal" || value.value !== null);
  if (own === "none") return undefined;
  const isOwn = own !== undefined;
  const styles = isOwn
    ? stylesAt(own, [...at, "pages"])
    : stylesAt(context.curation.content.api.pages, ["api", "pages"]);
  if (isOwn && !safe) {
    reportUnsafe([...at, "pages"], target, report);
    return undefined;
  }
  const looked = styles.map(({ style, at: here }) => fitStyle(style, here, target));
  const fit = looked.find((one) => one.lacks.length === 0);
  if (fit === undefined || !safe) {
    if (isOwn) reportUnfit(looked, [...at, "pages"], target, report);
    return undefined;
  }
  if (fit.send !== undefined && isTaken(fit.send, fit, isOwn, sent, context, report)) return undefined;
  return { plan: planPages(fit, sent, context.pins, target), style: fit.style, at: fit.at, isOwn };
}

function stylesAt(
  pages: PageStyle | readonly PageStyle[] | undefined,
  at: EntryPath,
): { readonly style: PageStyle; readonly at: EntryPath }[] {
  if (pages === undefined) return [];
  return "style" in pages ? [{ style: pages, at }] : pages.map((style, index) => ({ style, at: [...at, index] }));
}

function reportUnsafe(at: EntryPath, target: Target, report: Report): void {
  const message = `\`${nameOf(target)}\` may write, and what writes is not sent again for a further page.`;
  report.add("error", "unsafe_pages", at, message, "Say `effect: read` where it only reads, or `pages: none`.");
}

/** One style says what it lacks at the place itself; of several, nobody knows which was meant. */
function reportUnfit(looked: readonly FitStyle[], at: EntryPath, target: Target, report: Report): void {
  const [only, second] = looked;
  if (only !== undefined && second === undefined) {
    for (const { key, why } of only.lacks)
      report.add("error", why.code, [...only.at, key], why.message, why.hint ?? "Name a place of the operation.");
    return;
  }
  const wanted = looked
    .map(({ style, lacks }) => `${style.style} (${lacks.map(({ text }) => text).join(" and ")})`)
    .join(", ");
  const message = `\`${nameOf(target)}\` has the places of none of these styles.`;
  report.add(
    "error",
    "unfit_pages",
    at,
    message,
    `It lacks those of ${wanted}; write \`pages: none\` where it has no pages.`,
  );
}

/** Whether the call itself, a caller or a pin says which page is asked for. */
function isTaken(
  send: Site,
  { at }: FitStyle,
  isOwn: boolean,
  sent: readonly Sent[],
  { pins }: PagesContext,
  report: Report,
): boolean {
  const path = placePath(send.place);
  const taker = sent.find(({ site }) => holds(path, placePath(site.place)));
  const pin = pinOf(send.place, pins);
  if (taker === undefined && pin === undefined) return false;
  const text = placeText(send.place);
  if (isOwn) {
    const by = pin === undefined ? "is sent by the tool itself as well" : `is a place of the pin \`${pin.name}\``;
    const message = `\`${text}\` asks for a page, and ${by}.`;
    report.add("error", "page_taken", [...at, "send"], message, "Take it out there, or write `pages: none`.");
  } else if (taker !== undefined) {
    const message = `\`${text}\` asks for a page of the upstream, so the list is not paged by \`api.pages\` any more.`;
    const hint = "Take it out: callers go on with pageToken. Where it is meant, write `pages: none`.";
    report.add("warning", "page_taken", taker.at, message, hint);
  }
  return true;
}

export function nameOf({ operation }: Target): string {
  return operation.id ?? operation.key;
}
