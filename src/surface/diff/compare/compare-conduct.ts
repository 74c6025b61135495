import type { Conduct, ManifestField, ManifestInput } from "../../manifest-format.ts";
import { compareFilter } from "./compare-filter.ts";
import { bounds, type CompareKey, compareKeys, differ, type KeyTable, members, presence } from "./compare-keys.ts";
import { compareParts } from "./compare-parts.ts";
import { compareSaid } from "./compare-said.ts";
import { change, into, type Spot } from "./make-change.ts";
import { membersLost } from "./same-value.ts";

/** What callers feel of a tool beside its schemas. */
export function compareConduct(before: Conduct, after: Conduct, spot: Spot) {
  return compareKeys(before, after, CONDUCT, spot);
}

const compareLimit: CompareKey<NonNullable<Conduct["limit"]>> = function* (before, after, spot) {
  if (before !== undefined && after !== undefined) yield* compareKeys(before, after, LIMIT, spot);
  // That it is gone is told of its input.
  else if (after !== undefined)
    yield change("default_limit_changed", into(spot, "default"), undefined, after.default, "the default limit of rows");
  else yield* differ("unclassified_change", "the limit of rows")(before, after, spot);
};

const LIMIT: KeyTable<NonNullable<Conduct["limit"]>> = {
  default: differ("default_limit_changed", "the default limit of rows"),
  max: bounds("max_limit_lowered", "max_limit_raised", "the largest limit of rows"),
};

const compareStates: CompareKey<readonly string[]> = function* (before, after, spot) {
  const isEarlier = before === undefined || before.length === 0;
  const isFree = after === undefined || after.length === 0;
  const isNarrower = isEarlier ? !isFree : !isFree && membersLost(before, after).length > 0;
  yield* differ(isNarrower ? "states_narrowed" : "states_widened", "the states in which the tool exists")(
    before,
    after,
    spot,
  );
};

const compareDefaults: CompareKey<NonNullable<Conduct["defaults"]>> = (before, after, spot) =>
  compareNamed(before, after, spot, (name) =>
    differ("input_default_changed", `what counts where \`${name}\` is left out`),
  );

const compareAddresses: CompareKey<NonNullable<Conduct["addresses"]>> = (before, after, spot) =>
  compareNamed(before, after, spot, (key) => differ("upstream_address_changed", `where \`${key}\` is (a digest)`));

const compareInputs: CompareKey<NonNullable<Conduct["inputs"]>> = (before, after, spot) =>
  compareNamed<ManifestInput>(
    before,
    after,
    spot,
    (name) => (was, is, at) => compareKeys(was ?? {}, is ?? {}, inputKeys(name), at),
  );

const compareFields: CompareKey<NonNullable<Conduct["fields"]>> = (before, after, spot) =>
  compareNamed<ManifestField>(
    before,
    after,
    spot,
    (name) => (was, is, at) => compareKeys(was ?? {}, is ?? {}, fieldKeys(name), at),
  );

const compareConfirm: CompareKey<NonNullable<Conduct["confirm"]>> = function* (before, after, spot) {
  if (before === undefined || after === undefined) {
    yield* presence(
      { added: "confirm_added", removed: "confirm_removed", changed: "unclassified_change" },
      "the question before a write",
    )(before, after, spot);
    return;
  }
  yield* compareKeys(before, after, CONFIRM, spot);
};

const CONFIRM: KeyTable<NonNullable<Conduct["confirm"]>> = {
  text: differ("confirm_text_changed", "the question before a write"),
  human: function* (before, after, spot) {
    if (before === after) return;
    const rule = after === true ? "confirm_human_added" : "confirm_human_removed";
    yield change(rule, spot, before, after, "that only a person can agree");
  },
};

const CONDUCT: KeyTable<Conduct> = {
  operations: differ("operations_changed", "what the tool sends"),
  access: members("access_added", "access_removed", "access that the upstream asks for"),
  requests: compareParts("requests_changed"),
  replies: compareParts("replies_changed"),
  states: compareStates,
  addresses: compareAddresses,
  unpinned: members("pin_dropped", "pin_carried", "what the tool goes without of the pins"),
  limit: compareLimit,
  budget: differ("budget_changed", "the budget of a reply in bytes"),
  deadlineMs: differ("deadline_changed", "the deadline of a call in milliseconds"),
  defaults: compareDefaults,
  inputs: compareInputs,
  fields: compareFields,
  said: compareSaid,
  filter: compareFilter,
  order: differ("order_changed", "the order of rows"),
  totals: differ("totals_changed", "how totals are made"),
  group: differ("grouping_changed", "how rows are added up"),
  all: function* (before, after, spot) {
    const isLower = before !== undefined && after !== undefined && after < before;
    yield* differ(isLower ? "read_whole_lowered" : "read_whole_changed", "the most rows that are read whole")(
      before,
      after,
      spot,
    );
  },
  text: differ("text_cut_changed", "how text is cut"),
  pages: differ("paging_changed", "how upstream pages are asked for"),
  errors: differ("errors_changed", "what errors are called and explained"),
  confirm: compareConfirm,
  emptyNote: differ("empty_note_changed", "what is said of a list without a row"),
  suggest: differ("suggestions_changed", "what replies suggest to call next"),
  keyed: presence(
    { added: "key_added", removed: "key_dropped", changed: "unclassified_change" },
    "the key that a write is sent with",
  ),
};

function inputKeys(name: string): KeyTable<ManifestInput> {
  return {
    form: differ("input_form_changed", `the upstream's form of \`${name}\``),
    end: differ("input_end_changed", `how the end \`${name}\` is read`),
    entity: presence(
      { added: "input_entity_added", removed: "input_entity_changed", changed: "input_entity_changed" },
      `the kind of thing that \`${name}\` names`,
    ),
    valuesFrom: presence(
      { added: "input_values_checked", removed: "input_values_unchecked", changed: "input_values_source_changed" },
      `the list of values of \`${name}\``,
    ),
    takes: members("input_type_widened", "input_type_changed", `what \`${name}\` may be beside what its schema says`),
    checks: presence(
      { added: "input_checks_added", removed: "input_checks_removed", changed: "input_checks_changed" },
      `what is checked of \`${name}\` beyond its schema (a digest)`,
    ),
  };
}

function fieldKeys(name: string): KeyTable<ManifestField> {
  return {
    form: differ("field_form_changed", `the upstream's form of \`${name}\``),
    unit: presence(
      { added: "field_unit_declared", removed: "field_unit_declared", changed: "field_unit_changed" },
      `the unit of \`${name}\``,
    ),
    clip: differ("field_clip_changed", `how \`${name}\` is clipped`),
    round: differ("field_round_changed", `the digits to which \`${name}\` is rounded`),
  };
}

function* compareNamed<T>(
  before: Readonly<Record<string, T>> = {},
  after: Readonly<Record<string, T>> = {},
  spot: Spot,
  comparing: (name: string) => CompareKey<T>,
) {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const name of new Set([...old.keys(), ...now.keys()]))
    yield* comparing(name)(old.get(name), now.get(name), into(spot, name));
}
