import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { keepHost, withPlaces } from "../../src/cli/host/kept-host.ts";
import { loadHost } from "../../src/cli/host/load-host.ts";

// The certificates that a curation names are files of the host as its spec is.

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  servers: [{ url: "https://desk.example.com" }],
  paths: { "/items": { get: { operationId: "find", responses: { 200: { description: "Ok." } } } } },
};
const HOST = `listen: 127.0.0.1:0
publicUrl: http://127.0.0.1
servers:
  desk: { curation: ./desk.yaml, root: . }
`;
const pem = (text: string): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(text).toString("base64")}\n-----END CERTIFICATE-----\n`;

const folder = mkdtempSync(join(tmpdir(), "vitrine-certificates-"));
const at = (name: string): string => join(folder, name);
const curate = (ca: string): void =>
  writeFileSync(
    at("desk.yaml"),
    `vitrine: 1
api: { spec: ./spec.json, tls: { ca: ${ca} } }
server: { name: desk }
tools:
  find: { operation: find, use: Find what is there. }
`,
  );
const running = { env: {}, secrets: [], report: () => undefined };
beforeEach(() => {
  writeFileSync(at("spec.json"), JSON.stringify(SPEC));
  writeFileSync(at("host.yaml"), HOST);
  curate("./ca.pem");
  rmSync(at("ca.pem"), { force: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a certificate", () => {
  test.each([
    ["that is not there", undefined, "./ca.pem", /no such file/],
    ["that is none", "hello", "./ca.pem", /no PEM file/],
    ["outside of the root", undefined, "../ca.pem", /outside/],
  ])("%s is a mistake at its server, and told with all others", async (_, text, ca, says) => {
    if (text !== undefined) writeFileSync(at("ca.pem"), text);
    curate(ca);
    const { served, problems, files } = await loadHost(at("host.yaml"), running);
    expect(served).toBeUndefined();
    const place = { file: at("host.yaml"), line: 4, severity: "error" };
    expect(problems).toMatchObject([
      { code: "unreadable_certificate", message: expect.stringMatching(says), ...place },
    ]);
    // It may come.
    expect(files.includes(at("ca.pem"))).toBe(ca === "./ca.pem");
  });

  test("that was renewed is used from the next reading on; until then the server is the same", async () => {
    writeFileSync(at("ca.pem"), pem("one"));
    const first = await loadHost(at("host.yaml"), running);
    expect(first.digests.has(at("ca.pem"))).toBe(true);
    const same = await loadHost(at("host.yaml"), running, first.parts);
    expect(same.served?.servers.get("desk")).toBe(first.served?.servers.get("desk"));
    writeFileSync(at("ca.pem"), pem("two"));
    const next = await loadHost(at("host.yaml"), running, same.parts);
    expect(next.served?.servers.get("desk")).toBeDefined();
    expect(next.served?.servers.get("desk")).not.toBe(first.served?.servers.get("desk"));
    for (const { served } of [first, next]) await served?.servers.get("desk")?.close();
  });

  test("that is gone is no hindrance to whoever begins with what another worker has read", async () => {
    writeFileSync(at("ca.pem"), pem("one"));
    const first = await loadHost(at("host.yaml"), running);
    const state = JSON.parse(JSON.stringify(keepHost(first, first.text)));
    for (const name of ["ca.pem", "desk.yaml", "spec.json"]) rmSync(at(name));
    writeFileSync(at("host.yaml"), HOST.replace("127.0.0.1:0", "127.0.0.1:9"));
    const { served, digests, parts } = await loadHost(at("host.yaml"), running, undefined, state);
    expect(served?.host).toStrictEqual(first.served?.host);
    // It is seen that the files are others by now.
    expect(digests).toStrictEqual(first.digests);
    expect(parts.get("desk")?.tls).toStrictEqual({ ca: pem("one") });
    for (const one of [first.served, served]) await one?.servers.get("desk")?.close();
  });
});

test("where a host listens stays as it was opened, whatever the file says by now", () => {
  const opened = { listen: "a", publicUrl: "b", events: "c", keys: 1 } as unknown as Parameters<typeof withPlaces>[0];
  const last = { listen: "d", publicUrl: "e", shared: "f", keys: 2 } as unknown as typeof opened;
  expect(withPlaces(last, opened)).toStrictEqual({ listen: "a", publicUrl: "b", events: "c", keys: 2 });
});
