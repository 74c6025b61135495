import { FAULT_NAMES, TOOL_ERROR_CODES } from "../../model/errors.ts";

/** What a call can end with that vitrine itself names: tools' errors, and faults of the protocol and of ours. */
const KNOWN: ReadonlySet<string> = new Set([
  ...TOOL_ERROR_CODES,
  ...FAULT_NAMES.values(),
  "unknown_tool",
  "overloaded",
  "rejected",
  "unanswered",
]);
/** Curations name codes of their own: so many of them, of all servers. */
const MOST_OWN = 100;

/** Gives the code, or `other` where so many others have come that it would be one label too many. */
export function openCodes(): (code: string) => string {
  const own = new Set<string>();
  return (code) => {
    if (KNOWN.has(code) || own.has(code)) return code;
    if (own.size >= MOST_OWN || !/^[a-z][a-z0-9_]{0,63}$/.test(code)) return "other";
    own.add(code);
    return code;
  };
}
