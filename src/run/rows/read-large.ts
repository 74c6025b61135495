import type { ReplyBody } from "../../model/exchange.ts";
import { refuseDepth } from "../exchange/parse-if-json.ts";
import { essence, holdsReplaced, type IsFree } from "../exchange/read-body.ts";
import { bodyOf } from "./body-of.ts";
import { joinBytes, skipMark } from "./bytes.ts";
import { feedScan } from "./feed-scan.ts";
import type { RowSizes, RowsWanted } from "./rows-wanted.ts";
import { openScan } from "./scan-list.ts";
import { TOO_DEEP } from "./scan-value.ts";

/** A body that is too large to be held. */
export interface LargeBody {
  /** True: no more is needed. Throws ToolError `upstream_bad_response` for JSON that is nested too deep. */
  take(chunk: Uint8Array): boolean;
  /** What the body is, when all of it was taken that is needed. */
  end(): ReplyBody;
}

/** Of a body that is no JSON so much is shown as text, and more than what an error tells. */
const BEGINNING = 8_192;

export function openLarge(
  wanted: RowsWanted,
  { block }: Pick<RowSizes, "block">,
  contentType: string,
  isFree: IsFree,
): LargeBody {
  const { window, path } = wanted;
  // Rows that it has may be told of by the number of those that were kept.
  const scan = openScan(wanted, window && { from: window.from, to: window.to }, isFree);
  const feed = feedScan(scan, block);
  const enough = window?.mayStop ? window.to : Number.POSITIVE_INFINITY;
  let beginning: Uint8Array = new Uint8Array();
  let isBrokenOff = false;
  const isBroken = (): boolean => {
    if (feed.fault() === TOO_DEEP) throw refuseDepth();
    return feed.fault() !== undefined;
  };
  return {
    take(chunk) {
      if (beginning.length < BEGINNING) beginning = joinBytes([beginning, chunk.slice(0, BEGINNING)]);
      feed.take(chunk);
      // Where it is at its end, nothing is spared, and it may turn out to be broken.
      isBrokenOff = !isBroken() && scan.count() >= enough && !scan.isWhole();
      return isBrokenOff || isBroken();
    },
    end() {
      if (!isBrokenOff) feed.end();
      const found = scan.found();
      const isRead = !isBroken() && (found.isWhole || isBrokenOff);
      const body = isRead ? bodyOf(found, path, window, isFree) : undefined;
      if (body !== undefined) return body;
      const text = new TextDecoder().decode(skipMark(beginning), { stream: true });
      const replaced = holdsReplaced(text, beginning) ? ({ replaced: true } as const) : {};
      return { kind: "text", text, mediaType: essence(contentType), ...replaced };
    },
  };
}
