import { skipMark } from "./bytes.ts";
import type { ListScan } from "./scan-list.ts";

/** A scan that is given the chunks of a body as they come. */
export interface ScanFeed {
  /** False where the body is no JSON that can be read; then `fault` says why. */
  take(chunk: Uint8Array): boolean;
  /** The same, for what is left when no more comes. */
  end(): boolean;
  /** `MALFORMED` or `TOO_DEEP`. */
  readonly fault: () => number | undefined;
}

/** What one look through the bytes should have at least, as it costs something by itself. */
const BLOCK = 65_536;
const MARK_BYTES = 3;

/** The bytes are copied once, behind what was left of those before, and looked at while they are still in the processor's own memory. */
export function feedScan(scan: ListScan, block = BLOCK): ScanFeed {
  let room = new Uint8Array(2 * BLOCK);
  let [length, least] = [0, Math.max(block, MARK_BYTES)];
  let isBegun = false;
  let fault: number | undefined;
  const look = (): boolean => {
    const all = room.subarray(0, length);
    const bytes = isBegun ? all : skipMark(all);
    isBegun = true;
    const at = scan.feed(bytes);
    if (at < 0) fault = at;
    if (at < 0) return false;
    const rest = bytes.subarray(at);
    room.set(rest);
    length = rest.length;
    // A row that is longer than a block must not be looked through again with each one.
    least = Math.max(block, 2 * length);
    return true;
  };
  return {
    take(chunk) {
      if (fault !== undefined) return false;
      if (length + chunk.byteLength > room.length) room = enlarge(room, length, chunk.byteLength);
      room.set(chunk, length);
      length += chunk.byteLength;
      return length < least || look();
    },
    end: () => fault === undefined && look(),
    fault: () => fault,
  };
}

function enlarge(room: Uint8Array, length: number, more: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * (length + more));
  larger.set(room.subarray(0, length));
  return larger;
}
