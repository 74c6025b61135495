export interface ContentRange {
  /** Numbers of the first and the last row that came; absent where none did. */
  readonly rows?: { readonly first: number; readonly last: number };
  /** Rows of the whole list; absent where the upstream does not say. */
  readonly total?: number;
}

/** A Content-Range (RFC 9110 14.4) in any unit, or in none, as some servers write it; undefined for what is none. */
export function parseContentRange(header: string | undefined): ContentRange | undefined {
  const found = /^\s*(?:[^\s=]+[\s=]+)?(?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)\s*$/.exec(header ?? "");
  if (found === null) return undefined;
  const [, first, last, total] = found;
  return {
    ...(first !== undefined && last !== undefined && { rows: { first: Number(first), last: Number(last) } }),
    ...(total !== undefined && total !== "*" && { total: Number(total) }),
  };
}
