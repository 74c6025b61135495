import { createHash } from "node:crypto";
import { Refusal } from "./refusal.ts";

/** A token is the number of rows before the page, and a digest of what was asked, so that it serves no other question. */
export const writePageToken = (offset: number, question: unknown): string =>
  Buffer.from(`${offset}.${digest(question)}`).toString("base64url");

/** The number of rows before the page; 0 without a token. Throws `Refusal` for a token that is not this question's. */
export function readPageToken(token: string | undefined, question: unknown): number {
  if (token === undefined) return 0;
  const [, offset, mark] = /^(\d{1,9})\.([0-9a-f]{16})$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (offset === undefined || mark !== digest(question))
    throw new Refusal("INVALID_PAGE_TOKEN", "The page token is malformed or belongs to another query.");
  return Number(offset);
}

const digest = (question: unknown): string =>
  createHash("sha256").update(JSON.stringify(question)).digest("hex").slice(0, 16);
