import { ToolError, type ToolErrorCode } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import { clipCharacters } from "../clip-characters.ts";
import { withoutExact } from "../request/exact-number.ts";

/** One thing that is wrong with a caller's arguments. `path` is empty for the arguments as a whole. */
export interface ArgumentFault {
  readonly code: Extract<
    ToolErrorCode,
    "invalid_arguments" | "unknown_argument" | "pinned_argument" | "unknown_fields" | "filter_not_expressible"
  >;
  readonly path: string;
  /** A whole sentence that names the argument. */
  readonly message: string;
  readonly got?: Json;
  readonly allowed?: readonly Json[];
  readonly nearest?: readonly string[];
  /** What to do next, where more is known than its code tells. */
  readonly recover?: string;
}

const RECOVER: Readonly<Record<ArgumentFault["code"], string>> = {
  invalid_arguments: "Correct what the message names and call the tool again.",
  unknown_argument: "Leave that argument out, or use the name of one that the tool has, and call the tool again.",
  pinned_argument: "Leave that argument out: this server sets it for every call, and no caller can change it.",
  unknown_fields: "Use exact names and call the tool again.",
  filter_not_expressible:
    "Ask it with other operators or groups, or leave that condition out and select among the rows of the reply.",
};
const MOST_LISTED = 5;
const MOST_ALLOWED = 50;
const GOT_CHARACTERS = 200;

/** One error for all that is wrong: the first fault gives code, path and details; a pinned argument counts as the first. */
export function refuseArguments(faults: readonly ArgumentFault[]): ToolError {
  const ranked = [...faults].sort((a, b) => rank(a) - rank(b));
  const first = ranked[0]!;
  const recover = first.recover ?? RECOVER[first.code];
  return new ToolError(first.code, {
    message: listMessages(ranked),
    recover: first.nearest?.length && first.recover === undefined ? `${recover} See \`nearest\`.` : recover,
    retryable: false,
    ...(first.path !== "" && { path: first.path }),
    ...(first.got !== undefined && { got: cutGot(first.got) }),
    ...(first.allowed && { allowed: first.allowed.slice(0, MOST_ALLOWED) }),
    ...(first.nearest?.length && { nearest: first.nearest }),
  });
}

function rank(fault: ArgumentFault): number {
  return fault.code === "pinned_argument" ? 0 : 1;
}

function listMessages(faults: readonly ArgumentFault[]): string {
  if (faults.length === 1) return faults[0]!.message;
  const listed = faults.slice(0, MOST_LISTED).map((fault, index) => `(${index + 1}) ${fault.message}`);
  const rest = faults.length - listed.length;
  return `${faults.length} arguments are wrong: ${listed.join(" ")}${rest > 0 ? ` And ${rest} more.` : ""}`;
}

/** What the caller sent, short enough to be echoed. */
function cutGot(sent: Json): Json {
  const got = withoutExact(sent);
  if (typeof got === "string") return clipCharacters(got, GOT_CHARACTERS);
  const text = JSON.stringify(got);
  return text.length > GOT_CHARACTERS ? clipCharacters(text, GOT_CHARACTERS) : got;
}
