import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../egress/serve.ts";
import { openSession, type Session } from "../setup/clients.ts";

// One curation, served flat to one client and in groups to another, over one upstream.

const FIXTURES = join(import.meta.dirname, "../fixtures/groups");
const folder = mkdtempSync(join(tmpdir(), "vitrine-groups-"));
const curation = join(folder, "desk.yaml");
const heard: string[] = [];
let upstream: Served;
let flat: Session;
let grouped: Session;

beforeAll(async () => {
  upstream = await serve(answer);
  copyFileSync(join(FIXTURES, "desk.openapi.yaml"), join(folder, "desk.openapi.yaml"));
  const written = readFileSync(join(FIXTURES, "desk.yaml"), "utf8");
  writeFileSync(curation, written.replace("  pages:", "  baseUrl: ${env.DESK_URL}\n  pages:"));
  const env = { DESK_URL: `${upstream.url}/v1` };
  flat = await openSession([curation], env);
  grouped = await openSession([curation, "--expose", "grouped"], env, "v1 SDK");
});
afterAll(async () => {
  await Promise.all([flat?.close(), grouped?.close(), upstream?.close()]);
  rmSync(folder, { recursive: true });
});

function answer({ method, url = "" }: IncomingMessage, response: ServerResponse): void {
  heard.push(`${method} ${url}`);
  const { pathname, searchParams } = new URL(url, "http://x");
  const last = searchParams.get("cursor") === "2";
  const items = (last ? ["i4"] : ["i1", "i2", "i3"]).map((id) => ({ id, status: "open", total: 10 }));
  const body = pathname.endsWith("/invoices") ? { items, next: last ? null : "2" } : { id: "i1", status: "open" };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function namesOf({ client }: Session): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe("the same curation flat and in groups", () => {
  test("shows thirty tools and what describes access, or one tool a namespace, reads apart from writes", async () => {
    expect(await namesOf(flat)).toHaveLength(31);
    const names = await namesOf(grouped);
    expect(names).toHaveLength(9);
    expect(names).toEqual(expect.arrayContaining(["desk_billing", "desk_billing_write", "desk_support_tickets"]));
  });

  test("sends the same requests and gives the same rows, page after page", async () => {
    const walk = async (session: Session, tool: string, args: Record<string, unknown>) => {
      heard.length = 0;
      const rows: unknown[] = [];
      let pageToken: unknown;
      do {
        const { json } = await session.call(tool, { ...args, ...(pageToken !== undefined && { pageToken }) });
        rows.push(...(json.data ?? []));
        pageToken = json["nextPageToken"];
      } while (pageToken !== undefined);
      return { rows, heard: [...heard] };
    };
    const one = await walk(flat, "desk_billing_list", { limit: 2 });
    expect(one.rows).toHaveLength(4);
    expect(await walk(grouped, "desk_billing", { action: "list", limit: 2 })).toEqual(one);
  });

  test("names an input of another action as such", async () => {
    const { isError, json } = await grouped.call("desk_billing", { action: "list", invoiceId: "i1" });
    expect([isError, json.error]).toEqual([true, "unknown_argument"]);
    expect(JSON.stringify(json)).toContain("get");
  });

  test("does not know an action that it lacks, nor the flat name", async () => {
    expect((await grouped.call("desk_billing", { action: "refund" })).json.error).toBe("invalid_arguments");
    await expect(grouped.call("desk_billing_list", {})).rejects.toThrow("Unknown tool");
  });
});
