import type { RuleFamily } from "./rule-family.ts";

/** Of the list as a whole: names, words, hints, and the server itself. */
export const LIST_RULES = [
  {
    why: "Agents, prompts and approvals know a tool by its name, and a name that is gone is answered as an unknown tool.",
    remedy: "Keep the old name callable: `aliases: [OLD_NAME]` on the tool that takes its place.",
    rules: [
      ["tool_removed", "BREAKING", "Tool removed"],
      ["tool_renamed", "BREAKING", "Tool renamed"],
      ["alias_removed", "BREAKING", "Old name no longer served"],
      ["alias_taken", "BREAKING", "Old name calls another tool"],
      ["name_taken", "BREAKING", "Name of a tool calls another tool"],
    ],
  },
  {
    why: "The same work is called in another way, so that calls as they were fail.",
    remedy: "Keep `server.expose` and the names as they were, or offer the new form under another server name.",
    rules: [
      ["exposure_changed", "BREAKING", "Tools shown in groups, or no longer"],
      ["action_moved", "BREAKING", "Action moved to another tool"],
      ["discriminator_changed", "BREAKING", "Argument that chooses the action renamed"],
    ],
  },
  {
    why: "The old name still works, but agents see another one, and approvals by name are asked for again.",
    remedy: "Nothing must be done; keep the alias until nobody calls it.",
    rules: [
      ["tool_renamed_served", "BEHAVIOUR", "Tool renamed, old name served"],
      ["tool_replaced", "BEHAVIOUR", "Tool removed, its name served by another"],
    ],
  },
  {
    why: "Calls as they were work as before.",
    remedy: "Nothing must be done.",
    rules: [
      ["tool_added", "COMPATIBLE", "Tool added"],
      ["alias_added", "COMPATIBLE", "Old name served"],
    ],
  },
  {
    why: "Of two tools that do nearly the same, agents take the wrong one more often.",
    remedy: "Say in `notFor` of both when to use the other, or make them one.",
    rules: [["tool_overlaps", "BEHAVIOUR", "Tool added beside one that does the same"]],
  },
  {
    why: "Clients approve calls by these hints: one that was called unasked may now change more than was agreed to.",
    remedy: "Make the change a tool of its own, or tell every user to look at their approvals.",
    rules: [
      ["no_longer_read_only", "BREAKING", "No longer read-only"],
      ["became_destructive", "BREAKING", "May now destroy"],
      ["no_longer_idempotent", "BREAKING", "No longer safe to repeat"],
      ["became_open_world", "BREAKING", "Now reaches the outside"],
    ],
  },
  {
    why: "Clients will ask less before they call it.",
    remedy: "Review whether the new hint is true: it takes a question away.",
    rules: [
      ["became_read_only", "COMPATIBLE", "Now read-only (review)"],
      ["no_longer_destructive", "COMPATIBLE", "Said to destroy nothing (review)"],
      ["became_idempotent", "COMPATIBLE", "Said to be safe to repeat (review)"],
      ["no_longer_open_world", "COMPATIBLE", "Said to reach nothing outside (review)"],
    ],
  },
  {
    why: "Agents choose tools and fill in arguments by these words; a small edit is known to move what they choose by several percent.",
    remedy: "Read the new text as an agent would, and run your evaluations.",
    rules: [
      ["title_changed", "BEHAVIOUR", "Title edited"],
      ["description_changed", "BEHAVIOUR", "Description edited"],
      ["input_text_changed", "BEHAVIOUR", "Text of an input edited"],
      ["output_text_changed", "BEHAVIOUR", "Text of a reply's field edited"],
      ["server_title_changed", "BEHAVIOUR", "Title of the server edited"],
      ["instructions_changed", "BEHAVIOUR", "Instructions edited"],
    ],
  },
  {
    why: "The list is paid for in every conversation, and its size and order move which tool is chosen.",
    remedy: "Look at `vitrine tools` for what has grown.",
    rules: [
      ["list_tokens_changed", "BEHAVIOUR", "Tokens of the list changed by a tenth"],
      ["tool_order_changed", "BEHAVIOUR", "Order of the list changed"],
    ],
  },
  {
    why: "A client that took the list refuses a tool, or all of it.",
    remedy: "`vitrine tools --profile NAME` says what the client takes.",
    rules: [["portability_regressed", "BREAKING", "A client no longer takes it"]],
  },
  {
    why: "A client that took it whole now cuts it, or does worse with it.",
    remedy: "`vitrine tools --profile NAME` says what the client does well with.",
    rules: [["portability_worsened", "BEHAVIOUR", "A client does worse with it"]],
  },
  {
    why: "Clients put the server's name before every tool's, so approvals no longer fit; page tokens that were given out are refused.",
    remedy: "Keep `server.name`; the title is what people read.",
    rules: [["server_name_changed", "BREAKING", "Server renamed"]],
  },
  {
    why: "Agents that come back to a list later find their page token refused sooner or later than before.",
    remedy: "Keep `server.pageTokenTtl` as long as conversations last.",
    rules: [["page_token_ttl_changed", "BEHAVIOUR", "Lifetime of page tokens changed"]],
  },
  {
    why: "The same calls are answered by another upstream, or wait, fail and explain themselves otherwise.",
    remedy: "Check that it is meant, and that limits of time and size still fit what is asked for.",
    rules: [
      ["upstream_address_changed", "BEHAVIOUR", "Upstream is elsewhere"],
      ["upstream_settings_changed", "BEHAVIOUR", "Upstream asked in another way"],
    ],
  },
  {
    why: "What was bound to the caller is no longer: replies and writes reach further than was agreed to.",
    remedy: "Pin the value again, or have the new reach approved.",
    rules: [
      ["pin_removed", "BREAKING", "Pin removed"],
      ["pin_dropped", "BREAKING", "Tool no longer carries a pin"],
    ],
  },
  {
    why: "Calls reach less than before: the same arguments may give fewer rows.",
    remedy: "Check that every key has the value that is pinned.",
    rules: [
      ["pin_added", "BEHAVIOUR", "Pin added"],
      ["pin_carried", "BEHAVIOUR", "Tool carries a pin"],
    ],
  },
  {
    why: "By their tags, keys and flags choose which tools there are: for some callers the tool may come or go.",
    remedy: "Check the tags that your keys and commands name.",
    rules: [["tags_changed", "BEHAVIOUR", "Tags changed"]],
  },
  {
    why: "Where none of its states holds, the tool does not exist, and calls of it fail.",
    remedy: "Keep the states as they were, or say in `use` when the tool is there.",
    rules: [["states_narrowed", "BREAKING", "Tool exists in fewer states"]],
  },
  {
    why: "The tool is there wherever it was.",
    remedy: "Nothing must be done.",
    rules: [["states_widened", "COMPATIBLE", "Tool exists in more states"]],
  },
  {
    why: "Of what does not compile nothing can be compared, and that must not read as no difference.",
    remedy: "Correct the errors, and compare again.",
    rules: [["not_compared", "UNKNOWN", "Nothing could be compared"]],
  },
  {
    why: "Nobody can tell by comparing what it means to callers, so it counts as breaking.",
    remedy: "Compare the two by hand; suppress it with a reason once it is understood.",
    rules: [
      ["group_schema_changed", "UNKNOWN", "Schema of a group changed by itself"],
      ["unclassified_change", "UNKNOWN", "Difference that no rule knows"],
    ],
  },
] as const satisfies readonly RuleFamily[];
