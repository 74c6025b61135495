import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { describeError } from "../../src/cli/describe-error.ts";
import { hostJsonSchema } from "../../src/host/print-host-schema.ts";
import { readHostFile } from "../../src/host/read-host-file.ts";

const HASH = `sha256:${"a".repeat(64)}`;
const OTHER = `sha256:${"b".repeat(64)}`;
const GOOD = `listen: 127.0.0.1:3000
publicUrl: https://tools.example.com
servers:
  ledger: { curation: ./ledger.yaml, env: [LEDGER_URL, LEDGER_KEY], allowPrivate: [127.0.0.0/8], tags: { any: [public] }, rate: 60/min, explore: false }
keys:
  ci: { hash: "${HASH}", server: ledger, claims: { tenantID: t-1 }, credentials: { ledgerKey: { apiKey: "\${env.CI_KEY}" } }, writes: false, tags: { exclude: [internal] }, expires: 2027-06-30 }
oauth: { issuer: https://id.example.com, claims: { tenantID: tenant_id }, writeScope: "tools:write" }
shared: redis://127.0.0.1:6379
`;
const ENV = { CI_KEY: "canary-ci-key", REDIS: "redis://:canary-password@127.0.0.1" };

function read(text: string, env: Record<string, string> = ENV) {
  return readHostFile("conf/host.yaml", text, env);
}

describe("the host file of the contract", () => {
  test("is read with its defaults, its files seen from its own folder", () => {
    const { host, problems } = read(GOOD);
    expect(problems).toStrictEqual([]);
    expect(host).toMatchObject({
      listen: { hostname: "127.0.0.1", port: 3000 },
      publicUrl: "https://tools.example.com",
      proxies: 0,
      oauth: {
        issuer: "https://id.example.com",
        scopes: [],
        writeScope: "tools:write",
        severalAudiences: false,
        plainJwt: false,
      },
      shared: "redis://127.0.0.1:6379",
    });
    expect(host?.servers.get("ledger")).toStrictEqual({
      name: "ledger",
      curation: "conf/ledger.yaml",
      env: ["LEDGER_URL", "LEDGER_KEY"],
      allowPrivate: ["127.0.0.0/8"],
      tags: { any: ["public"] },
      rate: { calls: 60, perMs: 60_000 },
      explore: false,
    });
    expect(host?.keys.get("ci")).toStrictEqual({
      id: "ci",
      sha256: "a".repeat(64),
      server: "ledger",
      claims: { tenantID: "t-1" },
      credentials: [
        { scheme: "ledgerKey", credential: { kind: "apiKey", value: { kind: "literal", value: "canary-ci-key" } } },
      ],
      writes: false,
      tags: { exclude: ["internal"] },
      // The last day on which it is good ends with it.
      expires: new Date("2027-07-01T00:00:00Z"),
    });
  });

  test("fits the schema that is printed", () => {
    const validate = new Ajv2020({ strict: false }).compile(hostJsonSchema());
    const key = { hash: HASH, server: "ledger", claims: { a: [1, { b: null }] } };
    const written = {
      listen: "h:1",
      publicUrl: "https://h",
      servers: { ledger: { curation: "c" } },
      keys: { ci: key },
    };
    expect([validate(written), validate.errors]).toStrictEqual([true, null]);
    expect(validate({ ...written, keyz: {} })).toBe(false);
    expect(validate({ ...written, keys: { ci: { ...key, hash: "sha256:ABC" } } })).toBe(false);
  });

  test("a password of the shared store may stand in the environment", () => {
    const { host } = read(GOOD.replace("redis://127.0.0.1:6379", '"${env.REDIS}"'));
    expect(host?.shared).toBe(ENV.REDIS);
  });

  test("and so may claims, at any depth", () => {
    const { host } = read(
      GOOD.replace("tenantID: t-1", 'tenantID: "t-${env.CI_KEY}", teams: [{ id: "${env.CI_KEY}" }, 7]'),
    );
    expect(host?.keys.get("ci")?.claims).toStrictEqual({
      tenantID: "t-canary-ci-key",
      teams: [{ id: "canary-ci-key" }, 7],
    });
  });

  test.each([
    ["https://Tools.Example.com/", "https://tools.example.com"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["http://localhost:8080/", "http://localhost:8080"],
    ["https://tools.example.com:8443", "https://tools.example.com:8443"],
  ])("the public URL %s is %s", (given, want) => {
    expect(read(GOOD.replace("https://tools.example.com", given)).host?.publicUrl).toBe(want);
  });
});

test("origins of pages are read as browsers write them", () => {
  const { host } = read(
    GOOD.replace("servers:", "origins: [https://App.Example.com/, http://localhost:5173]\nservers:"),
  );
  expect(host?.origins).toStrictEqual(new Set(["https://app.example.com", "http://localhost:5173"]));
});

test.each(["*", "null", "app.example.com", "http://app.example.com", "https://app.example.com/x"])(
  "%s is no origin whose pages may be let in",
  (origin) => {
    const { problems } = read(GOOD.replace("servers:", `origins: ["${origin}"]\nservers:`));
    expect(problems).toMatchObject([{ code: "bad_value", line: 3 }]);
  },
);

test("rates may be given for an address, and for all callers of a server together", () => {
  const text = GOOD.replace("rate: 60/min", "rate: 60/min, totalRate: 1000/h").replace(
    "servers:",
    "addressRate: 5/s\nservers:",
  );
  const { host } = read(text);
  expect(host?.addressRate).toStrictEqual({ calls: 5, perMs: 1_000 });
  expect(host?.servers.get("ledger")?.totalRate).toStrictEqual({ calls: 1000, perMs: 3_600_000 });
});

describe("a mistake is told at its place", () => {
  const cases: [title: string, from: string, to: string, code: string, line: number, says: RegExp][] = [
    ["a misspelt key", "servers:", "serverz:", "unknown_key", 3, /Did you mean `servers`/],
    ["an unknown key of a server", "curation:", "curatoin:", "unknown_key", 4, /Did you mean `curation`/],
    ["no address", "127.0.0.1:3000", "nowhere", "bad_value", 1, /HOST:PORT/],
    ["no such port", "127.0.0.1:3000", "127.0.0.1:70000", "bad_value", 1, /65535/],
    ["plain http in public", "https://tools.example.com", "http://tools.example.com", "bad_value", 2, /https/],
    [
      "a public URL with a path",
      "https://tools.example.com",
      "https://tools.example.com/x",
      "bad_value",
      2,
      /scheme and host/,
    ],
    ["a public URL with a user", "https://tools", "https://me@tools", "bad_value", 2, /scheme and host/],
    ["a name that no server may have", "  ledger: {", "  Ledger_1: {", "bad_value", 4, /lower-case/],
    ["no block of addresses", "127.0.0.0/8", "127.0.0.0/40", "bad_value", 4, /CIDR/],
    ["a block that nothing opens", "127.0.0.0/8", "169.254.0.0/16", "bad_value", 4, /ever reached.*Link-local/],
    ["one metadata service", "127.0.0.0/8", "fd00:ec2::254/128", "bad_value", 4, /ever reached/],
    ["connections of nobody", "servers:", "addressConnections: 0\nservers:", "bad_value", 3, /addressConnections/],
    [
      "connections of an address behind proxies",
      "servers:",
      "addressConnections: 10\nproxies: 1\nservers:",
      "bad_value",
      3,
      /proxies/,
    ],
    ["no rate", "60/min", "60 per minute", "bad_value", 4, /60\/min/],
    ["an empty list of tags", "any: [public]", "any: []", "bad_value", 4, /empty/],
    ["a key for no server", "server: ledger,", "server: legder,", "unknown_server", 6, /Did you mean `ledger`/],
    [
      "a claim that nothing holds",
      "tenantID: t-1",
      'tenantID: "${env.NONE}"',
      "unset_variable",
      6,
      /`NONE` is not set/,
    ],
    ["a claim of another claim", "tenantID: t-1", 'tenantID: "${key.a}"', "bad_expression", 6, /env\.NAME/],
    ["a day that is none", "2027-06-30", "2027-02-30", "bad_value", 6, /expires/],
    ["a time that is none", "2027-06-30", "soon", "bad_value", 6, /2027-06-30/],
    ["two kinds of credential", 'apiKey: "${env.CI_KEY}"', "apiKey: a, bearer: b", "bad_value", 6, /one kind/],
    ["a variable that is not set", "env.CI_KEY", "env.NOT_SET", "unset_variable", 6, /`NOT_SET` is not set/],
    ["an expression beyond the environment", "env.CI_KEY", "key.tenantID", "bad_expression", 6, /env\.NAME/],
    ["an issuer without https", "https://id.example.com", "http://id.example.com", "bad_value", 7, /issuer/],
    ["another kind of store", "redis://127.0.0.1:6379", "memcached://x", "bad_value", 8, /redis/],
    ["no store's URL in the environment", "redis://127.0.0.1:6379", '"${env.CI_KEY}"', "bad_value", 8, /redis:/],
    ["a store's port that is none", "redis://127.0.0.1:6379", "redis://127.0.0.1:99999", "bad_value", 8, /redis:/],
    ["a store's password that ends its URL", "redis://", "redis://:a#b@", "bad_value", 8, /percent-encoded/],
    ["scopes in one text", "tools:write", "tools:read tools:write", "bad_value", 7, /not a scope/],
    ["a space before the issuer", "https://id.example.com", '" https://id.example.com"', "bad_value", 7, /issuer/],
    ["a block of one interface", "127.0.0.0/8", "fe80::%eth0/64", "bad_value", 4, /CIDR/],
    ["a block of IPv4 in IPv6", "127.0.0.0/8", "::ffff:10.0.0.0/104", "bad_value", 4, /CIDR/],
    [
      "a key in no header that there can be",
      'apiKey: "${env.CI_KEY}"',
      'apiKey: { value: "${env.CI_KEY}", in: header, name: "X Key" }',
      "bad_value",
      6,
      /not the name of a header/,
    ],
    ["writes that are no truth", "writes: false", "writes: no", "wrong_type", 6, /true or false/],
  ];
  test.each(cases)("%s", (_, from, to, code, line, says) => {
    expect(GOOD).toContain(from);
    const { host, problems } = read(GOOD.replace(from, to));
    expect(host).toBeUndefined();
    const found = problems.find((one) => one.code === code && one.line === line);
    expect(problems.map((one) => `${one.line} ${one.code}`)).toContain(`${line} ${code}`);
    expect(`${found?.message} ${found?.hint}`).toMatch(says);
    expect(found).toMatchObject({ file: "conf/host.yaml", severity: "error" });
  });

  test("all of them are told at once, in the order of the text", () => {
    const text = GOOD.replace("60/min", "often").replace("2027-06-30", "never").replace("https://id", "ftp://id");
    const lines = read(text.replace("env.CI_KEY", "env.NO")).problems.map(({ line }) => line);
    expect(lines).toStrictEqual([4]);
    const later = read(
      GOOD.replace("2027-06-30", "never").replace("https://id", "ftp://id").replace("env.CI_KEY", "env.NO"),
    );
    expect(later.problems.map(({ line }) => line)).toStrictEqual([6, 6, 7]);
  });

  test("one key may not stand for two callers", () => {
    const twin = `  twin: { hash: "${HASH}", server: ledger }\n`;
    const { problems } = read(GOOD.replace("oauth:", `${twin}oauth:`));
    expect(problems).toMatchObject([{ code: "duplicate_key", line: 7 }]);
    expect(read(GOOD.replace("oauth:", `${twin.replace(HASH, OTHER)}oauth:`)).problems).toStrictEqual([]);
  });

  test.each([
    ["an empty file", "", /is empty/],
    ["a list", "- a", /mapping/],
    ["no server", "listen: h:1\npublicUrl: https://h\nservers: {}", /no server/],
  ])("%s", (_, text, says) => {
    expect(
      read(text)
        .problems.map(({ message }) => message)
        .join("\n"),
    ).toMatch(says);
  });
});

describe("nothing secret is told", () => {
  const SECRET = "vtr_canary_of_a_secret";
  test.each([
    ["a key in place of its hash", HASH, SECRET],
    ["a credential of a wrong type", '{ apiKey: "${env.CI_KEY}" }', SECRET],
    ["a credential that is a list", '"${env.CI_KEY}"', `[${SECRET}]`],
    ["an expression that is not closed", "${env.CI_KEY}", `$\{env.${SECRET}`],
    ["claims that are a text", "{ tenantID: t-1 }", SECRET],
    ["a store's URL that is none", "redis://127.0.0.1:6379", `http://:${SECRET}@h`],
  ])("%s", (_, from, to) => {
    const { problems } = read(GOOD.replace(from, to));
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain("canary");
  });
});

test.each([
  ["a file that is half written", GOOD.replace(/ledgerKey[\s\S]*/, "ledgerKey: { apiKey: vtr_canary_of_a_secret")],
  ["a text that must stand in quotes", GOOD.replace('"${env.CI_KEY}"', "vtr_canary: of: a: secret")],
  ["a tab", `${GOOD}\tx: vtr_canary_of_a_secret\n`],
  ["two documents", GOOD.replace("shared:", "---\nshared: vtr_canary_of_a_secret #")],
])("of %s no line is quoted, neither in what is told nor in the log", (_, text) => {
  const told = (() => {
    try {
      return read(text).problems.map(({ message, hint = "" }) => `${message} ${hint}`);
    } catch (error) {
      return [describeError(error)];
    }
  })();
  expect(told).not.toStrictEqual([]);
  expect(told.join("\n")).not.toContain("canary");
});

test("the sample of the contract is this one", () => {
  const contract = readFileSync("docs/contract.md", "utf8");
  const [, sample = ""] = /```yaml\n(listen: [\s\S]*?)```/.exec(contract) ?? [];
  // The hash is cut there.
  const { problems } = read(sample.replace("sha256:…", HASH));
  expect(problems).toStrictEqual([]);
});
