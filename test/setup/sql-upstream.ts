import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Database, openDatabase } from "../../src/demo/open-database.ts";

/** One request as the upstream heard it. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  /** The JSON of the body, undefined without one. */
  readonly body: unknown;
}

export interface Answered {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

export interface SqlUpstream {
  readonly url: string;
  readonly database: Database;
  /** Every request since the last `forget`. */
  readonly asked: Asked[];
  forget(): void;
  stop(): Promise<void>;
}

/** A small API of a test on loopback whose answers are made by SQL over tables that the test fills; `undefined` is answered with 404. */
export async function startSqlUpstream(
  tables: readonly string[],
  answer: (asked: Asked, database: Database) => Promise<Answered | undefined>,
): Promise<SqlUpstream> {
  const database = await openDatabase();
  for (const sql of tables) await database.rows(sql);
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const url = new URL(request.url ?? "", "http://upstream");
    const { method = "", headers } = request;
    const body: unknown = sent === "" ? undefined : JSON.parse(sent);
    const one = { method, url, path: decodeURIComponent(url.pathname), headers, body };
    asked.push(one);
    const answered = await answer(one, database).catch((error: unknown) => ({
      status: 400,
      headers: {},
      body: { error: { code: "REFUSED", message: String(error) } },
    }));
    const { status = 200, headers: more = {}, body: told } = answered ?? { status: 404, body: {} };
    response.writeHead(status, { "content-type": "application/json", ...more }).end(JSON.stringify(told));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    database,
    asked,
    forget: () => asked.splice(0),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close").catch(() => {});
      database.close();
    },
  };
}
