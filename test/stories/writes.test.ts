import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect, type Peer, type Person, personWho } from "../mcp/peers.ts";
import { readAnswer, type Session } from "../setup/clients.ts";
import { havePowerDns, type PowerDns, startPowerDns } from "../setup/powerdns.ts";
import { cleanEnv, program, vitrine } from "../setup/program.ts";

const CURATION = "curation/powerdns-write.yaml";
const ZONE = "/servers/localhost/zones/example.org.";
const WWW = { zone_id: "example.org", name: "www.example.org", addresses: ["192.0.2.7"] };

/** What stands between vitrine and the server: it writes down what passes, may lose an answer, and may do something just before a write. */
interface Wire {
  readonly url: string;
  readonly writes: string[];
  loseAnswers: boolean;
  beforeWrite: (() => Promise<unknown>) | undefined;
  readonly server: Server;
}

async function openWire(upstream: string): Promise<Wire> {
  const wire = { url: "", writes: [] as string[], loseAnswers: false, beforeWrite: undefined as Wire["beforeWrite"] };
  const server = createServer((incoming, outgoing) => {
    const { method = "", headers } = incoming;
    const onward = request(`${upstream}${incoming.url}`, { method, headers }, (answer) => {
      if (method !== "GET" && wire.loseAnswers) {
        answer.resume().on("end", () => outgoing.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    let body = "";
    incoming.setEncoding("utf8").on("data", (chunk) => {
      body += chunk;
    });
    incoming.on("end", async () => {
      if (method !== "GET") wire.writes.push(body);
      if (method !== "GET") await wire.beforeWrite?.();
      onward.end(body);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(wire, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server });
}

describe.runIf(havePowerDns)("a real PowerDNS is changed, and only after a yes", () => {
  let dns: PowerDns;
  let wire: Wire;
  const open: Session[] = [];

  beforeAll(async () => {
    dns = await startPowerDns();
    wire = await openWire(dns.url);
  }, 60_000);

  beforeEach(async () => {
    await dns.ask("DELETE", ZONE);
    const zone = {
      name: "example.org.",
      kind: "Native",
      nameservers: ["ns1.example.org."],
      rrsets: [
        { name: "www.example.org.", type: "A", ttl: 60, records: [{ content: "192.0.2.1", disabled: false }] },
        {
          name: "old.example.org.",
          type: "CNAME",
          ttl: 60,
          records: [{ content: "www.example.org.", disabled: false }],
        },
        {
          name: "two.example.org.",
          type: "A",
          ttl: 60,
          records: [
            { content: "192.0.2.7", disabled: false },
            { content: "192.0.2.8", disabled: true },
          ],
        },
      ],
    };
    expect(await dns.ask("POST", "/servers/localhost/zones", zone)).toMatchObject({ status: 201 });
    Object.assign(wire, { loseAnswers: false, beforeWrite: undefined });
    wire.writes.length = 0;
  });

  afterAll(async () => {
    for (const session of open) await session.close();
    wire?.server.close();
    wire?.server.closeAllConnections();
    await dns?.stop();
  });

  const env = () => ({ PDNS_URL: wire.url, PDNS_KEY: dns.key });

  async function start(person?: Person, peer: Peer = "v2 SDK, 2026-07-28", more: string[] = []): Promise<Session> {
    const target = { command: process.execPath, args: [program, "serve", CURATION, ...more], env: cleanEnv(env()) };
    const client = await connect(peer, target, person);
    const session: Session = {
      client,
      close: () => client.close(),
      call: async (name, args = {}) => readAnswer((await client.callTool({ name, arguments: args })) as never),
    };
    open.push(session);
    return session;
  }

  /** What the server itself says. */
  async function addresses(name = "www.example.org."): Promise<unknown> {
    const { text } = await dns.ask("GET", `${ZONE}?rrset_name=${name}&rrset_type=A`);
    const zone = JSON.parse(text) as { rrsets: { ttl: number; records: { content: string }[] }[] };
    return zone.rrsets.map(({ ttl, records }) => [ttl, ...records.map(({ content }) => content)]);
  }

  const REPLACED = {
    rrsets: [
      {
        name: "www.example.org.",
        type: "A",
        ttl: 60,
        changetype: "REPLACE",
        records: [{ content: "192.0.2.7", disabled: false }],
      },
    ],
  };

  test("an agent is shown the exact change, and makes it with the token that it got", async () => {
    const session = await start();
    const asked = await session.call("dns_point_name", WWW);
    expect(asked.json).toMatchObject({
      confirmation: {
        text: "Point www.example.org. (A) to 192.0.2.7, time to live 60 s?\nUntil now: 192.0.2.1.",
        requests: [{ method: "PATCH", url: `${wire.url}${ZONE}`, body: REPLACED }],
      },
      note: expect.stringMatching(/^Nothing was done yet\./),
    });
    expect(asked.text).not.toContain(dns.key);
    expect([wire.writes, await addresses()]).toStrictEqual([[], [[60, "192.0.2.1"]]]);

    const { confirm } = asked.json["confirmation"] as { confirm: string };
    const done = await session.call("dns_point_name", { ...WWW, confirm });
    expect(done.json).toStrictEqual({
      name: "www.example.org.",
      type: "A",
      changed: true,
      before: ["192.0.2.1"],
      addresses: ["192.0.2.7"],
      ttl: 60,
    });
    expect(wire.writes.map((body) => JSON.parse(body))).toStrictEqual([REPLACED]);
    expect(await addresses()).toStrictEqual([[60, "192.0.2.7"]]);

    // Done once more it changes nothing, so nobody is asked.
    expect((await session.call("dns_point_name", WWW)).json).toMatchObject({
      changed: false,
      addresses: ["192.0.2.7"],
    });
    expect(wire.writes).toHaveLength(1);
  });

  test.each<Peer>(["v1 SDK", "v2 SDK, 2025-11-25", "v2 SDK, 2026-07-28"])(
    "the person at a client of the %s is asked, and their answer counts",
    async (peer) => {
      const no = await start(personWho("decline"), peer);
      expect((await no.call("dns_point_name", WWW)).json).toMatchObject({ confirmation: { answer: "declined" } });
      expect(await addresses()).toStrictEqual([[60, "192.0.2.1"]]);
      const person = personWho("accept", { confirm: true });
      const yes = await start(person, peer);
      expect((await yes.call("dns_point_name", WWW)).json).toMatchObject({ changed: true, addresses: ["192.0.2.7"] });
      expect(person.asked).toMatchObject([
        { message: expect.stringContaining("Until now: 192.0.2.1.\n\nThis will be sent:\n\nPATCH http") },
      ]);
      expect(await addresses()).toStrictEqual([[60, "192.0.2.7"]]);
    },
  );

  test("what somebody else changed between question and answer is shown anew", async () => {
    const session = await start();
    const asked = await session.call("dns_point_name", WWW);
    const theirs = { ...REPLACED.rrsets[0], ttl: 5, records: [{ content: "192.0.2.66", disabled: false }] };
    await dns.ask("PATCH", ZONE, { rrsets: [theirs] });
    const { confirm } = asked.json["confirmation"] as { confirm: string };
    const again = await session.call("dns_point_name", { ...WWW, confirm });
    expect(again.json).toMatchObject({
      confirmation: {
        text: expect.stringContaining("Until now: 192.0.2.66."),
        requests: [{ body: { rrsets: [{ ttl: 5 }] } }],
      },
      note: expect.stringContaining("What would be sent has changed"),
    });
    expect(wire.writes).toStrictEqual([]);
  });

  test("a record that is disabled is not passed over: it would be replaced as well", async () => {
    const session = await start();
    const asked = await session.call("dns_point_name", { ...WWW, name: "two.example.org" });
    expect(asked.json["confirmation"]).toMatchObject({
      text: expect.stringContaining("Until now: 192.0.2.7, 192.0.2.8."),
    });
  });

  test("a conflict is told in the server's own words, and nothing had taken effect", async () => {
    const session = await start(personWho("accept", { confirm: true }));
    const { isError, json } = await session.call("dns_point_name", { ...WWW, name: "old.example.org." });
    expect(isError).toBe(true);
    expect(json).toMatchObject({
      error: "refused_record",
      message: expect.stringMatching(/^Step `change`: .*Conflicts with pre-existing RRset/),
      recover: expect.stringContaining("`dns_list_records`"),
      upstream: { status: 422, step: "change" },
    });
    expect(json["message"]).not.toContain("took effect");
    expect(await addresses("old.example.org.")).toStrictEqual([]);
  });

  test.each<[what: string, args: object, want: object]>([
    [
      "a name of another zone",
      { name: "www.example.com." },
      { error: "refused_record", upstream: { status: 422, step: "change" } },
    ],
    [
      "no address",
      { addresses: ["localhost"] },
      { error: "refused_record", upstream: { status: 422, step: "change" } },
    ],
    [
      "a zone that there is not",
      { zone_id: "exampel.org." },
      {
        error: "unknown_id",
        path: "zone_id",
        nearest: ["example.org."],
        recover: expect.stringContaining("`dns_list_zones`"),
        upstream: { status: 404, step: "zone" },
      },
    ],
  ])("%s is refused by the server, and told where", async (_, args, want) => {
    const session = await start(personWho("accept", { confirm: true }));
    expect((await session.call("dns_point_name", { ...WWW, ...args })).json).toMatchObject(want);
    expect(await addresses()).toStrictEqual([[60, "192.0.2.1"]]);
  });

  test("a lost answer is told as such, sent once, and looked up by the next call", async () => {
    const session = await start(personWho("accept", { confirm: true }));
    wire.loseAnswers = true;
    const { isError, json } = await session.call("dns_point_name", WWW);
    expect(isError).toBe(true);
    expect(json).toMatchObject({ error: "outcome_unknown", retryable: false, upstream: { step: "change" } });
    expect(wire.writes).toHaveLength(1);
    wire.loseAnswers = false;
    expect((await session.call("dns_point_name", WWW)).json).toMatchObject({
      changed: false,
      addresses: ["192.0.2.7"],
    });
    expect(wire.writes).toHaveLength(1);
  });

  test("what only a person may decide is refused to a client that cannot ask, and done by one that can", async () => {
    const args = { zone_id: "example.org.", name: "www.example.org.", type: "A" };
    expect((await (await start()).call("dns_remove_addresses", args)).json).toMatchObject({
      error: "confirmation_required",
    });
    const person = personWho("accept", { confirm: true });
    const asking = await start(person);
    expect((await asking.call("dns_remove_addresses", { ...args, confirm: "x" })).json).toMatchObject({
      error: "confirmation_required",
    });
    expect(await addresses()).toStrictEqual([[60, "192.0.2.1"]]);
    expect((await asking.call("dns_remove_addresses", args)).json).toMatchObject({
      changed: true,
      removed: ["192.0.2.1"],
    });
    expect([person.asked.length, await addresses()]).toStrictEqual([1, []]);
    // There is nothing left to ask about.
    expect((await asking.call("dns_remove_addresses", args)).json).toMatchObject({ changed: false, removed: [] });
  });

  test("--read-only leaves out every tool that writes, and names none", async () => {
    const session = await start(undefined, "v1 SDK", ["--read-only"]);
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toStrictEqual(["dns_list_records", "dns_list_zones"]);
    expect(JSON.stringify([tools, session.client.getInstructions()])).not.toMatch(/point_name|remove_addresses/);
    await expect(session.call("dns_point_name", WWW)).rejects.toThrow("Unknown tool");
    expect(wire.writes).toStrictEqual([]);
  });

  test("a dry run shows the change that would be asked about, and sends none", async () => {
    const { code, stdout } = await vitrine(["call", CURATION, "dns_point_name", JSON.stringify(WWW), "--dry-run"], {
      env: env(),
    });
    const shown = JSON.parse(stdout) as { method: string; url: string; body?: object; headers: object }[];
    expect([code, shown.map(({ method }) => method)]).toStrictEqual([0, ["GET", "PATCH", "GET"]]);
    expect(shown[1]).toMatchObject({
      url: `${wire.url}${ZONE}`,
      body: { rrsets: [{ name: "www.example.org.", changetype: "REPLACE" }] },
    });
    expect(wire.writes).toStrictEqual([]);
  });

  test("on the command line --yes agrees, and without it nothing is done", async () => {
    const call = (...more: string[]) =>
      vitrine(["call", CURATION, "dns_point_name", JSON.stringify(WWW), ...more], { env: env() });
    const asked = await call();
    expect([asked.code, JSON.parse(asked.stdout)]).toMatchObject([
      0,
      { confirmation: { requests: [{ method: "PATCH" }] } },
    ]);
    expect(asked.stderr).toContain("--yes");
    expect(wire.writes).toStrictEqual([]);
    const agreed = await call("--yes");
    expect([agreed.code, JSON.parse(agreed.stdout), agreed.stderr]).toMatchObject([0, { changed: true }, ""]);
    expect(wire.writes).toHaveLength(1);
  });
});
