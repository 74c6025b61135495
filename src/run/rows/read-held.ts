import type { ReplyBody } from "../../model/exchange.ts";
import type { IsFree } from "../exchange/read-body.ts";
import { bodyOf } from "./body-of.ts";
import { feedScan } from "./feed-scan.ts";
import type { RowsWanted } from "./rows-wanted.ts";
import { openScan } from "./scan-list.ts";

/** A body all of whose bytes are kept by others, to be read whole in doubt. */
export interface HeldBody {
  /** Gives false: it always takes more. */
  take(chunk: Uint8Array): false;
  /** Undefined for whatever is not in its best order. */
  end(): ReplyBody | undefined;
}

/** Undefined where there is nothing to be spared. */
export function openHeld({ window, ...wanted }: RowsWanted, isFree: IsFree): HeldBody | undefined {
  const own = window?.onlyOfLarge ? undefined : window;
  if (own === undefined && wanted.reads === undefined) return undefined;
  const scan = openScan(wanted, own, isFree);
  const feed = feedScan(scan);
  return {
    take(chunk) {
      feed.take(chunk);
      return false;
    },
    end() {
      if (!feed.end()) return undefined;
      const found = scan.found();
      if (!found.isWhole) return undefined;
      const [first] = found.rows;
      if (own?.isExpected !== undefined && (first === undefined || !own.isExpected(first))) return undefined;
      return bodyOf(found, wanted.path, own, isFree);
    },
  };
}
