import { cutText } from "../../cut-text.ts";

const MOST = 100;

/** A text of a stranger's as it may stand in a message: on one line, without what cannot be seen, cut. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").replace(/[\p{Cf}\p{Cc}\p{Co}\p{Cs}]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu, "");
  return `"${cutText(line, MOST)}"`;
}
