import type { PageStyle } from "../../curation/format.ts";
import type { FilledPlace, PagePlan, PageSize } from "../../model/call.ts";
import { placePath, type Sent } from "../inputs/sent-value.ts";
import type { EntryPath } from "../open-report.ts";
import { type PinPlan, pinOf } from "../pins/plan-pins.ts";
import { findPlace, type PlaceProblem, type Site } from "../places/find-place.ts";
import type { Target } from "../places/request-places.ts";
import { wirePlace } from "../places/wire-type.ts";
import { flattenSchema } from "../types/flatten-schema.ts";

/** A style of pages and what one operation has of its places. */
export interface FitStyle {
  readonly style: PageStyle;
  /** Where the style stands. */
  readonly at: EntryPath;
  readonly send?: Site;
  readonly size?: Site;
  /** The places that the operation does not have. */
  readonly lacks: readonly { readonly key: "send" | "size"; readonly text: string; readonly why: PlaceProblem }[];
}

/** Looks for the places of a style in an operation. */
export function fitStyle(style: PageStyle, at: EntryPath, target: Target): FitStyle {
  const texts = [
    ["send", "send" in style ? style.send : undefined],
    ["size", typeof style.size === "string" ? style.size : undefined],
  ] as const;
  const found = texts.flatMap(([key, text]) =>
    text === undefined ? [] : [{ key, text, site: findPlace(text, target) }],
  );
  const sites = found.flatMap(({ key, site }) => (site.kind === "site" ? [[key, site] as const] : []));
  const lacks = found.flatMap(({ key, text, site }) => (site.kind === "problem" ? [{ key, text, why: site }] : []));
  return { style, at, lacks, ...Object.fromEntries(sites) };
}

/** The plan of a style whose places were found. */
export function planPages(fit: FitStyle, sent: readonly Sent[], pins: readonly PinPlan[], target: Target): PagePlan {
  const { style, send } = fit;
  const size: PageSize = {
    ...planSize(fit, sent, pins, target),
    ...(style.more !== undefined && { more: { jmespath: style.more } }),
  };
  switch (style.style) {
    case "page":
      return { style: "page", send: filled(send!, target), first: style.first ?? 1, ...size };
    case "offset":
      return { style: "offset", send: filled(send!, target), ...size };
    case "token":
    case "last":
      return { style: style.style, send: filled(send!, target), next: { jmespath: style.next }, ...size };
    case "link":
      return { style: "link", ...size };
    case "range":
      return { style: "range", unit: style.unit ?? "items", ...size };
    default:
      return style satisfies never;
  }
}

/** What the call itself, a caller or a pin sends as the size stays; a number there is known. */
function planSize(
  { style, size: site }: FitStyle,
  sent: readonly Sent[],
  pins: readonly PinPlan[],
  target: Target,
): PageSize {
  if (typeof style.size === "number") return { sizeFixed: style.size };
  const most = style.sizeMax ?? (site === undefined ? undefined : maximumAt(site, target));
  const known = most === undefined ? {} : { sizeMax: most };
  if (site === undefined) return known;
  if (pinOf(site.place, pins) !== undefined) return known;
  const path = placePath(site.place).join("\n");
  const own = sent.find((one) => placePath(one.site.place).join("\n") === path);
  if (own === undefined) return { size: filled(site, target), ...known };
  const fixed = own.value.kind === "literal" ? Number(own.value.value) : Number.NaN;
  return Number.isInteger(fixed) && fixed > 0 ? { sizeFixed: fixed, ...known } : known;
}

/** What the spec itself allows at most. */
function maximumAt({ spot }: Site, { reader }: Target): number | undefined {
  const most = spot === undefined ? undefined : flattenSchema(spot, reader).own.maximum;
  return most !== undefined && Number.isInteger(most) && most > 0 ? most : undefined;
}

function filled(site: Site, target: Target): FilledPlace {
  return { place: site.place, type: wirePlace(site, target.reader).type };
}
