import type { RuleFamily } from "./rule-family.ts";

/** Of what callers feel beside the schemas. */
export const CONDUCT_RULES = [
  {
    why: "The tool does the same work by other means: what it costs, sees and fails with may differ.",
    remedy: "Compare replies of both (`vitrine call --raw`).",
    rules: [["operations_changed", "BEHAVIOUR", "Other operations behind the tool"]],
  },
  {
    why: "Credentials without the new right are refused by the upstream, and the tool fails.",
    remedy: "Grant the right before this goes out.",
    rules: [["access_added", "BREAKING", "Further access needed"]],
  },
  {
    why: "Credentials that were enough still are.",
    remedy: "Nothing must be done; what is no longer needed can be taken from the credentials.",
    rules: [["access_removed", "COMPATIBLE", "Less access needed"]],
  },
  {
    why: "The same arguments become other requests, and digests cannot say which; so it counts as breaking.",
    remedy:
      "Compare the requests of both (`vitrine call --dry-run`); suppress it with a reason once they are understood.",
    rules: [["requests_changed", "UNKNOWN", "Other requests for the same arguments"]],
  },
  {
    why: "The same answers become other replies, and digests cannot say which; so it counts as breaking.",
    remedy: "Compare replies of both (`vitrine call --raw`); suppress it with a reason once they are understood.",
    rules: [["replies_changed", "UNKNOWN", "Other replies from the same answers"]],
  },
  {
    why: "Calls that ask for more rows than that are refused.",
    remedy: "Keep the old `limit.max`.",
    rules: [["max_limit_lowered", "BREAKING", "Largest limit lowered"]],
  },
  {
    why: "Calls whose list is longer than that are refused, as no part of it would be in the right order.",
    remedy: "Keep the old `all.max`.",
    rules: [["read_whole_lowered", "BREAKING", "Most rows read whole lowered"]],
  },
  {
    why: "Every limit that was taken still is.",
    remedy: "Nothing must be done.",
    rules: [["max_limit_raised", "COMPATIBLE", "Largest limit raised"]],
  },
  {
    why: "The same call gives other rows, more or fewer, sooner or later.",
    remedy: "Check what relies on it, and run your evaluations.",
    rules: [
      ["default_limit_changed", "BEHAVIOUR", "Default limit changed"],
      ["budget_changed", "BEHAVIOUR", "Budget of a reply changed"],
      ["deadline_changed", "BEHAVIOUR", "Deadline changed"],
      ["order_changed", "BEHAVIOUR", "Order of rows changed"],
      ["totals_changed", "BEHAVIOUR", "Totals made in another way"],
      ["grouping_changed", "BEHAVIOUR", "Rows added up in another way"],
      ["read_whole_changed", "BEHAVIOUR", "Most rows read whole changed"],
      ["text_cut_changed", "BEHAVIOUR", "Text cut in another way"],
      ["paging_changed", "BEHAVIOUR", "Upstream pages asked for in another way"],
    ],
  },
  {
    why: "Agents go on by what errors and replies tell them to do next.",
    remedy: "Check that what they are told to do can be done.",
    rules: [
      ["errors_changed", "BEHAVIOUR", "Errors called or explained in another way"],
      ["suggestions_changed", "BEHAVIOUR", "Other next calls suggested"],
      ["confirm_text_changed", "BEHAVIOUR", "Question before a write edited"],
      ["empty_note_changed", "BEHAVIOUR", "Note of an empty list edited"],
    ],
  },
  {
    why: "A call that wrote at once now does nothing until someone agrees, or is refused where nobody can be asked.",
    remedy: "Tell every user; a client that cannot ask passes `confirm`.",
    rules: [
      ["confirm_added", "BREAKING", "Asks before it writes"],
      ["confirm_human_added", "BREAKING", "Only a person can agree"],
    ],
  },
  {
    why: "A write that someone had to agree to happens without: what was approved counted on that question.",
    remedy: "Ask again, or have the tool approved anew.",
    rules: [
      ["confirm_removed", "BREAKING", "No longer asks before it writes"],
      ["confirm_human_removed", "BREAKING", "An agent can agree in a person's place"],
    ],
  },
  {
    why: "A write whose answer was lost can no longer be sent again.",
    remedy: "Keep `api.idempotencyKey` where the upstream knows it.",
    rules: [["key_dropped", "BEHAVIOUR", "Writes no longer carry a key"]],
  },
  {
    why: "A write can be sent again without being done twice.",
    remedy: "Nothing must be done.",
    rules: [["key_added", "COMPATIBLE", "Writes carry a key"]],
  },
] as const satisfies readonly RuleFamily[];
