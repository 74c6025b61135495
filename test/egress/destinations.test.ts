import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { checkUrl, readDestinations } from "../../src/egress/check-destination.ts";
import { isNeverReached } from "../../src/egress/judge-address.ts";
import { type Egress, type EgressPolicy, openEgress } from "../../src/egress/open-egress.ts";
import { DestinationBlocked, UpstreamUnreachable } from "../../src/model/errors.ts";
import { type Served, serve } from "./serve.ts";

const opened: Egress[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((egress) => egress.close()));
});

let local: Served;
beforeAll(async () => {
  local = await serve((_request, response) => response.end("here"));
  return () => local.close();
});

const none: EgressPolicy = { trustedHosts: [], allowPrivate: [] };

async function read(url: string, policy: EgressPolicy): Promise<string> {
  const egress = openEgress(policy);
  opened.push(egress);
  const reply = await egress.request({
    method: "GET",
    url,
    headers: [],
    signal: AbortSignal.timeout(5000),
    maxBytes: 1000,
    redirects: [],
  });
  let text = "";
  for await (const chunk of reply.body) text += Buffer.from(chunk).toString();
  return text;
}

describe("an address that is not public is not reached, however it is spelt", () => {
  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0x7f000001",
    "017700000001",
    "127.0.0.1.",
    "１２７.0.0.1",
    "127。0。0。1",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.3.4",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[fe80::1]",
    "[fd00::1]",
    "[fec0::1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:7f00:1::]",
    "[2001:0:1::]",
    "[ff02::1]",
    "[fd00:ec2::254]",
    "[2001:db8::1]",
    // Azure's, at a public address.
    "168.63.129.16",
    "[::ffff:168.63.129.16]",
  ])("http://%s/", async (host) => {
    await expect(read(`http://${host}:${local.port}/`, none)).rejects.toBeInstanceOf(DestinationBlocked);
  });

  test("nothing was connected to", () => {
    expect(local.sockets.accepted).toBe(0);
  });
});

describe("only http and https URLs without user information are spoken", () => {
  test.each([
    "ftp://example.com/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "ws://example.com",
    "https://a:b@example.com/",
    "https://a@example.com/",
    "no url",
    "//example.com/",
  ])("%s", async (url) => {
    await expect(read(url, none)).rejects.toBeInstanceOf(DestinationBlocked);
  });
});

describe("a name is judged by every address that it has", () => {
  const named = (addresses: string[], more: Partial<EgressPolicy> = {}): EgressPolicy => ({
    ...none,
    ...more,
    lookup: async () => addresses,
  });
  const cases: [string, EgressPolicy, "blocked" | "here"][] = [
    ["private", named(["127.0.0.1"]), "blocked"],
    ["private and allowed", named(["127.0.0.1"], { allowPrivate: ["127.0.0.0/8"] }), "here"],
    ["private and trusted", named(["127.0.0.1"], { trustedHosts: ["api.example.com"] }), "here"],
    ["private, trusted in other letters", named(["127.0.0.1"], { trustedHosts: ["API.example.com"] }), "here"],
    ["private, trusted at another port", named(["127.0.0.1"], { trustedHosts: ["api.example.com:1"] }), "blocked"],
    ["private, another host trusted", named(["127.0.0.1"], { trustedHosts: ["example.com"] }), "blocked"],
    ["public and private mixed", named(["93.184.216.34", "127.0.0.1"]), "blocked"],
    ["allowed and not allowed mixed", named(["127.0.0.1", "10.0.0.1"], { allowPrivate: ["127.0.0.0/8"] }), "blocked"],
    ["link-local although trusted", named(["169.254.169.254"], { trustedHosts: ["api.example.com"] }), "blocked"],
    [
      "link-local carried in NAT64 although trusted",
      named(["64:ff9b::a9fe:a9fe"], { trustedHosts: ["api.example.com"] }),
      "blocked",
    ],
    [
      "link-local mapped although trusted",
      named(["::ffff:169.254.169.254"], { trustedHosts: ["api.example.com"] }),
      "blocked",
    ],
    ["link-local although allowed", named(["169.254.169.254"], { allowPrivate: ["0.0.0.0/0"] }), "blocked"],
    ["unspecified although trusted", named(["0.0.0.0"], { trustedHosts: ["api.example.com"] }), "blocked"],
    ["no address at all but text", named(["localhost"]), "blocked"],
  ];
  test.each(cases)("%s", async (_title, policy, want) => {
    const reading = read(`http://api.example.com:${local.port}/`, policy);
    if (want === "here") expect(await reading).toBe("here");
    else await expect(reading).rejects.toBeInstanceOf(DestinationBlocked);
  });

  test.each<[block: string, want: boolean]>([
    ["169.254.0.0/16", true],
    ["169.254.169.254/32", true],
    ["169.0.0.0/8", false],
    ["0.0.0.0/0", false],
    ["0.0.0.0/8", true],
    ["100.100.100.200/32", true],
    ["100.100.100.200/31", false],
    ["10.0.0.0/8", false],
    ["224.0.0.0/4", true],
    ["fe80::/10", true],
    ["fe80::/9", false],
    ["fd00:ec2::254/128", true],
    ["::/0", false],
  ])("of the block %s it is known whether allowing it is of any use", (block, want) => {
    expect(isNeverReached(block)).toBe(want);
  });

  test("the address that was judged is the one that is dialled, though the name would lead elsewhere by then", async () => {
    const answers = [["127.0.0.1"], ["169.254.169.254"]];
    let asked = 0;
    const policy: EgressPolicy = { ...none, allowPrivate: ["127.0.0.0/8"], lookup: async () => answers[asked++] ?? [] };
    expect(await read(`http://rebind.example.com:${local.port}/`, policy)).toBe("here");
    expect(asked).toBe(1);
  });

  test.each([
    ["no address", async () => []],
    ["an unknown name", async () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" }))],
  ])("%s is a failure of the look-up", async (_title, lookup) => {
    const reading = read("http://api.example.com/", { ...none, lookup });
    await expect(reading).rejects.toMatchObject({ code: "UPSTREAM_UNREACHABLE", reason: "dns" });
    await expect(reading).rejects.toBeInstanceOf(UpstreamUnreachable);
  });
});

describe("plain http", () => {
  test("is refused where the policy says so", async () => {
    await expect(read("http://example.com/", { ...none, allowHttp: false })).rejects.toBeInstanceOf(DestinationBlocked);
  });
  test("is spoken to a trusted host nevertheless", async () => {
    const policy = { ...none, allowHttp: false, trustedHosts: [`127.0.0.1:${local.port}`] };
    expect(await read(local.url, policy)).toBe("here");
  });
});

test.each([
  ["another scheme", "https://api.example/", "http://api.example/"],
  ["another port", "https://127.0.0.1:8443/", "https://127.0.0.1:8444/"],
  ["another host", "https://api.example/", "https://10.0.0.1/"],
  ["user information", "https://api.example/", "https://a:b@api.example/"],
])("an address that was good makes none good that differs from it: %s", (_, good, bad) => {
  const destinations = readDestinations({ ...none, allowHttp: false, trustedHosts: ["127.0.0.1:8443"] });
  for (let time = 0; time < 2; time += 1) {
    expect(checkUrl(good, destinations).href).toBe(good);
    expect(() => checkUrl(bad, destinations)).toThrow(DestinationBlocked);
  }
});

test("an allowed block that is no block is refused at once", () => {
  expect(() => openEgress({ ...none, allowPrivate: ["10.0.0.0"] })).toThrow(RangeError);
});
