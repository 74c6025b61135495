/** What is written one after the other in the encoding of Protocol Buffers (Encoding: tags, varints, lengths). Used again and again. */
export interface ProtoBytes {
  bytes: Buffer;
  /** So many are written. */
  size: number;
}

/** With room for so many at first. */
export function openProtoBytes(room: number): ProtoBytes {
  return { bytes: Buffer.allocUnsafe(room), size: 0 };
}

/** A copy of what is written. */
export function takeBytes({ bytes, size }: ProtoBytes): Uint8Array {
  return Buffer.from(bytes.subarray(0, size));
}

/** Makes sure that so many more fit. */
function grow(out: ProtoBytes, more: number): void {
  if (out.size + more <= out.bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(out.bytes.length * 2, out.size + more));
  out.bytes.copy(larger, 0, 0, out.size);
  out.bytes = larger;
}

export function writeByte(out: ProtoBytes, byte: number): void {
  grow(out, 1);
  out.bytes[out.size++] = byte;
}

/** Of a whole number below 2^32. */
export function writeVarint(out: ProtoBytes, value: number): void {
  grow(out, 5);
  let left = value;
  for (; left > 0x7f; left >>>= 7) out.bytes[out.size++] = (left & 0x7f) | 0x80;
  out.bytes[out.size++] = left;
}

/** Of any whole number of 64 bits, as two's complement. */
export function writeInt64(out: ProtoBytes, value: number): void {
  if (value >= 0 && value <= 0xffffffff) {
    writeVarint(out, value);
    return;
  }
  let left = BigInt.asUintN(64, BigInt(value));
  for (; left > 0x7fn; left >>= 7n) writeByte(out, Number(left & 0x7fn) | 0x80);
  writeByte(out, Number(left));
}

export function writeFixed32(out: ProtoBytes, value: number): void {
  grow(out, 4);
  out.size = out.bytes.writeUInt32LE(value, out.size);
}

export function writeDouble(out: ProtoBytes, value: number): void {
  grow(out, 8);
  out.size = out.bytes.writeDoubleLE(value, out.size);
}

/** Its length, and its UTF-8. */
export function writeText(out: ProtoBytes, text: string): void {
  const before = out.size;
  writeVarint(out, text.length);
  grow(out, text.length);
  const { bytes } = out;
  let { size } = out;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) {
      out.size = before;
      writeBytes(out, Buffer.from(text));
      return;
    }
    bytes[size++] = code;
  }
  out.size = size;
}

/** Their number, and they themselves. */
export function writeBytes(out: ProtoBytes, bytes: Uint8Array): void {
  writeVarint(out, bytes.length);
  writePlain(out, bytes);
}

export function writePlain(out: ProtoBytes, bytes: Uint8Array): void {
  grow(out, bytes.length);
  out.bytes.set(bytes, out.size);
  out.size += bytes.length;
}

/** What stands between these places. */
export function writePart(out: ProtoBytes, bytes: Buffer, from: number, to: number): void {
  grow(out, to - from);
  out.size += bytes.copy(out.bytes, out.size, from, to);
}

/** Half as many bytes as there are hex digits, and those. */
export function writeHex(out: ProtoBytes, digits: string): void {
  const { length } = digits;
  writeVarint(out, length / 2);
  grow(out, length / 2);
  const { bytes } = out;
  let { size } = out;
  for (let at = 0; at < length; at += 2)
    bytes[size++] = (digitOf(digits.charCodeAt(at)) << 4) | digitOf(digits.charCodeAt(at + 1));
  out.size = size;
}

/** Letters are one behind a multiple of 16, and count from ten. */
function digitOf(code: number): number {
  return (code & 15) + (code >> 6) * 9;
}

/** Begins a message within the message: gives where, for `endMessage`. */
export function beginMessage(out: ProtoBytes, tag: number): number {
  writeByte(out, tag);
  writeByte(out, 0);
  return out.size;
}

/** Puts its length before it. */
export function endMessage(out: ProtoBytes, start: number): void {
  const length = out.size - start;
  if (length <= 0x7f) {
    out.bytes[start - 1] = length;
    return;
  }
  const further = length < 0x4000 ? 1 : length < 0x200000 ? 2 : length < 0x10000000 ? 3 : 4;
  grow(out, further);
  out.bytes.copyWithin(start + further, start, out.size);
  out.size = start - 1;
  writeVarint(out, length);
  out.size = start + further + length;
}
