import type { Json } from "../../model/json.ts";
import type { PageCursor, PageToken, Position } from "../list/list-read.ts";

/** All that a page token holds. */
export interface TokenContent extends PageToken {
  /** When it was made. */
  readonly made: Date;
  /** Of all that it is bound to (see `digest-call`). */
  readonly digest: string;
}

/** Texts come in steps of so many bytes, so that a token's length says next to nothing of its position. */
const STEP = 32;

/** As JSON text, which spaces fill up. */
export function writeContent({ position, anchor, now, made, digest }: TokenContent): string {
  const at = now.getTime();
  const text = JSON.stringify([at, made.getTime() - at, digest, anchor || 0, ...writePosition(position)]);
  return text + " ".repeat(-Buffer.byteLength(text) & (STEP - 1));
}

/** What `writeContent` wrote. The text is known to be ours. */
export function readContent(text: string): TokenContent {
  const [at, age, digest, anchor, ...position] = JSON.parse(text) as [number, number, string, string | 0, ...Json[]];
  return {
    now: new Date(at),
    made: new Date(at + age),
    digest,
    ...(anchor !== 0 && { anchor }),
    position: readPosition(position),
  };
}

function writePosition(position: Position): Json[] {
  if (position.kind === "row") return [ROW, position.at];
  const { page, skip, size } = position;
  return [...writeCursor(page), skip, ...(size === undefined ? [] : [size])];
}

const [ROW, FIRST, NUMBER, VALUE, LINK] = ["r", "f", "n", "v", "l"];

function writeCursor(page: PageCursor): [string, Json] {
  switch (page.kind) {
    case "first":
      return [FIRST, 0];
    case "number":
      return [NUMBER, page.number];
    case "value":
      return [VALUE, page.value];
    case "link":
      return [LINK, page.target];
    default:
      return page satisfies never;
  }
}

function readPosition([kind, value, skip, size]: readonly Json[]): Position {
  if (kind === ROW) return { kind: "row", at: value as number };
  const page = readCursor(kind as string, value as Json);
  return { kind: "page", page, skip: skip as number, ...(size !== undefined && { size: size as number }) };
}

function readCursor(kind: string, value: Json): PageCursor {
  if (kind === NUMBER) return { kind: "number", number: value as number };
  if (kind === VALUE) return { kind: "value", value };
  return kind === LINK ? { kind: "link", target: value as string } : { kind: "first" };
}
