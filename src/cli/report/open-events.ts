import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { COLUMNS } from "./call-event.ts";
import { printableLines } from "./printable.ts";
import type { PlacedEvent } from "./read-events.ts";

/** One row: numbers as far as they are exact, else their digits; moments as `YYYY-MM-DD HH:MM:SS` in UTC. */
export type Row = Readonly<Record<string, unknown>>;

/** The table `events`, and nothing else: no file, no network, no extension can be reached by what is asked. */
export interface EventTable {
  add(events: readonly PlacedEvent[]): Promise<void>;
  /** Answers one SELECT. Throws `RefusedQuery`. */
  ask(sql: string): Promise<{ readonly columns: readonly string[]; readonly rows: readonly Row[] }>;
  close(): void;
}

/** DuckDB is an optional dependency: it may be absent, or lack a binary for this platform. */
class ReportNeedsDuckdb extends Error {
  readonly code = "DUCKDB_MISSING";
  constructor(options?: ErrorOptions) {
    super("A report needs DuckDB, which is not installed here: run `npm install @duckdb/node-api`.", options);
    this.name = "ReportNeedsDuckdb";
  }
}

/** What was asked is no single SELECT, or DuckDB does not take it. */
export class RefusedQuery extends Error {
  readonly code = "REFUSED_QUERY";
}

type Duckdb = typeof import("@duckdb/node-api");

const TYPES = {
  text: "VARCHAR",
  count: "BIGINT",
  milliseconds: "DOUBLE",
  flag: "BOOLEAN",
  moment: "TIMESTAMP",
} as const;

/** The columns of the table: the keys of an event, how the call ended, and where the line stands. The day (in UTC) is made from `ts`. */
const SCHEMA: Readonly<Record<string, string>> = {
  ...Object.fromEntries(COLUMNS.map(([name, kind]) => [name, TYPES[kind]])),
  outcome: "VARCHAR",
  file: "VARCHAR",
  line: "BIGINT",
};

const LOCK = [
  "SET temp_directory = ''",
  "SET GLOBAL TimeZone = 'UTC'",
  "SET enable_external_access = false",
  "SET lock_configuration = true",
];

/** An empty table in memory. Throws `ReportNeedsDuckdb` when the package cannot be loaded. */
export async function openEvents(load: () => Promise<Duckdb> = () => import("@duckdb/node-api")): Promise<EventTable> {
  const duckdb = await load().catch((cause: unknown) => {
    throw new ReportNeedsDuckdb({ cause });
  });
  // What runs a report stands anywhere: without this moments would be written by its clock's zone.
  duckdb.DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;
  const instance = await openLocked(duckdb);
  const connection = await instance.connect();
  const columns = Object.entries(SCHEMA).map(([name, type]) => `${name} ${type}`);
  await connection.run(`CREATE TABLE events (${columns.join(", ")}, day DATE AS (CAST(ts AS DATE)))`);
  const insert = `INSERT INTO events SELECT unnest(from_json_strict($1, '${JSON.stringify([SCHEMA])}'), recursive := true)`;
  return {
    add: async (events) => void (await connection.run(insert, [JSON.stringify(events)])),
    ask: (sql) => ask(duckdb, connection, sql),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

// The files hold what strangers sent, and a query may be copied from anywhere.
async function openLocked({ DuckDBInstance }: Duckdb): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
  });
  const connection = await instance.connect();
  for (const statement of LOCK) await connection.run(statement);
  connection.closeSync();
  return instance;
}

async function ask(duckdb: Duckdb, connection: DuckDBConnection, sql: string): ReturnType<EventTable["ask"]> {
  try {
    if (sql.replace(/[\s;]/g, "") === "") throw new RefusedQuery("A query is missing.");
    const statements = await connection.extractStatements(sql);
    if (statements.count !== 1) throw new RefusedQuery("One statement is taken.");
    const statement = await statements.prepare(0);
    if (statement.statementType !== duckdb.StatementType.SELECT) throw new RefusedQuery("Only a SELECT is taken.");
    const reader = await statement.runAndReadAll();
    const columns = reader.deduplicatedColumnNames();
    const numeric = new Set<number>(NUMERIC.map((name) => duckdb.DuckDBTypeId[name]));
    const isNumber = reader.columnTypes().map(({ typeId }) => numeric.has(typeId));
    const rows = reader
      .getRowsJson()
      .map((cells) =>
        Object.fromEntries(
          cells.map((cell, at) => [columns[at] ?? "", isNumber[at] === true ? exactNumber(cell) : cell] as const),
        ),
      );
    return { columns, rows };
  } catch (error) {
    if (error instanceof RefusedQuery || !(error instanceof Error)) throw error;
    throw new RefusedQuery(printableLines(error.message), { cause: error });
  }
}

// What DuckDB writes as text in JSON, since it may be larger than a number holds.
const NUMERIC = ["BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT", "DECIMAL"] as const;

function exactNumber(cell: unknown): unknown {
  if (typeof cell !== "string") return cell;
  const value = Number(cell);
  return Number.isSafeInteger(value) || String(value) === cell ? value : cell;
}
