import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countUse } from "../../src/cli/draft/count-use.ts";
import type { OperationEntry, Server } from "../../src/model/api.ts";
import { run } from "./fake-shell.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "traffic-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const entry = (key: string): OperationEntry => {
  const [method = "", path = ""] = key.split(" ");
  return { key, method, path, tags: [], deprecated: false };
};
const server = (url: string): Server => ({ url, variables: [] });
const INDEX = [
  "GET /zones",
  "POST /zones",
  "GET /zones/{id}",
  "GET /zones/main",
  "GET /files/{name}.{ext}",
  "GET /{a}/{b}/{c}",
].map(entry);

describe("which operation a request called", () => {
  const cases: [servers: string[], method: string, url: string, key: string | undefined][] = [
    [["https://a.io/v1"], "GET", "https://a.io/v1/zones", "GET /zones"],
    [["https://a.io/v1"], "GET", "https://a.io/v1/zones/?x=1", "GET /zones"],
    [["https://a.io/v1"], "POST", "https://a.io/v1/zones", "POST /zones"],
    [["https://a.io/v1"], "GET", "https://a.io/v1/zones/7", "GET /zones/{id}"],
    [["https://a.io/v1"], "GET", "https://a.io/v1/zones/main", "GET /zones/main"],
    [["https://a.io/v1"], "DELETE", "https://a.io/v1/zones/7", undefined],
    [["https://a.io/v1"], "GET", "https://b.io/v1/zones", undefined],
    [["https://a.io/v1"], "GET", "https://a.io/v10/zones", undefined],
    [["https://a.io/v1"], "GET", "https://a.io/zones", undefined],
    [["https://{region}.a.io/{version}"], "GET", "https://eu.a.io/v2/zones", "GET /zones"],
    [["https://{region}.a.io"], "GET", "https://eu.a.io.evil.io/zones", undefined],
    [["/api"], "GET", "http://127.0.0.1:8080/api/zones", "GET /zones"],
    [[], "GET", "http://anything.io/files/a.b.txt", "GET /files/{name}.{ext}"],
    [[], "GET", "http://anything.io/x/y/z", "GET /{a}/{b}/{c}"],
    [["https://a.io", "https://a.io/v1"], "GET", "https://a.io/v1/zones", "GET /zones"],
  ];
  test.each(cases)("with servers %j: %s %s", (servers, method, url, key) => {
    const { counts } = countUse({ index: INDEX, servers: servers.map(server) }, [{ method, url: new URL(url) }]);
    expect([...counts.keys()][0]).toBe(key);
  });

  test("a path that fits the beginnings of very many templates is given up on, and not led through all of them", () => {
    const parts = Array.from({ length: 24 }, (_, at) => at);
    const index = Array.from({ length: 200 }, (_, one) =>
      entry(`GET /${parts.map((at) => ((one >> (at % 8)) & 1 ? "{p}" : "{p}{q}")).join("/")}/end${one}`),
    );
    const matched = (end: string) => {
      const url = new URL(`http://a.io/${parts.map(() => "aa").join("/")}/${end}`);
      return countUse({ index, servers: [] }, [{ method: "GET", url }]).matched;
    };
    // What says more of a part is tried first, so that the one without a second key anywhere comes last.
    expect([matched("end0"), matched("end127"), matched("nothing")]).toStrictEqual([1, 0, 0]);
  });
});

const SECRET = "sk_live_5up3r";
function har(...requests: [method: string, url: string, times?: number][]): string {
  const entries = requests.flatMap(([method, url, times = 1]) =>
    Array.from({ length: times }, () => ({
      request: {
        method,
        url,
        headers: [{ name: "Authorization", value: SECRET }],
        cookies: [{ name: SECRET, value: SECRET }],
      },
      response: { content: { text: SECRET } },
    })),
  );
  return JSON.stringify({ log: { version: "1.2", entries } });
}

const draft = (text: string, ...more: string[]) => {
  const file = join(root, "seen.har");
  writeFileSync(file, text);
  return run(["draft", "specs/powerdns.yaml", "--from-traffic", file, ...more]);
};

describe("vitrine draft --from-traffic", () => {
  test("puts what is used first, and nothing of the recording into the draft", async () => {
    const url = `http://dns.local/api/v1/servers/${SECRET}/config?token=${SECRET}`;
    const plain = (await run(["draft", "specs/powerdns.yaml"])).out;
    expect(plain).not.toContain("operation: getConfig\n");
    const { code, out, err } = await draft(
      har(["GET", url, 40], ["DELETE", "http://dns.local/api/v1/servers/a/zones/b", 90]),
    );
    expect(code).toBe(0);
    expect(err).toMatch(
      /^Of the traffic 130 requests went to the API's hosts; 130 of them called 2 operations of the document\.$/m,
    );
    expect(out).toContain("operation: getConfig\n");
    expect(out).toContain("Chosen: 40 of the recorded requests called it.");
    expect(out).not.toContain("deleteZone");
    expect(out + err).not.toContain(SECRET);
  });

  const hostile: [what: string, text: string, said: string][] = [
    ["no JSON", `{"log": ${SECRET}`, "not JSON."],
    ["no list of requests", "{}", "no HAR file: it has no list at log.entries."],
    ["a list in its place", "[]", "no HAR file: it has no list at log.entries."],
    ["a nest", `{"log":{"entries":${"[".repeat(100_000)}`, "nested more than 200 deep."],
  ];
  test.each(hostile)("tells of %s in one line", async (_, text, said) => {
    const { code, out, err } = await draft(text);
    expect([code, out]).toStrictEqual([2, ""]);
    expect(err).toMatch(/^vitrine: [^\n]*\n$/);
    expect(err).toContain(said);
    expect(err).not.toContain(SECRET);
  });

  test("passes over entries that are no requests", async () => {
    const entries = [
      null,
      1,
      "x",
      {},
      { request: null },
      { request: { method: 1, url: 2 } },
      { request: { method: "GET", url: "::" } },
    ];
    const odd = `{"log":{"entries":${JSON.stringify([...entries, { request: { method: "GET", url: `http://x/${'[\\"'.repeat(3)}` } }])},"__proto__":{"a":1}}}`;
    expect((await draft(odd)).code).toBe(0);
  });
});
