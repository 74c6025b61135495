import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { planCalendar } from "./calendar.ts";
import { createApp } from "./create-app.ts";
import { readCatalogue } from "./fields.ts";
import { findData } from "./find-data.ts";
import { generateRows } from "./generate-rows.ts";
import { type Database, openDatabase, type Row } from "./open-database.ts";

export interface LedgerOptions {
  /** Loopback unless said. */
  readonly host?: string;
  /** A free one unless said. */
  readonly port?: number;
  /** What callers send as X-Ledger-Key. */
  readonly key: string;
  /** The ledger covers the twelve months before this one's month, and that month up to the day before. The present unless said. */
  readonly now?: Date;
  /** The folder with the sample and the catalogues; found beside the code unless said. */
  readonly dataFolder?: string;
}

export interface RunningLedger {
  /** For example `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
  /**
   * Runs SQL on the view `charges` (FOCUS columns, TenantId, the maps TagMap and Details), past the API: for tests that check an
   * answer against the data. Decimals and big integers come as text.
   */
  query(sql: string): Promise<Row[]>;
}

/**
 * Starts the demo's upstream: about 100,000 charges in memory, served by HTTP. Throws `DuckdbMissing` (code DUCKDB_MISSING) where the
 * optional dependency is absent, and Node's own error where the port is taken.
 */
export async function startLedger(options: LedgerOptions): Promise<RunningLedger> {
  const { host = "127.0.0.1", port = 0, key, now = new Date(), dataFolder = findData() } = options;
  if (key === "") throw new TypeError("The ledger needs a key.");
  const catalogue = readCatalogue(dataFolder);
  const database = await openDatabase();
  try {
    await generateRows(database, catalogue, planCalendar(now), dataFolder);
    const server = await listen(createServer(createApp({ database, catalogue }, key)), port, host);
    return { url: urlOf(server), close: () => close(server, database), query: (sql) => database.rows(sql) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function listen(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return family === "IPv6" ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}

async function close(server: Server, database: Database): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  database.close();
}
