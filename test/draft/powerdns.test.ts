import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { run } from "../cli/fake-shell.ts";
import { havePowerDns, type PowerDns, startPowerDns } from "../setup/powerdns.ts";
import { walkDraft } from "./walk-draft.ts";

describe.skipIf(!havePowerDns)("the draft of PowerDNS's own document, untouched, on a real server", () => {
  let server: PowerDns;
  let root: string;
  beforeAll(async () => {
    server = await startPowerDns();
    root = mkdtempSync(join(tmpdir(), "draft-pdns-"));
    for (const folder of ["curation", "specs"]) mkdirSync(join(root, folder));
    const answer = await fetch(server.documentUrl, {
      headers: { "x-api-key": server.key, accept: "application/json" },
    });
    writeFileSync(join(root, "specs", "dns.json"), await answer.text());
    const rrsets = [
      { name: "www.example.org.", type: "A", ttl: 300, records: [{ content: "192.0.2.1", disabled: false }] },
    ];
    await server.ask("POST", "/servers/localhost/zones", {
      name: "example.org.",
      kind: "Native",
      nameservers: ["ns1.example.org."],
      rrsets,
    });
    await server.ask("POST", "/servers/localhost/zones/example.org./cryptokeys", { keytype: "csk", active: true });
    await server.ask("POST", "/servers/localhost/zones/example.org./metadata", {
      kind: "ALLOW-AXFR-FROM",
      metadata: ["AUTO-NS"],
    });
    await server.ask("POST", "/servers/localhost/tsigkeys", { name: "transfer", algorithm: "hmac-sha256" });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });

  test("every tool answers when it is called with what the others list", async () => {
    const file = join(root, "curation", "dns.yaml");
    expect((await run(["draft", join(root, "specs", "dns.json"), "-o", file])).code).toBe(0);
    const { tools } = parse(readFileSync(file, "utf8")) as { tools: object };
    const env = { POWERDNS_URL: server.url, POWERDNS_KEY: server.key };
    const walked = await walkDraft(file, env, { q: "*example*", max: 10 });
    expect(walked.filter(({ code }) => code !== 0)).toStrictEqual([]);
    expect(walked.map(({ tool }) => tool).toSorted()).toStrictEqual(Object.keys(tools).toSorted());
    const zones = walked.find(({ tool }) => tool === "list_zones");
    expect(zones?.reply.data).toMatchObject([{ id: "example.org.", name: "example.org." }]);
    expect(JSON.stringify(walked)).not.toContain(server.key);
  }, 120_000);
});
