import { type SqlUpstream, startSqlUpstream } from "../../setup/sql-upstream.ts";

/** One charge of an account: tag (null: none), amount in major units, currency (null: none said). */
export type Charge = readonly [tag: string | null, amount: string, currency: string | null];

/** The accounts of the stories, each in the order of its books. */
export const ACCOUNTS: Readonly<Record<string, readonly Charge[]>> = {
  // 1,000 charged, 500 given back: on the first page of the upstream, and on its last.
  creditFirst: [
    ["web", "-500", "USD"],
    ["web", "400", "USD"],
    ["db", "350", "USD"],
    ["web", "150", "USD"],
    ["db", "100", "USD"],
  ],
  creditLast: [
    ["web", "400", "USD"],
    ["db", "350", "USD"],
    ["web", "150", "USD"],
    ["db", "100", "USD"],
    ["web", "-500", "USD"],
  ],
  // The credit has no tag, so that its group looks like a row of totals.
  untagged: [
    [null, "-500", "USD"],
    ["web", "600", "USD"],
    ["db", "400", "USD"],
  ],
  // An untagged group that is exactly as large as the total.
  decoy: [
    [null, "1000", "USD"],
    [null, "-500", "USD"],
    ["web", "300", "USD"],
    ["db", "-300", "USD"],
  ],
  positive: [
    ["web", "333.333", "USD"],
    ["db", "333.333", "USD"],
    ["mail", "333.334", "USD"],
    ["dns", "0.1", "USD"],
    ["ci", "0.2", "USD"],
  ],
  currencies: [
    ["web", "100", "USD"],
    ["web", "90", "EUR"],
    ["db", "50", "USD"],
    ["db", "1000", "JPY"],
  ],
  // The second currency comes on the second page of the upstream.
  lateCurrency: [
    ["web", "100", "USD"],
    ["db", "50", "USD"],
    ["ci", "25", "USD"],
    ["web", "90", "EUR"],
  ],
  halfKnown: [
    ["web", "100", "USD"],
    ["db", "50", null],
  ],
  zero: [
    ["web", "500", "USD"],
    ["db", "-500", "USD"],
  ],
  owed: [
    ["web", "100", "USD"],
    ["db", "-300", "USD"],
  ],
  // More pages than the walk may read.
  many: Array.from({ length: 20 }, (_, at): Charge => [`t${at}`, `${at + 1}.01`, "USD"]),
  none: [],
  // Whose sums the upstream cannot tell: it fails, or answers what is no number.
  broken: [["web", "1", "USD"]],
  garbled: [["web", "1", "USD"]],
};

const text = (value: string | null) => (value === null ? "NULL" : `'${value}'`);

const TABLES = [
  `CREATE TABLE charges (account VARCHAR, position INTEGER, id VARCHAR, tag VARCHAR, amount DECIMAL(18,3), currency VARCHAR)`,
  `INSERT INTO charges VALUES ${Object.entries(ACCOUNTS)
    .flatMap(([account, charges]) =>
      charges.map(
        ([tag, amount, currency], at) =>
          `('${account}', ${at}, '${account}-${at}', ${text(tag)}, ${amount}, ${text(currency)})`,
      ),
    )
    .join(", ")}`,
];

const PAGE = 3;

/** The API of `books.yaml`: at most three rows a page, in the order of the books. */
export async function startBooks(): Promise<SqlUpstream> {
  return await startSqlUpstream(TABLES, async ({ path, url }, database) => {
    const [, account = "", what] = /^\/accounts\/([^/]+)\/(charges|groups|sums)$/.exec(path) ?? [];
    const size = Math.min(Number(url.searchParams.get("size") ?? PAGE), PAGE);
    const offset = (Number(url.searchParams.get("page") ?? 1) - 1) * size;
    const cut = `LIMIT ${size} OFFSET ${offset}`;
    const ask = async (sql: string) => (await database.rows(sql, [account])).map(withoutNulls);
    switch (what) {
      case "charges": {
        const tag = url.searchParams.get("tag");
        const charges = (
          await database.rows(
            `SELECT id, tag, amount::DOUBLE AS amount, currency FROM charges WHERE account = $1 AND ($2::VARCHAR IS NULL OR tag = $2) ORDER BY position ${cut}`,
            [account, tag],
          )
        ).map(withoutNulls);
        const [one] = await ask("SELECT count(*)::INTEGER AS count FROM charges WHERE account = $1");
        return { body: { charges, count: one?.["count"], exact: account !== "many" } };
      }
      case "groups":
        return {
          body: {
            groups: await ask(
              `SELECT tag, sum(amount)::DOUBLE AS amount, currency FROM charges WHERE account = $1 GROUP BY tag, currency ORDER BY min(position) ${cut}`,
            ),
          },
        };
      case "sums": {
        if (account === "broken") return { status: 500, body: { error: "down" } };
        const garbled = { amount: "1,234.5", count: 1, totals: [{ currency: "USD", amount: "1,234.5" }] };
        if (account === "garbled") return { body: garbled };
        const [sum] = await ask(
          "SELECT coalesce(sum(amount), 0)::DOUBLE AS amount, count(*)::INTEGER AS count FROM charges WHERE account = $1",
        );
        const totals = await ask(
          "SELECT currency, sum(amount)::DOUBLE AS amount FROM charges WHERE account = $1 AND currency IS NOT NULL GROUP BY 1 ORDER BY 1",
        );
        return { body: { ...sum, totals } };
      }
      default:
        return undefined;
    }
  });
}

const withoutNulls = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
