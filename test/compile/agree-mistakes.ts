/** Mistakes in `fixtures/curations/agree.yaml`, where tools ask before they write; see `shop-mistakes`. */
export const AGREE_MISTAKES: readonly (readonly [what: string, right: string, wrong: string, codes: string])[] = [
  ["key place refused", "idempotencyKey: header.Idempotency-Key", "idempotencyKey: «header.Authorization", "bad_place"],
  ["key place of none", "idempotencyKey: header.Idempotency-Key", "«idempotencyKey: query.key", "key_unplaced"],
  [
    "confirm where nothing is written",
    "    use: Find orders.",
    "    «confirm: Sure?\n    use: Find orders.",
    "confirm_unneeded",
  ],
  [
    "confirm list",
    '{ text: "Cancel order ${input.id} of ${pins.org} for good?", human: true }',
    "«[Sure?]",
    "wrong_type",
  ],
  ["confirm unknown key", 'good?", human: true', 'good?", «person: true', "unknown_key"],
  ["confirm human text", 'good?", human: true', 'good?", human: «yes', "wrong_type"],
  [
    "confirm without text",
    'confirm: { text: "Cancel order ${input.id} of ${pins.org} for good?", human: true }',
    "«confirm: { human: true }",
    "missing_key",
  ],
  ["confirm input", 'text: "Cancel order ${input.id}', 'text: «"Cancel order ${input.idd}', "unknown_input"],
  [
    "confirm pin",
    'text: "Cancel order ${input.id} of ${pins.org}',
    '«text: "Cancel order ${input.id} of ${pins.orgg}',
    "unknown_pin",
  ],
  [
    "confirm step of none",
    'text: "Cancel order ${input.id} of ${pins.org}',
    'text: «"Cancel order ${steps.before.id}',
    "forbidden_root",
  ],
  [
    "confirm env",
    "confirm: Cancel order ${steps.before.id}",
    "confirm: «Cancel order ${env.SHOP_KEY}",
    "forbidden_root",
  ],
  [
    "confirm expression",
    "confirm: Cancel order ${steps.before.id}",
    "confirm: «Cancel order ${steps..before}",
    "bad_expression",
  ],
  [
    "confirm path",
    "confirm: Cancel order ${steps.before.id}",
    "confirm: «Cancel order ${steps.before.idd}",
    "path_not_in_spec",
  ],
  [
    "confirm step",
    "confirm: Cancel order ${steps.before.id}",
    "confirm: «Cancel order ${steps.befor.id}",
    "unknown_step",
  ],
  [
    "confirm what is not done yet",
    "confirm: Cancel order ${steps.before.id}",
    "confirm: «Cancel order ${steps.made.id}",
    "confirm_reads_later",
  ],
  [
    "confirm reads the write itself",
    "confirm: Cancel order ${steps.before.id}",
    "confirm: «Cancel order ${steps.cancel.id}",
    "confirm_reads_later",
  ],
];
