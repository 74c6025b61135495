import { havePowerDns, type PowerDns, startPowerDns } from "../../test/setup/powerdns.ts";
import type { Flow } from "./flow.ts";
import { openPlainTools } from "./plain-tools.ts";
import { play, type Script } from "./server.ts";
import { openVitrineTools } from "./vitrine-tools.ts";

const NAMES = 200;

/** Without a person at hand the tool replies with what it would do, and a second call says yes. */
const ours: Script = async (call) => {
  const change = { zone_id: "example.org", name: "www.example.org", addresses: ["192.0.2.7"] };
  const asked = await call("dns_point_name", change);
  const done = await call("dns_point_name", { ...change, confirm: asked.json.confirmation.confirm });
  if (done.json.addresses[0] !== "192.0.2.7") throw new Error(`It does not point there: ${done.text}`);
};

/** By an agent that knows how a record set is replaced. */
const plain: Script = async (call) => {
  const server_id = "localhost";
  await call("listZones", { server_id, zone: "example.org." });
  const zone = { server_id, zone_id: "example.org." };
  // Asked for one name alone, the server leaves out disabled records, which would be replaced as well.
  await call("listZone", zone);
  const records = [{ content: "192.0.2.8", disabled: false }];
  const set = { name: "www.example.org.", type: "A", ttl: 300, changetype: "REPLACE", records };
  await call("patchZone", { ...zone, body: { rrsets: [set] } });
  await call("listZone", { ...zone, rrset_name: "www.example.org.", rrset_type: "A" });
};

export const powerdns: Flow = {
  task: "Make sure www points to this address",
  isPossible: () => havePowerDns,
  measure: async () => {
    const upstream = await startPowerDns();
    await makeZone(upstream);
    const env = { PDNS_URL: upstream.url, PDNS_KEY: upstream.key };
    const server = await openVitrineTools(["curation/powerdns-write.yaml"], env);
    try {
      const headers = { "x-api-key": upstream.key, "content-type": "application/json" };
      const endpoints = openPlainTools("specs/powerdns.yaml", upstream.url, headers);
      return { ours: await play(server, ours), plain: await play(endpoints, plain) };
    } finally {
      await server.close();
      await upstream.stop();
    }
  },
};

/** One zone of a common size among twenty. */
async function makeZone({ ask }: PowerDns): Promise<void> {
  const set = (name: string, address: string) => ({
    name: `${name}.example.org.`,
    type: "A",
    ttl: 300,
    records: [{ content: address, disabled: false }],
  });
  const hosts = Array.from({ length: NAMES }, (_, at) => set(`host-${at}`, `198.51.100.${at}`));
  const rrsets = [set("www", "192.0.2.1"), ...hosts];
  const nameservers = ["ns1.example.org.", "ns2.example.org."];
  await ask("POST", "/servers/localhost/zones", { name: "example.org.", kind: "Native", nameservers, rrsets });
  for (let at = 0; at < 19; at += 1)
    await ask("POST", "/servers/localhost/zones", { name: `zone${at}.test.`, kind: "Native", nameservers });
}
