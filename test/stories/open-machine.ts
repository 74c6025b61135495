import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The upstream of `shift.curation.yaml`: it is on or off. */
export interface Machine {
  isRunning: boolean;
  readonly url: string;
  close(): void;
}

export async function openMachine(): Promise<Machine> {
  const server = createServer((request, response) => {
    if (request.method === "POST") machine.isRunning = request.url === "/shift/begin";
    response.setHeader("content-type", "application/json");
    response.end(request.url === "/parts" ? '[{"id":"p-1"}]' : JSON.stringify({ running: machine.isRunning }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const machine: Machine = { isRunning: false, url, close: () => void server.close() };
  return machine;
}
