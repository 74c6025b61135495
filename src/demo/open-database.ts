import type { DuckDBValue } from "@duckdb/node-api";

/** One row as DuckDB writes it in JSON: decimals and big integers are text, timestamps are `YYYY-MM-DD HH:MM:SS` in UTC, no value is null. */
export type Row = Readonly<Record<string, unknown>>;

export interface Database {
  /** Runs one statement with its values bound (`$1`, `$2`…), on a connection of its own, and returns all rows. */
  rows(sql: string, values?: readonly DuckDBValue[]): Promise<Row[]>;
  close(): void;
}

/** DuckDB is an optional dependency: it may be absent, or lack a binary for this platform. */
export class DuckdbMissing extends Error {
  readonly code = "DUCKDB_MISSING";
  constructor(options?: ErrorOptions) {
    super("The demo needs DuckDB, which is not installed here: run `npm install @duckdb/node-api`.", options);
    this.name = "DuckdbMissing";
  }
}

type Duckdb = Pick<typeof import("@duckdb/node-api"), "DuckDBInstance">;

/** An empty database in memory. Throws `DuckdbMissing` when the package cannot be loaded. */
export async function openDatabase(load: () => Promise<Duckdb> = () => import("@duckdb/node-api")): Promise<Database> {
  const duckdb = await load().catch((cause: unknown) => {
    throw new DuckdbMissing({ cause });
  });
  // Nothing may be fetched behind our back: an extension that is not built in is an error.
  const instance = await duckdb.DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" });
  return {
    async rows(sql, values = []) {
      const connection = await instance.connect();
      try {
        return (await connection.runAndReadAll(sql, [...values])).getRowObjectsJson();
      } finally {
        connection.closeSync();
      }
    },
    close: () => instance.closeSync(),
  };
}
