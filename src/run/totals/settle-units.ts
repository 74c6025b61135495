import { currencyExponent } from "../arguments/currency-exponents.ts";
import type { Sums } from "./add-up.ts";
import { shiftAmount } from "./read-amount.ts";
import { isCurrency } from "./read-unit.ts";
import type { RowFacts } from "./row-facts.ts";
import type { TotalRead, UnitAmount, Withheld } from "./total-read.ts";

/** The total, one amount a unit; none where there is nothing to add up. */
export interface Settled {
  readonly amounts: readonly UnitAmount[];
}

type Amounts = Extract<TotalRead, { kind: "values" | "rows" | "list" }>;

/** Finds out the unit of each part of a total, or withholds it where that cannot be known. */
export function settleUnits(total: Amounts, facts: RowFacts): Settled | Withheld {
  switch (total.kind) {
    case "values": {
      const settled = settleValues(total.values, facts);
      return facts.minor && !("code" in settled) ? inMajorUnits(settled) : settled;
    }
    case "rows":
      return settleSums(total.sums, total.unit, facts);
    case "list":
      if (facts.known === undefined)
        return { code: "PARTIAL_PAGES", reason: "Not all rows were read. Narrow the arguments to get the total." };
      return settleSums(facts.known, total.unit, facts);
    default:
      return total satisfies never;
  }
}

/** Rows were brought into major units already; what the upstream adds up itself is in its own form (contract section 1, Forms). */
function inMajorUnits({ amounts }: Settled): Settled | Withheld {
  const converted = amounts.flatMap(({ unit, amount }) => {
    const exponent = amount.exact.isZero() ? 0 : unit === undefined ? undefined : currencyExponent(unit);
    return exponent === undefined ? [] : [{ unit, amount: shiftAmount(amount, exponent) }];
  });
  if (converted.length === amounts.length) return { amounts: converted };
  const reason = "The total is in minor units of a currency that is not known.";
  return { code: "MIXED_UNITS", reason };
}

function settleSums(sums: Sums, unit: string | undefined, { measure, declared }: RowFacts): Settled | Withheld {
  if (sums.bad > 0)
    return { code: "BAD_ROWS", reason: `${tellBad(measure, sums.bad, sums.rows)}, so there is no total.` };
  const amounts = [...sums.units].map(([own, { sum }]) => ({ unit: own ?? unit, amount: sum }));
  if (declared && sums.units.has(undefined)) return mixed(amounts, "some rows do not say their unit");
  return { amounts };
}

const MISSING: Withheld = {
  code: "BAD_ROWS",
  reason: "There are rows, and the upstream states no total of them.",
};

function settleValues(values: readonly UnitAmount[], facts: RowFacts): Settled | Withheld {
  const isMissing = values.length === 0 && facts.shown.rows > 0;
  if (!facts.declared) {
    if (isMissing) return MISSING;
    const isMixed = values.length > 1 && values.some(({ unit }) => unit === undefined);
    return isMixed ? mixed(values, "some parts of the total do not say their unit") : { amounts: values };
  }
  const seen = [...(facts.known ?? facts.shown).units.keys()];
  if (seen.includes(undefined)) return mixed(values, "some rows do not say their unit");
  if (isMissing) return MISSING;
  if (values.every(({ unit }) => unit !== undefined)) return settleNamed(values, seen, facts);
  if (values.length > 1) return mixed(values, "some parts of the total do not say their unit");
  return settlePlain(values[0]!, seen, facts);
}

/** Each part says its unit; rows in another one show that the total is not all. */
function settleNamed(values: readonly UnitAmount[], seen: readonly (string | undefined)[], facts: RowFacts) {
  const foreign = seen.find((unit) => !values.some((one) => one.unit === unit));
  if (foreign === undefined || facts.shown.rows === 0) return { amounts: values };
  return mixed([...values, { unit: foreign }], `rows are in ${foreign}, of which there is no total`);
}

/** A number alone: its unit is that of the rows, where all of them can only have one. */
function settlePlain(value: UnitAmount, seen: readonly (string | undefined)[], facts: RowFacts): Settled | Withheld {
  if (facts.constantUnit !== undefined) return { amounts: [{ ...value, unit: facts.constantUnit }] };
  const units = seen.map((unit) => ({ unit }));
  if (seen.length > 1) return mixed(units, `the rows are in ${seen.join(" and ")}, and the total is one number`);
  if (facts.known === undefined) return mixed(units, "rows that were not read may be in another unit");
  return { amounts: [{ ...value, unit: seen[0] }] };
}

function mixed(units: readonly { readonly unit: string | undefined }[], why: string): Withheld {
  const isMoney = units.every(({ unit }) => unit === undefined || isCurrency(unit));
  const what = isMoney ? "currency" : "unit";
  const reason = `One total would mix units: ${why}. Ask for one ${what} at a time to get its total.`;
  return { code: isMoney ? "MIXED_CURRENCY" : "MIXED_UNITS", reason };
}

/** How many of the rows have no number. */
export function tellBad(measure: string, bad: number, rows: number): string {
  return `\`${measure}\` is missing or no number in ${bad} of ${rows} rows`;
}
