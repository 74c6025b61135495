import type { CursorKeys } from "./cursor-keys.ts";
import { measureSeal, sealText, unsealText } from "./seal-text.ts";
import { readContent, type TokenContent, writeContent } from "./token-content.ts";

export function sealPageToken(keys: CursorKeys, content: TokenContent): string {
  return sealText(keys, writeContent(content));
}

/** How long a token with this content is. */
export function measurePageToken(content: TokenContent): number {
  return measureSeal(writeContent(content));
}

/** What a token holds; undefined for a text that none of these keys has sealed. */
export function unsealPageToken(keys: CursorKeys, token: string): TokenContent | undefined {
  const text = unsealText(keys, token);
  return text === undefined ? undefined : readContent(text);
}
