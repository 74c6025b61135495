import { ToolError } from "../../model/errors.ts";

/** How long what an upstream lists is taken for what it still lists. */
const KEPT_MS = 300_000;
/** Lists of one access; beyond, the one that was asked for first is read again. */
const MOST_KEPT = 64;

interface Kept {
  readonly until: number;
  readonly list: Promise<unknown>;
}

/** By what they were read with: what one credential may see, another need not. */
const keptOf = new WeakMap<object, Map<string, Kept>>();

export interface Remembering {
  /** Lives as long as what was read with it may be used. */
  readonly access: object;
  /** Says all that the list depends on. */
  readonly key: string;
  readonly now: number;
  /** How long it is kept; five minutes where absent. */
  readonly keepMs?: number;
  /** Rejects when this caller stops waiting; never resolves. */
  readonly gone: Promise<never>;
}

/**
 * A list from memory, or as `read` gives it. Callers who ask at the same time share one reading. A failure is not kept, and where the reading ended
 * only because its own caller went away or had no more time, the others read for themselves.
 */
export async function rememberList<T>(
  { access, key, now, gone, keepMs = KEPT_MS }: Remembering,
  read: () => Promise<T>,
): Promise<T> {
  const kept = keptOf.get(access) ?? new Map<string, Kept>();
  keptOf.set(access, kept);
  for (;;) {
    const known = kept.get(key);
    if (known === undefined || known.until <= now) return await readAnew(kept, key, now + keepMs, read);
    try {
      return (await Promise.race([known.list, gone])) as T;
    } catch (error) {
      // Gone ourselves: the race would go on for ever.
      await Promise.race([gone, undefined]);
      if (!isOfItsCaller(error)) throw error;
      forget(kept, key, known);
    }
  }
}

async function readAnew<T>(kept: Map<string, Kept>, key: string, until: number, read: () => Promise<T>): Promise<T> {
  const list = read();
  const entry: Kept = { until, list };
  kept.delete(key);
  kept.set(key, entry);
  for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
  try {
    return await list;
  } catch (error) {
    forget(kept, key, entry);
    throw error;
  }
}

function forget(kept: Map<string, Kept>, key: string, entry: Kept): void {
  if (kept.get(key) === entry) kept.delete(key);
}

function isOfItsCaller(error: unknown): boolean {
  return error instanceof ToolError && (error.code === "cancelled" || error.code === "upstream_timeout");
}
