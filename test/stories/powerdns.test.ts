import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "../setup/clients.ts";
import { havePowerDns, type PowerDns, startPowerDns } from "../setup/powerdns.ts";
import { startPrism } from "../setup/prism.ts";
import type { RunningServer } from "../setup/processes.ts";
import { startRecorder } from "../setup/recorder.ts";
import { walk } from "./lists/walk.ts";

const ZONE = {
  name: "example.org.",
  kind: "Native",
  nameservers: ["ns1.example.org.", "ns2.example.org."],
  rrsets: [
    { name: "www.example.org.", type: "A", ttl: 300, records: [{ content: "192.0.2.1", disabled: false }] },
    { name: "mail.example.org.", type: "A", ttl: 300, records: [{ content: "192.0.2.2", disabled: true }] },
    {
      name: "a_b.example.org.",
      type: "TXT",
      ttl: 60,
      records: [{ content: '"it works & costs 5% now"', disabled: false }],
    },
  ],
};

/** vitrine → recorder → Prism (an independent checker) → a real PowerDNS. */
describe.runIf(havePowerDns)("PowerDNS, a real server behind an independent checker", () => {
  let dns: PowerDns;
  let prism: RunningServer;
  let recorder: Awaited<ReturnType<typeof startRecorder>>;
  let session: Session;

  beforeAll(async () => {
    dns = await startPowerDns();
    expect(await dns.ask("POST", "/servers/localhost/zones", ZONE)).toMatchObject({ status: 201 });
    for (let i = 0; i < 30; i++) {
      await dns.ask("POST", "/servers/localhost/zones", {
        name: `zone${i}.test.`,
        kind: "Native",
        nameservers: ["ns1.example.org."],
      });
    }
    const document = await (
      await fetch(dns.documentUrl, { headers: { "x-api-key": dns.key, accept: "application/json" } })
    ).text();
    const file = join(mkdtempSync(join(tmpdir(), "vitrine-prism-")), "pdns.json");
    writeFileSync(file, document);
    prism = await startPrism(file, dns.url);
    recorder = await startRecorder(prism.url);
    session = await openSession(["curation/powerdns.yaml"], { PDNS_URL: recorder.url, PDNS_KEY: dns.key });
  }, 180_000);

  afterAll(async () => {
    await session?.close();
    recorder?.stop();
    await prism?.stop();
    await dns?.stop();
  });

  test("the shipped spec is what the server itself serves", async () => {
    const served = await (await fetch(dns.documentUrl, { headers: { "x-api-key": dns.key } })).text();
    expect(readFileSync("specs/powerdns.yaml", "utf8")).toBe(served);
  });

  test("every tool only reads and says so", async () => {
    const { tools } = await session.client.listTools();
    expect(tools.map((tool) => tool.name)).toStrictEqual(tools.map((tool) => tool.name).toSorted());
    for (const tool of tools) expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  });

  test("zones come in order, cut to the limit, and a token leads to the rest", async () => {
    const { json } = await session.call("dns_list_zones", { limit: 5 });
    expect(json).toMatchObject({ rowCount: 5, hasMore: true, note: expect.stringContaining("5 of 31") });
    expect(json).not.toHaveProperty("omitted");
    const { rows } = await walk(session, "dns_list_zones", {}, [5, 11]);
    expect(rows.slice(0, 5)).toStrictEqual(json.data);
    expect(new Set(rows.map((row) => row["id"])).size).toBe(31);
    expect(json.data?.[0]).toStrictEqual({
      id: "example.org.",
      name: "example.org.",
      kind: "Native",
      serial: expect.any(Number),
      dnssec: false,
    });
  });

  test("a search finds zones by a part of their name", async () => {
    const { json } = await session.call("dns_list_zones", { search: "zone7" });
    expect(json).toMatchObject({ rowCount: 1, hasMore: false, data: [{ name: "zone7.test." }] });
  });

  test("records show their contents, the disabled ones apart", async () => {
    const { json } = await session.call("dns_list_records", { zone_id: "example.org." });
    expect(json.data?.map((row) => row["name"])).toStrictEqual(json.data?.map((row) => String(row["name"])).toSorted());
    expect(json.data?.filter((row) => row["name"] === "mail.example.org.")).toStrictEqual([
      { name: "mail.example.org.", type: "A", ttl: 300, contents: [], disabled: ["192.0.2.2"], comments: [] },
    ]);
  });

  test("free text reaches the server as meant", async () => {
    // Past Prism, which encodes a query anew and not always as it came. (PowerDNS itself decodes a % before another triple wrongly.)
    const direct = await openSession(["curation/powerdns.yaml"], { PDNS_URL: dns.url, PDNS_KEY: dns.key });
    try {
      const { json } = await direct.call("dns_search", { q: "*works & costs*" });
      expect(json.data).toMatchObject([{ object_type: "record", name: "a_b.example.org.", type: "TXT" }]);
    } finally {
      await direct.close();
    }
  });

  test("a zone file comes as text", async () => {
    const { json, result } = await session.call("dns_export_zone", { zone_id: "example.org." });
    expect(json["text"]).toContain("www.example.org.\t300\tIN\tA\t192.0.2.1");
    expect(result.structuredContent).toStrictEqual(json);
  });

  test("an unknown zone (a 404 in plain text) tells what to do next", async () => {
    const answer = await session.call("dns_get_zone", { zone_id: "nowhere.test." });
    expect(answer.isError).toBe(true);
    expect(answer.json).toMatchObject({
      error: "unknown_zone",
      recover: "Call `dns_list_zones` and use an id from it, with its trailing dot.",
      upstream: { status: 404 },
    });
  });

  test("a path value that would leave its segment is refused before anything is sent", async () => {
    const before = recorder.exchanges.length;
    for (const zone_id of ["..", ".", ""]) {
      expect((await session.call("dns_get_zone", { zone_id })).json).toMatchObject({ error: "invalid_arguments" });
    }
    expect(recorder.exchanges.length).toBe(before);
  });

  test("the rest of the tools answer", async () => {
    expect((await session.call("dns_get_zone", { zone_id: "example.org." })).json).toMatchObject({
      name: "example.org.",
      kind: "Native",
      dnssec: false,
    });
    expect((await session.call("dns_list_signing_keys", { zone_id: "example.org." })).json).toMatchObject({
      rowCount: 0,
      hasMore: false,
    });
    expect((await session.call("dns_get_statistics", { search: "udp-queries" })).json.data).toContainEqual({
      name: "udp-queries",
      value: expect.any(String),
    });
    expect((await session.call("dns_get_settings", { search: "webserver-port" })).json.data?.[0]).toMatchObject({
      name: "webserver-port",
    });
  });

  test("no request of ours broke the server's own document", () => {
    expect(recorder.exchanges.length).toBeGreaterThan(8);
    const ours = recorder.exchanges.flatMap(({ url, answered }) => {
      const header = answered["sl-violations"];
      const violations =
        header === undefined ? [] : (JSON.parse(String(header)) as { location: string[]; message: string }[]);
      return violations.filter(({ location }) => location[0] === "request").map(({ message }) => `${url}: ${message}`);
    });
    expect(ours).toStrictEqual([]);
  });
});
