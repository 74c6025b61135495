import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { vitrine } from "../setup/program.ts";

const SPEC = `
openapi: 3.1.0
info: { title: Payments, version: "1" }
paths:
  /payments:
    post:
      operationId: pay
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [amount], properties: { amount: { type: integer } } } } } }
      responses: { "200": { description: ok, content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } } }
`;
const curation = (retries: number, key: string) => `
vitrine: 1
api: { spec: ./spec.yaml, baseUrl: "\${env.PAY_URL}", retries: ${retries}${key && `, idempotencyKey: ${key}`} }
server: { name: pay, writes: true }
tools:
  pay: { operation: pay, use: Pay an amount., effect: write, input: { amount: {} }, confirm: "Pay \${input.amount}?" }
  pay_both:
    use: Pay two amounts.
    input: { amount: { type: integer } }
    steps:
      - { id: first, operation: pay, args: { amount: "\${input.amount}" } }
      - { id: second, operation: pay, args: { amount: "\${input.amount}" } }
    confirm: Twice?
    result: { value: { first: steps.first.id, second: steps.second.id } }
`;

describe("a payment whose answer is lost", () => {
  let server: Server;
  let folder: string;
  /** The upstream breaks the connection in place of so many answers; it carries out a request once for each key. */
  let breaks = 0;
  const arrived: string[] = [];
  const payments = new Map<string, string>();

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      for await (const _ of request);
      const key = String(request.headers["idempotency-key"] ?? `none-${arrived.length}`);
      arrived.push(key);
      payments.set(key, payments.get(key) ?? `p-${payments.size + 1}`);
      breaks -= 1;
      if (breaks >= 0) request.socket.destroy();
      else
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ id: payments.get(key) }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    folder = mkdtempSync(join(tmpdir(), "vitrine-pay-"));
    writeFileSync(join(folder, "spec.yaml"), SPEC);
  });
  beforeEach(() => {
    arrived.length = 0;
    payments.clear();
  });
  afterAll(() => server.close());

  async function pay(tool: string, retries: number, key: string): Promise<Record<string, unknown>> {
    const file = join(folder, `pay-${retries}${key === "" ? "" : "-keyed"}.yaml`);
    writeFileSync(file, curation(retries, key));
    const { port } = server.address() as AddressInfo;
    const env = { PAY_URL: `http://127.0.0.1:${port}` };
    return JSON.parse((await vitrine(["call", file, tool, '{"amount":5}', "--yes"], { env })).stdout);
  }

  test("is sent again with the same key, and paid once", async () => {
    breaks = 2;
    expect(await pay("pay", 2, "header.Idempotency-Key")).toStrictEqual({ id: "p-1" });
    expect([arrived.length, new Set(arrived).size, payments.size]).toStrictEqual([3, 1, 1]);
  });

  test("is told to be open once the retries are used up", async () => {
    breaks = 3;
    expect(await pay("pay", 2, "header.Idempotency-Key")).toMatchObject({ error: "outcome_unknown", retryable: false });
    expect([arrived.length, payments.size]).toStrictEqual([3, 1]);
  });

  test("is never sent again without a key", async () => {
    breaks = 1;
    expect(await pay("pay", 2, "")).toMatchObject({ error: "outcome_unknown", retryable: false });
    expect([arrived.length, payments.size]).toStrictEqual([1, 1]);
  });

  test("has another key than the equal one beside it", async () => {
    breaks = 1;
    expect(await pay("pay_both", 2, "header.Idempotency-Key")).toStrictEqual({ first: "p-1", second: "p-2" });
    expect([arrived.length, payments.size]).toStrictEqual([3, 2]);
  });
});
