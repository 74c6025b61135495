/** Milliseconds that a page token is good where the curation does not say (contract section 1, `pageTokenTtl`). */
export const PAGE_TOKEN_TTL_MS = 15 * 60_000;
