import type { Field } from "./fields.ts";

/** The fields whose descriptions run to several kB, as those of real catalogues do, each with what its readers get wrong. */
const LONG: ReadonlyMap<string, string> = new Map([
  [
    "BilledCost",
    "Sums of it agree with invoices and jump on the day of a purchase. To see what usage costs from day to day take EffectiveCost; to see what was paid take this one.",
  ],
  [
    "EffectiveCost",
    "Sums of it do not agree with any single invoice: what was bought in March is spread over the months that use it. Never compare it with the amount due.",
  ],
  [
    "ListCost",
    "It is a yardstick and was never paid. Savings are ListCost minus EffectiveCost; where a price is not published the list cost repeats the contracted one.",
  ],
  [
    "ContractedCost",
    "The difference to ListCost is what was negotiated, and the difference to EffectiveCost is what commitments saved. Both differences are zero or more for usage.",
  ],
  [
    "ChargeCategory",
    "Usage is what ran. Purchase is what was bought ahead. Tax is levied on the bill. Credit is money given back by a programme. Adjustment is everything that fits none of these, mostly rounding.",
  ],
  [
    "ChargeClass",
    "A correction carries the charge period of the mistake and the billing period of the repair, so the sum over a charge period can change after its invoice was paid.",
  ],
  [
    "ChargeDescription",
    "The text changes with the provider's price list and with its taste, often in the middle of a month. Two descriptions of one SKU are two groups, and a bill seems to move although nothing did.",
  ],
  [
    "CommitmentDiscountStatus",
    "The unused part is the waste: effective cost without any usage behind it. Billed cost is zero on both kinds of row, since the purchase was billed.",
  ],
  [
    "PricingCategory",
    "Standard is a published or negotiated price, Committed comes out of a commitment, Dynamic moves with supply such as spot capacity, Other is the rest. An older export of one provider leaves it empty.",
  ],
  [
    "ServiceName",
    "Names are the provider's own and are never harmonised: a rename splits a service in two. When a bill has moved, group by this field first, for two months side by side, and follow the largest difference.",
  ],
  [
    "ServiceCategory",
    "The values follow the export that the rows came from, and some of them write Management and Governance where others write Management Tools for the same purpose; list them before you filter by one.",
  ],
  [
    "ResourceId",
    "It is long and nearly unique, so grouping by it gives as many rows as there are resources. Filter to one service or one tag first, and expect several pages.",
  ],
  [
    "SubAccountId",
    "Sub accounts come and go. An account that was closed keeps its past spend, and an account that was moved keeps its identifier while its billing account changes.",
  ],
  [
    "Tags",
    "Keys are not unique in spirit: the stage of a resource is found under environment on some and under env on others, and one source has a key that begins with a blank.",
  ],
  [
    "SkuPriceDetails",
    "The keys inside differ by provider and by service, and are not fields of their own. Two prices of one product differ in at least one of them.",
  ],
  [
    "BillingCurrency",
    "A tenant may be invoiced in several currencies, and the ledger converts nothing. A total across two currencies is not a number that means anything.",
  ],
  [
    "BillingPeriodStart",
    "Periods are calendar months for every provider here. Rows of the running period change until its invoice is issued, and corrections appear in the period in which they are invoiced.",
  ],
  [
    "ChargePeriodStart",
    "Generated usage is daily; rows of the sample are hourly; a purchase spans its whole month and lies on its first day. A range of days therefore sees the full price of the purchase on the first.",
  ],
]);

/** Everything that a careful reader would want to know on one of the long fields; empty for the others. */
export function describeAtLength(field: Field): string {
  const warning = field.provider === "FOCUS" ? LONG.get(field.shortName) : undefined;
  if (warning === undefined) return "";
  return [
    `\n\nWhat to watch. ${warning}`,
    writeProviders(field),
    writeAbsence(field),
    writeQueries(field),
    writeQuality(),
    writeHistory(field),
    writeExample(field),
  ].join("\n\n");
}

const writeProviders = ({ shortName, category }: Field): string =>
  `How the providers fill ${shortName}. AWS: derived from the cost and usage report while it is written, a few hours behind the clock, and restated several times until the period closes; a marketplace seller's rows go through the same derivation, but the seller decides on the texts. ` +
  `Microsoft: derived from the cost details of the billing account, once a day, with the rows of the last five days still open; marketplace offers arrive later than first party services and can land in the period after. ` +
  `Google Cloud: derived from the detailed usage export, in which one usage record can be followed by a negative one that takes it back; the two belong together and their sum is the truth. ` +
  `Oracle: derived from the cost reports of the tenancy, with text in upper case as the service writes it and with empty text where the others have no value at all. ` +
  `None of the four documents ${category.toLowerCase()} columns in the same words, so the meaning given above is the ledger's, and where a provider departs from it the ledger keeps the provider's value and does not repair it.`;

const writeAbsence = ({ shortName, name }: Field): string =>
  `When there is no value. ${shortName} may be absent because it does not apply to the kind of charge (a credit has no resource, a tax has no unit), because the provider does not supply it, or because the row was loaded from an older export that did not know it. ` +
  `The three cases look alike. In a grouped result the row then lacks the property ${name}; it is not null and not empty text. IS_EMPTY is true for all three and for empty text, IS_NOT_EMPTY is its opposite, and every other operator is false for a row without a value, so that NOT_EQUALS and NOT_IN lose those rows; ` +
  `to keep them, write an or group of the negated condition and IS_EMPTY.`;

const writeGrouping = ({ shortName, groupable, dataType }: Field): string =>
  groupable
    ? `${shortName} can be grouped by, alone or with up to nineteen others; there is one row for each combination that occurs and for each currency, in no particular order.`
    : `${shortName} cannot be grouped by; it is ${dataType === "json" ? "a whole object" : "an amount that is summed"}.`;

const writeQueries = (field: Field): string =>
  `In cost queries. ${writeGrouping(field)} ` +
  `Rows with negative cost are ordinary: credits, refunds and some adjustments are negative, so shares of a total can exceed one hundred per cent and a group can vanish into zero although much happened in it. ` +
  `Read every page before you order or rank, since the first page is not the most expensive one. The sums are made over exact decimals and given as numbers; a total taken from the aggregate operation can differ from the sum of rounded rows in the last place, and then the aggregate is right. ` +
  `A range is half open and compares the start of the charge, in UTC, whatever the time zone of the reader.`;

const writeQuality = (): string =>
  `Quality of the data. Spelling is as delivered: Usage-Based beside Usage-based, environment beside env, the text NULL in a few location columns of the oldest rows. ` +
  `Between twenty five and thirty per cent of all charges have no tags. Marketplace rows name a publisher that is not the provider. Amounts have up to twelve decimals, and amounts below a hundredth of a cent are common and are not rounded away. ` +
  `A tenant without a connected billing source answers every query with no rows, which is not the same as having spent nothing.`;

const writeHistory = ({ shortName }: Field): string =>
  `History. Version 1.0 of the specification defined the columns that all providers agreed to deliver; 1.1 added the finer categories and the quantities of commitments; 1.2 added invoices, account types and prices in other currencies. ` +
  `${shortName} is described here as 1.2 has it. Rows that were loaded under an earlier version were not rewritten, so a column that came later is absent from them and one whose allowed values changed keeps the old value. ` +
  `When the meaning of a column changed between two versions, the ledger follows the version under which the row was delivered.`;

const writeExample = ({ name, groupable }: Field): string =>
  groupable
    ? `Example. {"tenantID":"acme","range":{"from":"2026-09-01T00:00:00Z","to":"2026-11-01T00:00:00Z"},"groupBy":["${name}"],"bucket":"month","pageSize":1000} gives two rows for each value that occurs in both months. Add "filter":{"field":"FOCUS/ProviderName","op":"EQUALS","value":"Microsoft"} to see one provider, or "filter":{"and":[…]} to combine.`
    : `Example. {"tenantID":"acme","range":{"from":"2026-10-01T00:00:00Z","to":"2026-11-01T00:00:00Z"},"groupBy":["FOCUS/ServiceName"],"filter":{"field":"${name}","op":"IS_NOT_EMPTY"}} gives the month's spend by service over the charges that have a value here.`;
