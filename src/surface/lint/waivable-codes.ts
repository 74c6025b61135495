/**
 * Warnings and notes of the compiler and of the reader of specs, which a waiver may name beside the rules of `LINT_RULES`. Kept whole by a test
 * that reads the sources.
 */
export const WAIVABLE_CODES: readonly string[] = [
  "all_unpaged",
  "arazzo_ignored",
  "auth_missing",
  "auth_unasked",
  "declared_safer",
  "group_told_in_part",
  "guessed_id",
  "header_unsent",
  "hidden_characters",
  "input_unsent",
  "key_unplaced",
  "large_schema",
  "literal_credential",
  "overlay_extends",
  "overlay_invalid",
  "overlay_no_effect",
  "overlay_no_match",
  "overlay_unknown_key",
  "page_taken",
  "pattern_unenforced",
  "purpose_too_late",
  "spec_doubled_key",
  "spec_fault",
  "spec_invalid",
  "spec_not_validated",
  "unknown_media_type",
  "unpinned",
  "unused_entity",
  "unused_pages",
  "unused_state",
];

/** What `--profile` finds of one client. */
export const PROFILE_CODES: readonly string[] = [
  "description_too_long",
  "instructions_too_long",
  "many_optional_inputs",
  "many_tools",
  "name_too_long",
  "reply_cut",
  "strict_limit",
  "too_many_tools",
];
