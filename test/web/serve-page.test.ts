import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PageData, TryAnswer, TryRequest } from "../../src/web/page-data.ts";
import { PageRefusal } from "../../src/web/page-refusal.ts";
import { openPage, PAGE_PARTS, type Page, type PagePart, type PageSource } from "../../src/web/serve-page.ts";

let folder: string;
let page: Page;
let url: string;
let revision = 1;
let source: PageSource;
let tried: TryRequest[];
let reported: unknown[];
const listeners = new Set<() => void>();
let closeServer: () => Promise<void>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-web-"));
  writeFileSync(join(folder, "index.html"), '<!doctype html><html lang="en" data-kind="serve"></html>');
  writeFileSync(join(folder, "page.js"), "1;");
  writeFileSync(join(folder, "page.css"), "body{}");
  [tried, reported, revision] = [[], [], 1];
  source = {
    data: async () => ({ revision: String(revision), title: "<script>alert(1)</script>" }) as unknown as PageData,
    tryTool: async (asked) => {
      tried.push(asked);
      return { kind: "ran" } as TryAnswer;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  await open("serve");
});
afterEach(async () => {
  await page.close(0);
  await closeServer();
  rmSync(folder, { recursive: true });
});

async function open(kind: "serve" | "host", origin?: () => string): Promise<void> {
  await closeServer?.();
  page = openPage({ kind, folder, report: (error) => reported.push(error), ...(origin && { origin }) });
  const parts = new Map(PAGE_PARTS.map((part): [string, PagePart] => [`/page/api/${part}`, part]));
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const part = parts.get(path);
    if (part !== undefined) void page.serve(part, request, response, source);
    else if (page.has(path)) void page.serveFile(path, request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closeServer = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

/** With headers that fetch does not let a program set. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const request = send(`${url}${path}`, { method: body === undefined ? "GET" : "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

const JSON_TYPE = { "content-type": "application/json" };
const TRIAL = JSON.stringify({ tool: "one", arguments: { a: 1 } });

describe("every answer", () => {
  const CSP =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  test.each(["/", "/page/page.js", "/page/page.css", "/page/api/data", "/page/api/calls", "/page/api/try"])(
    "of %s is bounded by the same policy, and nobody may keep it",
    async (path) => {
      const { headers } = await ask(path);
      expect(headers).toMatchObject({
        "content-security-policy": CSP,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
      });
    },
  );
});

describe("the files", () => {
  test("are those of the folder, with their types", async () => {
    expect(await ask("/")).toMatchObject({ status: 200, text: expect.stringContaining('data-kind="serve"') });
    expect((await ask("/page/page.js")).headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect((await ask("/page/page.css")).headers["content-type"]).toBe("text/css; charset=utf-8");
  });

  test("of a host say that it is one", async () => {
    await open("host");
    expect((await ask("/")).text).toContain('data-kind="host"');
  });

  test("that are missing are not there, and everything else is served", async () => {
    rmSync(join(folder, "page.js"));
    await open("serve");
    expect((await ask("/page/page.js")).status).toBe(404);
    expect((await ask("/page/api/data")).status).toBe(200);
  });

  test("are only read", async () => {
    expect(await ask("/", {}, "x")).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
  });
});

describe("who may ask", () => {
  const own = () => new URL(url);
  const cases: [title: string, headers: () => Record<string, string>, status: number][] = [
    ["a program, which sends neither header", () => ({}), 200],
    ["the page itself", () => ({ origin: own().origin, "sec-fetch-site": "same-origin" }), 200],
    ["another site", () => ({ origin: "https://evil.example", "sec-fetch-site": "cross-site" }), 403],
    ["another port of this machine", () => ({ origin: "http://127.0.0.1:9" }), 403],
    ["a page that has no origin", () => ({ origin: "null" }), 403],
    ["a site of the same owner", () => ({ "sec-fetch-site": "same-site" }), 403],
    ["an address that somebody opened", () => ({ "sec-fetch-site": "none" }), 403],
  ];
  test.each(cases)("%s", async (_, headers, status) => {
    expect((await ask("/page/api/data", headers())).status).toBe(status);
    expect((await ask("/page/api/try", { ...JSON_TYPE, ...headers() }, TRIAL)).status).toBe(status);
    expect(tried).toHaveLength(status === 200 ? 1 : 0);
  });

  test("the page under the address that is known outside", async () => {
    await open("host", () => "https://tools.example.com");
    expect((await ask("/page/api/data", { origin: "https://tools.example.com" })).status).toBe(200);
    expect((await ask("/page/api/data", { origin: "https://tools.example.com:8443" })).status).toBe(403);
  });
});

describe("a trial", () => {
  const bodies: [title: string, headers: Record<string, string>, body: string, status: number][] = [
    ["JSON", JSON_TYPE, TRIAL, 200],
    ["JSON that says its characters", { "content-type": 'application/json; charset="UTF-8"' }, TRIAL, 200],
    ["without arguments", JSON_TYPE, '{"tool":"one"}', 200],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, TRIAL, 415],
    ["plain text", { "content-type": "text/plain" }, TRIAL, 415],
    ["no type at all", {}, TRIAL, 415],
    ["no JSON", JSON_TYPE, "{", 400],
    ["a list", JSON_TYPE, "[]", 400],
    ["no tool", JSON_TYPE, "{}", 400],
    ["arguments that are no object", JSON_TYPE, '{"tool":"one","arguments":[]}', 400],
    ["more than it may be", JSON_TYPE, JSON.stringify({ tool: "one", arguments: { a: "x".repeat(300_000) } }), 413],
  ];
  test.each(bodies)("of %s", async (_, headers, body, status) => {
    expect((await ask("/page/api/try", headers, body)).status).toBe(status);
    expect(tried).toHaveLength(status === 200 ? 1 : 0);
  });

  test("that is refused says why, and one that fails does not", async () => {
    source = { ...source, tryTool: () => Promise.reject(new PageRefusal(404, "unknown_tool", "There is none.")) };
    const refused = await ask("/page/api/try", JSON_TYPE, TRIAL);
    expect([refused.status, JSON.parse(refused.text)]).toStrictEqual([
      404,
      { error: { code: "unknown_tool", message: "There is none." } },
    ]);
    source = { ...source, tryTool: () => Promise.reject(new Error("canary-of-ours")) };
    const failed = await ask("/page/api/try", JSON_TYPE, TRIAL);
    expect(failed.status).toBe(500);
    expect(failed.text).not.toContain("canary-of-ours");
    expect(String(reported)).toContain("canary-of-ours");
  });

  test("is not asked for with GET", async () => {
    expect(await ask("/page/api/try")).toMatchObject({ status: 405, headers: { allow: "POST" } });
  });

  test("finishes when the server closes", async () => {
    let finish = (): void => {};
    const began = new Promise<void>((resolve) => {
      source = {
        ...source,
        tryTool: async () => {
          resolve();
          await new Promise<void>((done) => {
            finish = done;
          });
          return { kind: "ran" } as TryAnswer;
        },
      };
    });
    const answered = ask("/page/api/try", JSON_TYPE, TRIAL);
    await began;
    let isClosed = false;
    const closed = page.close(60_000).then(() => {
      isClosed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    finish();
    await closed;
    expect((await answered).status).toBe(200);
  });
});

describe("the stream of changes", () => {
  async function openStream(): Promise<ReadableStreamDefaultReader<string>> {
    const response = await fetch(`${url}/page/api/changes`);
    expect([response.status, response.headers.get("content-type")]).toStrictEqual([200, "text/event-stream"]);
    return response.body!.pipeThrough(new TextDecoderStream()).getReader();
  }
  const event = (n: number): string => `event: changed\ndata: {"revision":"${n}"}\n\n`;

  test("tells the revision at once and whenever it is another, and ends when the server closes", async () => {
    const stream = await openStream();
    expect((await stream.read()).value).toBe(event(1));
    for (const listener of listeners) listener();
    revision = 2;
    for (const listener of listeners) listener();
    expect((await stream.read()).value).toBe(event(2));
    await page.close(0);
    expect((await stream.read()).done).toBe(true);
    await expect.poll(() => listeners.size).toBe(0);
  });

  test("goes on where one revision cannot be made, and ends for whoever may not ask any more", async () => {
    let fail: Error | undefined;
    source = {
      ...source,
      data: async () => {
        if (fail !== undefined) throw fail;
        return { revision: String(revision) } as unknown as PageData;
      },
    };
    const change = (): void => {
      for (const listener of listeners) listener();
    };
    const stream = await openStream();
    expect((await stream.read()).value).toBe(event(1));
    fail = new Error("a passing fault");
    change();
    await expect.poll(() => String(reported)).toContain("a passing fault");
    fail = undefined;
    revision = 2;
    change();
    expect((await stream.read()).value).toBe(event(2));
    fail = new PageRefusal(401, -32000, "Unknown key.");
    change();
    expect((await stream.read()).done).toBe(true);
    expect(reported).toHaveLength(1);
  });

  test("is not begun for whoever went away before", async () => {
    let isServed = false;
    const late = createServer((request, response) => {
      response.once("close", () => {
        void page.serve("changes", request, response, source).then(() => {
          isServed = true;
        });
      });
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => late.listen(0, "127.0.0.1", resolve));
    const { port } = late.address() as AddressInfo;
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    await expect.poll(() => isServed).toBe(true);
    late.close();
    expect([listeners.size, reported]).toStrictEqual([0, []]);
  });

  test("is bounded in number, and one that ends makes room", async () => {
    const streams = await Promise.all(Array.from({ length: 64 }, openStream));
    expect((await ask("/page/api/changes")).status).toBe(503);
    await streams[0]!.cancel();
    await expect.poll(() => listeners.size).toBe(63);
    const another = await openStream();
    expect((await another.read()).value).toBe(event(1));
  });
});

test("calls are not there where nobody writes events", async () => {
  expect((await ask("/page/api/calls")).status).toBe(404);
});
