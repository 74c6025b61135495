/** One line of an events file (contract section 10), checked. Of the keys only those that a count needs must be there; the others are null where they are not. */
export interface CallEvent {
  /** ISO 8601 in UTC. */
  readonly ts: string;
  readonly run_id: string | null;
  readonly attempt: number | null;
  readonly server: string | null;
  readonly tool: string | null;
  readonly latency_ms: number;
  readonly upstream_ms: number | null;
  readonly upstream_calls: number | null;
  readonly ok: boolean;
  readonly is_error: boolean | null;
  readonly error_channel: string | null;
  readonly error: string | null;
  readonly bytes_in: number | null;
  readonly bytes_out: number | null;
  readonly bytes_upstream: number | null;
  readonly rows_omitted: number | null;
  readonly prompt_sha: string | null;
  readonly tools_sha: string | null;
  readonly key_id: string | null;
  /** Events that were lost before this one. */
  readonly lost: number | null;
  readonly outcome: Outcome;
}

/** How a call ended. A line that contradicts itself counts as the worst that it says. */
export type Outcome = "ok" | "tool_error" | "protocol" | "crash";

/** What a line is; `other` is an event of another method than tools/call. */
export type ReadLine =
  | { readonly kind: "event"; readonly event: CallEvent }
  | { readonly kind: "fault"; readonly reason: string }
  | { readonly kind: "blank" | "other" };

type Kind = "text" | "count" | "milliseconds" | "flag" | "moment";
type Column = readonly [name: keyof CallEvent, kind: Kind, required?: "required"];

/** What of a line is kept, in the order of the contract, and what it must be. */
export const COLUMNS: readonly Column[] = [
  ["ts", "moment", "required"],
  ["run_id", "text"],
  ["attempt", "count"],
  ["server", "text"],
  ["tool", "text"],
  ["latency_ms", "milliseconds", "required"],
  ["upstream_ms", "milliseconds"],
  ["upstream_calls", "count"],
  ["ok", "flag", "required"],
  ["is_error", "flag"],
  ["error_channel", "text"],
  ["error", "text"],
  ["bytes_in", "count"],
  ["bytes_out", "count"],
  ["bytes_upstream", "count"],
  ["rows_omitted", "count"],
  ["prompt_sha", "text"],
  ["tools_sha", "text"],
  ["key_id", "text"],
  ["lost", "count"],
];

const CHANNELS: readonly unknown[] = ["protocol", "tool_result", "crash", null, undefined];

/**
 * One line without its line break. A beginning of a line is never an event: an object that was cut is no JSON. A byte order mark before it is passed over,
 * as RFC 8259 8.1 allows: files that were written by other programs, and those put together of such, have them.
 */
export function readCallEvent(line: string): ReadLine {
  if (line.trim() === "") return { kind: "blank" };
  const record = parseObject(line.replace(/^\uFEFF+/, ""));
  if (record === undefined) return { kind: "fault", reason: "it is torn, or no JSON object" };
  const { schema, mcp_method: method, error_channel: channel } = record;
  if (schema !== "events.v1") return { kind: "fault", reason: "its `schema` is not events.v1" };
  if (!fits(method ?? null, "text", false)) return { kind: "fault", reason: "`mcp_method` is no text" };
  if ((method ?? "tools/call") !== "tools/call") return { kind: "other" };
  if (!CHANNELS.includes(channel)) return { kind: "fault", reason: "`error_channel` is none of the three" };
  const wrong = COLUMNS.find(([name, kind, required]) => !fits(record[name] ?? null, kind, required !== undefined));
  if (wrong !== undefined) return { kind: "fault", reason: `\`${wrong[0]}\` is missing, or not what it must be` };
  const kept = COLUMNS.map(([name, kind]) => [name, keep(record[name] ?? null, kind)] as const);
  const event = Object.fromEntries(kept) as unknown as Omit<CallEvent, "outcome">;
  return { kind: "event", event: { ...event, outcome: outcomeOf(event) } };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const CHECKS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  // So few that their sum is a number too.
  milliseconds: (value) => typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER,
  flag: (value) => typeof value === "boolean",
  moment: (value) =>
    typeof value === "string" &&
    /^\d{4}-\d\d-\d\dT[\d:.]{5,20}(Z|[+-]\d\d:\d\d)$/.test(value) &&
    /^\d{4}-/.test(inUtc(value)) &&
    // Date takes the 30th of February for a day of March.
    inUtc(`${value.slice(0, 10)}T00:00:00Z`).startsWith(value.slice(0, 10)),
};

function fits(value: unknown, kind: Kind, required: boolean): boolean {
  return value === null ? !required : CHECKS[kind](value);
}

function inUtc(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

// Half a character of a pair, which JSON may name, no database takes.
function keep(value: unknown, kind: Kind): unknown {
  if (typeof value !== "string") return value;
  if (kind === "moment") return inUtc(value);
  return /\p{Surrogate}/u.test(value) ? Buffer.from(value).toString() : value;
}

function outcomeOf({ ok, is_error: isError, error_channel: channel }: Omit<CallEvent, "outcome">): Outcome {
  if (channel === "crash" || channel === "protocol") return channel;
  return channel === "tool_result" || isError === true || !ok ? "tool_error" : "ok";
}
