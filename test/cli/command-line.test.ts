import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture, run } from "./fake-shell.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

describe("a command line that is wrong ends with 2 and one line on stderr", () => {
  const cases: [line: string, words: string][] = [
    ["serv x.yaml", "There is no command serv. Did you mean serve?"],
    ["constructor", "There is no command constructor. See vitrine --help."],
    ["host", "HOST_FILE is missing. Expected: HOST_FILE"],
    ["draft", "SPEC is missing: an OpenAPI document, a file or an https URL."],
    ["draft specs/powerdns.yaml --tags=", "--tags takes names with commas between."],
    ["report", "EVENTS… is missing. Expected: EVENTS…"],
    ["gate --min-calls 1", "EVENTS… is missing. Expected: EVENTS…"],
    ["gate e.jsonl --tool a --tool=b", "--tool is given twice."],
    ["key new", "SERVER is missing. Expected: new SERVER"],
    ["serve", "CURATION is missing. Name one (`vitrine draft SPEC -o FILE` writes it), or an API with --spec SPEC."],
    ["serve a.yaml --spec s.yaml", "A curation names its spec itself: give one or --spec, not both."],
    ["serve a.yaml --base-url http://x", "--base-url goes with --spec; a curation has `api.baseUrl`."],
    ["serve a.yaml b.yaml", "One argument too many: b.yaml"],
    ["serve a.yaml --nope", "Unknown option '--nope'. The command's --help names them all."],
    ["check a.yaml --fromat json", "Unknown option '--fromat'. Did you mean --format?"],
    ["serve a.yaml --http", "Option '--http <value>' argument missing"],
    ["serve a.yaml --expose tree", `--expose is flat or grouped, not "tree"`],
    ["serve a.yaml --tags=", '--tags takes tags with commas between them: ""'],
    ["serve --spec a.yaml --any-tag=a", "Tags choose among the tools of a curation, and --spec has none."],
    ["serve a.yaml --events-max-bytes 1MB", "--events-max-bytes goes with --events FILE."],
    ["tools a.yaml --check", "--check goes with --lock; `vitrine check` checks a curation."],
    ["schema x", "One argument too many: x"],
    ["call a.yaml", "TOOL is missing. Expected: CURATION TOOL [JSON]"],
    ["call a.yaml t --raw --dry-run", "--raw shows answers, and --dry-run has none: choose one."],
    ["serve a.yaml --http 3000", "Not an address: 3000. Write HOST:PORT, for example 127.0.0.1:3000."],
    ["serve a.yaml --http ::1:3000", "Not an address: ::1:3000. Write HOST:PORT, for example 127.0.0.1:3000."],
    [
      "serve a.yaml --http localhost:70000",
      "Not an address: localhost:70000. Write HOST:PORT, for example 127.0.0.1:3000.",
    ],
    ["demo --http 0.0.0.0:3000", "The demo knows no callers: serve it at a loopback address."],
  ];
  test.each(cases)("vitrine %s", async (line, words) => {
    expect(await run(line.split(" "))).toStrictEqual({ code: 2, out: "", err: `vitrine: ${words}\n` });
  });

  test.each(["0.0.0.0:3000", "[::]:3000", "tools.example.com:80", "192.168.1.4:1"])(
    "serve --http %s without --allow-host",
    async (address) => {
      const { code, err } = await run(["serve", fixture("shop.yaml"), "--http", address]);
      expect(code).toBe(2);
      expect(err).toContain("vitrine host");
      expect(err).toContain("--allow-host");
    },
  );

  test("no command at all shows the help on stderr", async () => {
    const { code, out, err } = await run([]);
    expect([code, out]).toStrictEqual([2, ""]);
    expect(err).toContain("vitrine serve CURATION");
  });
});

describe("asking is no mistake", () => {
  test.each([["--version"], ["-v"]])("%s", async (option) => {
    expect(await run([option])).toStrictEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  test.each(["serve", "check", "tools", "call", "schema", "demo"])("%s --help", async (name) => {
    for (const option of ["--help", "-h"]) {
      const { code, out, err } = await run([name, option]);
      expect([code, err]).toStrictEqual([0, ""]);
      expect(out).toMatch(new RegExp(`^vitrine ${name}\\b`));
    }
  });

  test("--help names every command", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    for (const name of ["serve", "check", "tools", "call", "schema", "demo"]) expect(out).toContain(`vitrine ${name}`);
  });
});

describe("input that cannot be read ends with 2 and one line", () => {
  const cases: [title: string, args: string[], words: RegExp][] = [
    ["a curation that is not there", ["check", fixture("nowhere.yaml")], /nowhere\.yaml: there is no such file\.$/],
    ["a folder", ["check", "test/fixtures/cli"], /test\/fixtures\/cli: it is a folder\.$/],
    ["YAML that is torn", ["check", fixture("torn.yaml")], /torn\.yaml:\d+:\d+/],
    ["a spec that is not there", ["check", fixture("no-spec.yaml")], /specs\/nowhere\.yaml/],
    ["the same for tools", ["tools", fixture("no-spec.yaml")], /specs\/nowhere\.yaml/],
    ["the same for serve", ["serve", fixture("no-spec.yaml")], /specs\/nowhere\.yaml/],
    ["arguments that are not JSON", ["call", fixture("shop.yaml"), "shop_get_item", "{"], /arguments are not JSON/],
    ["arguments that are a list", ["call", fixture("shop.yaml"), "shop_get_item", "[]"], /not a JSON object/],
    [
      "claims that are not there",
      ["call", fixture("shop.yaml"), "shop_get_item", "--as", "nowhere.yaml"],
      /nowhere\.yaml: there is no such file/,
    ],
    [
      "a key that is none",
      ["call", fixture("shop.yaml"), "shop_get_item", "--as", "biome.json"],
      /biome\.json: `\$schema` is unknown/,
    ],
  ];
  test.each(cases)("%s", async (_, args, words) => {
    const { code, out, err } = await run(args);
    expect([code, out, err.trimEnd().split("\n").length]).toStrictEqual([2, "", 1]);
    expect(err.trimEnd()).toMatch(words);
  });
});

test("what nobody foresaw ends with 70, says that it is our bug, and shows where", async () => {
  const { code, out, err } = await run(["call", fixture("shop.yaml"), "shop_get_item", "-"], {
    stdin: new RangeError("no such world"),
  });
  expect([code, out]).toStrictEqual([70, ""]);
  expect(err).toMatch(/our bug[\s\S]*RangeError: no such world[\s\S]*at /);
});
