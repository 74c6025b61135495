import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { PageData, TryRequest } from "../../../src/web/page-data.ts";
import { openPage, PAGE_PARTS, type PagePart, type PageSource } from "../../../src/web/serve-page.ts";
import { repository } from "../../setup/program.ts";
import { hostileAnswer, hostileCalls } from "./hostile-data.ts";

export interface PageServer {
  readonly url: string;
  /** What was tried, in turn. */
  readonly tried: TryRequest[];
  /** What was given up. */
  readonly stopped: TryRequest[];
  /** What the page reported as our own faults. */
  readonly faults: readonly unknown[];
  /** Parts that are answered with 503 for now. */
  readonly failing: Set<PagePart>;
  show(data: PageData): void;
  close(): Promise<void>;
}

/** The built page over data that a test makes: what a person could be shown, whatever a server does. A trial of `lines: ["wait"]` goes on until it is given up. */
export async function startPageServer(first: PageData, port = 0): Promise<PageServer> {
  let data = first;
  const listeners = new Set<() => void>();
  const tried: TryRequest[] = [];
  const stopped: TryRequest[] = [];
  const source: PageSource = {
    data: async () => data,
    tryTool: async (asked, signal) => {
      tried.push(asked);
      if (JSON.stringify(asked.arguments).includes('"lines":["wait"]')) {
        await once(signal, "abort");
        stopped.push(asked);
      }
      return hostileAnswer;
    },
    calls: async () => hostileCalls,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const faults: unknown[] = [];
  const failing = new Set<PagePart>();
  const folder = join(repository, "dist", "page");
  const page = openPage({ kind: "serve", folder, report: (error) => void faults.push(error) });
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const part = PAGE_PARTS.find((one) => path === `/page/api/${one}`);
    if (part !== undefined && failing.has(part))
      response.writeHead(503).end(JSON.stringify({ error: { code: "busy", message: "The server is busy." } }));
    else if (part !== undefined) void page.serve(part, request, response, source);
    else if (page.has(path)) void page.serveFile(path, request, response);
    else response.writeHead(404).end();
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tried,
    stopped,
    faults,
    failing,
    show: (next) => {
      data = next;
      for (const listener of listeners) listener();
    },
    close: async () => {
      await page.close(0);
      server.closeAllConnections();
      server.close();
    },
  };
}
