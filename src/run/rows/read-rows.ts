import { crc32 } from "node:zlib";
import type { EgressReply } from "../../egress/open-egress.ts";
import type { UpstreamReply } from "../../model/exchange.ts";
import { type IsFree, readBody } from "../exchange/read-body.ts";
import { beginsJson, joinBytes, skipBlank } from "./bytes.ts";
import { type HeldBody, openHeld } from "./read-held.ts";
import { type LargeBody, openLarge } from "./read-large.ts";
import type { RowSizes, RowsWanted, WantRows } from "./rows-wanted.ts";

const SIZES: RowSizes = { least: 32_000, whole: 4_000_000, block: 256_000 };
/** So much whitespace is held before a body, as it may be the beginning of a text. */
const MOST_BLANK = 8_192;

/**
 * Reads of a JSON body in UTF-8 what is wanted of it. Up to `sizes.whole` the reply made of it is the same as that of the whole body, whatever the
 * body is: in doubt it is read whole. Of a larger one never more is held than what is kept, what stands beside its rows, and some blocks; where the window
 * is enough, the download is broken off. Throws what reading the body throws, and ToolError `upstream_bad_response` for JSON that is nested too deep.
 */
export async function readRows(
  { headers, body }: Pick<EgressReply, "headers" | "body">,
  want: WantRows,
  onBytes: (bytes: number) => void = () => {},
  isFree: IsFree = () => false,
  sizes: RowSizes = SIZES,
): Promise<Pick<UpstreamReply, "bytes" | "body">> {
  const contentType = headers.get("content-type") ?? "";
  const held: Uint8Array[] = [];
  const stated = statedLength(headers);
  let [bytes, sum, isAsked] = [0, 0, false];
  let wanted: RowsWanted | undefined;
  let small: HeldBody | undefined;
  let large: LargeBody | undefined;
  let begun: Uint8Array | undefined;
  let begins: boolean | undefined;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    onBytes(chunk.byteLength);
    if (large === undefined) held.push(chunk);
    if (bytes < sizes.least) continue;
    let fresh: readonly Uint8Array[] = [chunk];
    if (!isAsked) [wanted, isAsked, fresh] = [want(), true, held];
    if (wanted === undefined) continue;
    if (wanted.isCompared) sum = fresh.reduce((before, one) => crc32(one, before), sum);
    if (large === undefined && begins === undefined && Math.max(bytes, stated) > sizes.whole) {
      begun = skipBlank(begun === undefined ? joinHeld(held) : joinBytes([begun, chunk]));
      begins = beginsJson(begun);
      if (begins === undefined && bytes > MOST_BLANK) held.splice(0, held.length, begun);
      if (begins) {
        large = openLarge(wanted, sizes, contentType, isFree);
        fresh = held.splice(0);
      }
    }
    if (large === undefined) small ??= openHeld(wanted, isFree);
    if (fresh.some((one) => (large ?? small)?.take(one)) && large !== undefined) break;
  }
  const read = large?.end() ?? small?.end() ?? readBody(joinHeld(held), contentType, isFree);
  const print = wanted?.isCompared ? { print: `${bytes} ${sum}` } : {};
  return { bytes, body: read.kind === "json" ? { ...read, ...print } : read };
}

function joinHeld(held: readonly Uint8Array[]): Uint8Array {
  return held.length === 1 ? held[0]! : joinBytes(held);
}

/** Of a body that is packed it says less than what will come. */
function statedLength(headers: EgressReply["headers"]): number {
  return Number(headers.get("content-length") ?? 0) || 0;
}
