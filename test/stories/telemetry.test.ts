import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INITIALIZE, start } from "../cli/running.ts";
import { cleanEnv, repository, vitrine } from "../setup/program.ts";

// A day of an agent with the help desk, as `serve --events` writes it and `report` and `gate` read it.

const CANARY = "canary-7f3a";
const folder = mkdtempSync(join(tmpdir(), "vitrine-telemetry-"));
const events = join(folder, "events.jsonl");
let upstream: ReturnType<typeof spawn>;

beforeAll(async () => {
  upstream = spawn(process.execPath, ["docs/desk/api.mjs"], { cwd: repository, env: cleanEnv({ DESK_PORT: "0" }) });
  const [said] = await once(upstream.stdout!, "data");
  const address = /http:\/\/\S+/.exec(String(said))?.[0] ?? "";
  const curation = join(folder, "desk.yaml");
  writeFileSync(
    curation,
    `vitrine: 1
api:
  spec: ${join(repository, "docs/desk/openapi.yaml")}
  baseUrl: ${address}
  auth: { deskKey: { apiKey: mulberry-72 } }
  pages: [{ style: page, send: query.page, size: query.size, sizeMax: 20 }]
server: { name: desk, prefix: desk_ }
tools:
  list_tickets:
    operation: listTickets
    use: List the tickets.
    input: { status: {} }
    result: { rows: tickets, fields: { id: id }, limit: { default: 3, max: 100 } }
  get_ticket:
    operation: getTicket
    use: Read one ticket.
    input: { ticketId: {} }
    result: { fields: { subject: subject } }
`,
  );
  const server = start(["serve", curation, "--root", "/", "--events", events]);
  await server.ask(1, "initialize", INITIALIZE);
  server.send({ method: "notifications/initialized" });
  let id = 1;
  const call = (name: string, args: object, run: string, attempt: number) => {
    id += 1;
    const _meta = { "io.vitrine/run-id": run, "io.vitrine/attempt": attempt };
    return server.ask(id, "tools/call", { name, arguments: args, _meta });
  };
  for (let at = 0; at < 6; at += 1) await call("desk_list_tickets", { limit: 2 }, `run-${at}`, 1);
  await server.ask(100, "tools/list");
  for (const attempt of [1, 2]) await call("desk_get_ticket", { ticketId: `tk-${CANARY}` }, "run-1", attempt);
  await call("desk_get_ticket", { ticketId: CANARY, [CANARY]: 1 }, "run-2", 1);
  await call("desk_close_ticket", { ticketId: CANARY }, "run-2", 1);
  server.child.stdin.end();
  expect(await server.ended()).toBe(0);
});

afterAll(() => void upstream?.kill());

test("report tells what was called and how it ended, and nothing that was said", async () => {
  const { code, stdout, stderr } = await vitrine(["report", events, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject([
    {
      tool: "desk_list_tickets",
      calls: 6,
      ok: 6,
      tool_errors: 0,
      error_rate: 0,
      upstream_calls: 6,
      retried: 0,
      errors: [],
    },
    { tool: "desk_get_ticket", calls: 3, ok: 0, tool_errors: 3, error_rate: 1, retried: 1, retried_without_success: 1 },
    { tool: "desk_close_ticket", calls: 1, tool_errors: 0, error_rate: null, protocol_faults: 1, p50_ms: null },
  ]);
  const [lists] = JSON.parse(stdout);
  expect(lists.bytes_kept).toBeGreaterThan(lists.bytes_out);
  expect(lists.p95_ms).toBeGreaterThan(0);
  for (const args of [[], ["--html"], ["--csv"]])
    expect((await vitrine(["report", events, ...args])).stdout).not.toContain(CANARY);
  expect(readFileSync(events, "utf8")).not.toContain(CANARY);
});

test("gate lets the good tool pass, and not the bad one, nor a file that was cut", async () => {
  const gate = async (...args: string[]) => {
    const { code, stdout } = await vitrine(["gate", ...args]);
    return [code, stdout.trimEnd().split("\n").at(-1)];
  };
  expect(await gate(events, "--max-error-rate", "0.3")).toEqual([1, "tool_error_rate=0.333 (3/9)"]);
  expect(await gate(events, "--max-error-rate", "0", "--tool", "desk_list_tickets", "--min-calls", "6")).toEqual([
    0,
    "tool_error_rate=0.000 (0/6)",
  ]);
  const torn = join(folder, "torn.jsonl");
  writeFileSync(torn, readFileSync(events).subarray(0, -20));
  expect(await gate(torn)).toEqual([1, "tool_error_rate=0.333 (3/9)"]);
});
