import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { key } from "../../src/cli/commands/key.ts";
import { readHostFile } from "../../src/host/read-host-file.ts";

async function run(...args: string[]): Promise<{ readonly out: string; readonly err: string }> {
  let [out, err] = ["", ""];
  const shell = {
    print: (text: string) => {
      out += `${text}\n`;
    },
    note: (line: string) => {
      err += `${line}\n`;
    },
    colour: false,
    env: {},
    readStdin: async () => "",
    signal: new AbortController().signal,
  };
  expect(await key.run(args, shell)).toBe(0);
  return { out, err };
}

/** The host file with a printed line in it, as it is read. */
function readLine(out: string, server = "ledger") {
  const [shown = "", , line = ""] = out.split("\n");
  const text = `listen: 127.0.0.1:3000\npublicUrl: https://tools.example.com\nservers: { ${JSON.stringify(server)}: { curation: ./a.yaml } }\nkeys:\n${line}\n`;
  const { host, problems } = readHostFile("/host.yaml", text, {});
  expect(problems).toEqual([]);
  const [entry] = host?.keys.values() ?? [];
  return { shown, line, entry: entry! };
}

/** Texts of the kind that a host file reads. */
const READ_ELSEWHERE = fc
  .array(fc.constantFrom("$", "{", "${", "$${", "}", "env.HOME"), { maxLength: 6 })
  .map((parts) => parts.join(""));

describe("vitrine key new", () => {
  test("prints the key once, and the line of the host file that knows it by its hash alone", async () => {
    const { out, err } = await run("new", "ledger");
    const { shown, line, entry } = readLine(out);
    expect(out.split("\n")).toHaveLength(4);
    expect(entry).toStrictEqual({
      id: /^vtr_(k[a-z2-7]{9})_/.exec(shown)?.[1],
      sha256: createHash("sha256").update(shown).digest("hex"),
      server: "ledger",
      claims: {},
      credentials: [],
      writes: false,
      tags: {},
    });
    expect(`${line}${err}`).not.toContain(shown.slice(15));
  });

  test("puts claims, writes and the last day into the line", async () => {
    const claims = '{"tenantID":"t-1","regions":["eu"],"n":1}';
    const { out } = await run("new", "ledger", "--claims", claims, "--writes", "--expires", "2099-06-30");
    expect(readLine(out).entry).toMatchObject({
      claims: { tenantID: "t-1", regions: ["eu"], n: 1 },
      writes: true,
      expires: new Date("2099-07-01T00:00:00Z"),
    });
    const moment = await run("new", "ledger", "--expires", "2099-06-30T12:00:00+02:00");
    expect(readLine(moment.out).entry.expires).toEqual(new Date("2099-06-30T10:00:00Z"));
  });

  test.each(["null", "true", "no", "y", "e1"])(
    "names a server that YAML could take for something else: %s",
    async (name) => {
      expect(readLine((await run("new", name)).out, name).entry.server).toBe(name);
    },
  );

  test("keeps any claims as they are", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .dictionary(fc.string(), fc.oneof(fc.jsonValue(), READ_ELSEWHERE))
          .filter((value) => !/\d{16}|e\+|__proto__/.test(JSON.stringify(value))),
        async (claims) => {
          const text = JSON.stringify(claims);
          const { out } = await run("new", "ledger", `--claims=${text}`);
          expect(JSON.stringify(readLine(out).entry.claims)).toBe(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("writes no line that reads the environment, whoever chose the claims", async () => {
    const claims = JSON.stringify({ tenantID: "${env.ADMIN_KEY}", more: [{ a: "$${env.B} and ${" }] });
    const { out } = await run("new", "ledger", "--claims", claims);
    expect(JSON.stringify(readLine(out).entry.claims)).toBe(claims);
  });

  test("gives programs the same", async () => {
    const { out } = await run("new", "ledger", "--json");
    const { key: shown, name, entry } = JSON.parse(out);
    expect(entry).toEqual({
      hash: `sha256:${createHash("sha256").update(shown).digest("hex")}`,
      server: "ledger",
      writes: false,
    });
    expect(shown).toContain(name);
  });

  test.each<readonly [string, readonly string[], RegExp]>([
    ["another word than new", ["old", "ledger"], /key new SERVER/],
    ["no server", ["new"], /SERVER is missing/],
    ["a server's URL", ["new", "https://x/mcp/ledger"], /no name of a server/],
    ["a name that is too long", ["new", "abcdefghijklmnop"], /no name of a server/],
    ["claims that are no JSON", ["new", "ledger", "--claims", "{s3cret"], /--claims is no JSON object/],
    ["claims that are a list", ["new", "ledger", "--claims", "[1]"], /--claims is no JSON object/],
    ["a number that would be another", ["new", "ledger", "--claims", '{"n":9007199254740993}'], /exactly/],
    ["a name that no file takes", ["new", "ledger", "--claims", '{"a":{"__proto__":1}}'], /__proto__/],
    ["a date that does not exist", ["new", "ledger", "--expires", "2099-02-30"], /no date/],
    ["a date in words", ["new", "ledger", "--expires", "tomorrow"], /no date/],
    ["a moment without a zone", ["new", "ledger", "--expires", "2099-06-30T12:00"], /no date/],
    ["a date that is over", ["new", "ledger", "--expires", "2020-01-01"], /is over/],
  ])("refuses %s", async (_, args, why) => {
    const error = await run(...args).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "USAGE", message: expect.stringMatching(why) });
    expect(String(error)).not.toContain("s3cret");
  });
});
