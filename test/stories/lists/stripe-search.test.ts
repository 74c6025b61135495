import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FieldType } from "../../../src/model/filter.ts";
import { HOSTILE } from "../../filter/conditions.ts";
import { readStripe } from "../../filter/readers/read-texts.ts";
import { type Row, selects } from "../../filter/selects.ts";
import type { Session } from "../../setup/clients.ts";
import { type SqlUpstream, startSqlUpstream } from "../../setup/sql-upstream.ts";
import { openStripe } from "./stripe-at.ts";
import { walk } from "./walk.ts";

const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;
const TYPES: ReadonlyMap<string, FieldType> = new Map([
  ["status", "enum"],
  ["currency", "string"],
  ["customer", "string"],
  ["refunded", "boolean"],
  ["disputed", "boolean"],
  ["created", "integer"],
]);
const STATUSES = ["succeeded", "pending", "failed"];
const CUSTOMERS = [null, "cus_1", "cus_2", ...HOSTILE];

/** Charges of every state, currency and customer; each is half an hour older than the one before, the last ones are too old. */
const CHARGES = Array.from({ length: 240 }, (_, at) => ({
  id: `ch_${String(at).padStart(3, "0")}`,
  status: STATUSES[at % 3]!,
  currency: ["usd", "eur", "jpy"][Math.floor(at / 3) % 3]!,
  customer: CUSTOMERS[at % CUSTOMERS.length]!,
  refunded: at % 5 === 0,
  disputed: at % 7 === 0,
  created: NOW - 60 - at * 1800 - (at >= 200 ? 40 * DAY : 0),
  amount: at * 100,
  amount_refunded: 0,
  description: `Charge ${at}`,
  failure_message: null,
}));

const rowOf = ({ status, currency, customer, refunded, disputed, created }: (typeof CHARGES)[number]): Row => ({
  status,
  currency,
  customer,
  refunded,
  disputed,
  created,
});

let stripe: SqlUpstream;
let session: Session;

beforeAll(async () => {
  // What Stripe's language means is said here by a reader that shares no code with the writer.
  stripe = await startSqlUpstream([], async ({ path, url }) => {
    if (path !== "/v1/charges/search") return undefined;
    const node = readStripe(url.searchParams.get("query") ?? "");
    const found = CHARGES.filter((charge) => selects(node, rowOf(charge), TYPES, "drop"));
    const size = Math.min(100, Number(url.searchParams.get("limit") ?? 10));
    const offset = Number(url.searchParams.get("page") ?? 0);
    const isMore = found.length > offset + size;
    const next = isMore ? String(offset + size) : null;
    const data = found.slice(offset, offset + size);
    return { body: { object: "search_result", url: path, has_more: isMore, next_page: next, data } };
  });
  session = await openStripe(stripe.url);
});
afterAll(async () => {
  await session?.close();
  await stripe?.stop();
});

const RECENT = CHARGES.filter(({ created }) => created >= NOW - 30 * DAY);
type Charge = (typeof CHARGES)[number];

const single = (field: string, op: string, value?: string | string[]) => ({
  kind: "single",
  field,
  op,
  ...(Array.isArray(value) ? { values: value } : value !== undefined && { value }),
});
const all = (...conditions: unknown[]) => ({ kind: "composite", match: "all", conditions });

const searches: [title: string, filter: unknown, keeps: (charge: Charge) => boolean][] = [
  ["without a filter, the last 30 days", undefined, () => true],
  ["failed ones", single("status", "eq", "failed"), ({ status }) => status === "failed"],
  ["all but failed ones", single("status", "ne", "failed"), ({ status }) => status !== "failed"],
  ["in one currency", single("currency", "eq", "eur"), ({ currency }) => currency === "eur"],
  ["refunded ones", single("refunded", "eq", "true"), ({ refunded }) => refunded],
  ["of nobody", single("customer", "is_null"), ({ customer }) => customer === null],
  ["of somebody", single("customer", "is_not_null"), ({ customer }) => customer !== null],
  [
    "failed and disputed ones",
    all(single("status", "eq", "failed"), single("disputed", "eq", "true")),
    ({ status, disputed }) => status === "failed" && disputed,
  ],
  [
    "neither failed nor disputed ones",
    {
      kind: "composite",
      match: "none",
      conditions: [single("status", "eq", "failed"), single("disputed", "eq", "true")],
    },
    ({ status, disputed }) => !(status === "failed" || disputed),
  ],
  [
    "of the last two days",
    single("created", "gte", new Date((NOW - 2 * DAY) * 1000).toISOString()),
    ({ created }) => created >= NOW - 2 * DAY,
  ],
];

describe("charges are searched for in Stripe's own language", () => {
  test.each(searches)("%s", async (_, filter, keeps) => {
    const { rows } = await walk(session, "stripe_search_charges", filter === undefined ? {} : { filter }, [100, 13]);
    expect(rows.map((row) => row["id"])).toStrictEqual(RECENT.filter(keeps).map(({ id }) => id));
  });

  test("what its language cannot say beside the range of time is refused with the place and a way out", async () => {
    const any = {
      kind: "composite",
      match: "any",
      conditions: [single("status", "eq", "failed"), single("disputed", "eq", "true")],
    };
    for (const [filter, path] of [
      [any, "filter"],
      [single("status", "in", ["failed", "pending"]), "filter"],
    ] as const) {
      stripe.forget();
      const { json } = await session.call("stripe_search_charges", { filter });
      expect(json).toMatchObject({
        error: "filter_not_expressible",
        path: expect.stringContaining(path),
        recover: expect.any(String),
      });
      expect(stripe.asked).toStrictEqual([]);
    }
  });

  test("the range of time cannot be weakened by a caller's own condition", async () => {
    const filter = single("created", "gte", "2000-01-01T00:00:00Z");
    const { rows } = await walk(session, "stripe_search_charges", { filter }, [100]);
    expect(rows.map((row) => row["id"])).toStrictEqual(RECENT.map(({ id }) => id));
  });
});

describe("hostile text in a search", () => {
  test.each(["eq", "ne"])("under %s selects by its plain meaning, or is refused", async (op) => {
    let answered = 0;
    for (const text of HOSTILE) {
      const answer = await session.call("stripe_search_charges", { filter: single("customer", op, text), limit: 100 });
      if (answer.isError) {
        expect([text, answer.json.error]).toStrictEqual([text, "filter_not_expressible"]);
        continue;
      }
      answered += 1;
      const keeps = RECENT.filter(({ customer }) => (op === "eq" ? customer === text : customer !== text));
      const { rows } = await walk(session, "stripe_search_charges", { filter: single("customer", op, text) }, [100]);
      expect([text, rows.map((row) => row["id"])]).toStrictEqual([text, keeps.map(({ id }) => id)]);
    }
    if (op === "eq") expect(answered).toBeGreaterThan(40);
  });
});
