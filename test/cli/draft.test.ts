import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "./fake-shell.ts";

// One folder above holds all: the curation's own folder and the spec's.
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "draft-"));
  for (const folder of ["curation", "specs"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, "specs", "dns.yaml"), readFileSync("specs/powerdns.yaml"));
});
afterAll(() => rmSync(root, { recursive: true }));

const numberOf = (text = "") => Number(text.replaceAll(",", ""));
const spec = () => join(root, "specs", "dns.yaml");
const target = (name: string) => join(root, "curation", name);

describe("vitrine draft", () => {
  test("writes a curation that names the spec by its way from there, and passes the check", async () => {
    const { code, out, err } = await run(["draft", spec(), "-o", target("dns.yaml")]);
    expect([code, out]).toStrictEqual([0, ""]);
    expect(readFileSync(target("dns.yaml"), "utf8")).toContain("spec: ../specs/dns.yaml\n");
    const [, all, each] =
      /^\d+ tools in about ([\d,]+) tokens; one tool for each of the 36 operations takes about ([\d,]+)\.$/m.exec(
        err,
      ) ?? [];
    // About what `tools` counts for the same document.
    const { out: costs } = await run(["tools", target("dns.yaml")]);
    const [, counted] = /^one tool for each of the 36 operations +[\d,]+ +([\d,]+) /m.exec(costs) ?? [];
    expect(numberOf(each) / numberOf(counted)).toBeGreaterThan(0.8);
    expect(numberOf(each) / numberOf(counted)).toBeLessThan(1.25);
    expect(numberOf(all)).toBeGreaterThan(500);
    expect(numberOf(all)).toBeLessThan(4_000);
    expect(err).toContain("POWERDNS_URL");
    const next = err.slice(err.indexOf("\nNext:\n"));
    for (const command of ["check", "tools", "call", "serve"])
      expect(next).toContain(`\n  vitrine ${command} ${target("dns.yaml")}`);
    expect(await run(["check", target("dns.yaml"), "--strict"])).toMatchObject({ code: 0 });
  });

  test("prints it without -o, as it would stand in the working directory", async () => {
    const { code, out, err } = await run(["draft", "specs/powerdns.yaml"]);
    expect(code).toBe(0);
    expect(out).toContain("spec: ./specs/powerdns.yaml\n");
    expect(err).toContain("Save it as FILE (-o FILE does), then:\n  vitrine check FILE\n");
  });

  test("writes over nothing unless it is told to", async () => {
    const file = target("mine.yaml");
    writeFileSync(file, "mine");
    expect(await run(["draft", spec(), "-o", file])).toMatchObject({
      code: 2,
      err: `vitrine: ${file} is there already. Write over it with --force.\n`,
    });
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect((await run(["draft", spec(), "-o", file, "--force"])).code).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("vitrine: 1");
  });

  const narrowed: [args: string[], operations: string[]][] = [
    [
      ["--operations", "listZones,listServers"],
      ["GET /servers", "GET /servers/{server_id}/zones"],
    ],
    [["--paths", "/servers/*/statistics"], ["GET /servers/{server_id}/statistics"]],
    [["--tags", "Search"], ["GET /servers/{server_id}/search-data"]],
    [["--tags", "zones", "--operations", "GET /servers/{server_id}/zones"], ["GET /servers/{server_id}/zones"]],
  ];
  test.each(narrowed)("looks only at %j", async (args, operations) => {
    const { err } = await run(["draft", "specs/powerdns.yaml", ...args]);
    expect([...err.matchAll(/^ {2}\w+ +(GET \S+)$/gm)].map(([, operation]) => operation).toSorted()).toStrictEqual(
      operations,
    );
  });

  describe("--update", () => {
    const HAND = `vitrine: 1
api:
  spec: ../specs/dns.yaml
  baseUrl: https://dns.corner.io
server: { name: dns }
tools:
  # mine
  zones:
    operation: listZones
    use: See the zones of a server.
    input: { server_id: { describe: Always localhost. } }
    result: { rows: "@", fields: { id: id, name: name }, limit: { default: 5, max: 50 } }
  old_one:
    operation: getNothing
    use: What the document had before.
`;

    test("adds to a file in place, says what is gone, and changes nothing the second time", async () => {
      const file = target("hand.yaml");
      writeFileSync(file, HAND);
      const { code, out, err } = await run(["draft", "--update", file]);
      expect([code, out]).toStrictEqual([0, ""]);
      const text = readFileSync(file, "utf8");
      expect(err).toMatch(/^\d+ tools added; \d+ tools in [\d,]+ tokens\. What was there is as it was\.$/m);
      const line = text.split("\n").indexOf("    operation: getNothing") + 1;
      expect(err).toContain(`getNothing  at ${file}:${line}, in tools.old_one`);
      expect(err).toContain("Also new, for all tools: api.auth, api.errors.");
      expect(
        text
          .split("\n")
          .filter((line) => HAND.split("\n").includes(line))
          .join("\n"),
      ).toContain(HAND.trimEnd().split("\n").slice(5, 9).join("\n"));
      const again = await run(["draft", "--update", file]);
      expect(again.err).toContain(`Nothing was added to ${file}`);
      expect(readFileSync(file, "utf8")).toBe(text);
    });

    test("reads another document where one is named, and says that the file names the old one", async () => {
      const file = target("other.yaml");
      writeFileSync(file, HAND);
      writeFileSync(join(root, "specs", "dns2.yaml"), readFileSync("specs/powerdns.yaml"));
      const { err } = await run(["draft", join(root, "specs", "dns2.yaml"), "--update", file]);
      expect(err).toContain(`${file} still names another document`);
      expect(readFileSync(file, "utf8")).toContain("  spec: ../specs/dns.yaml\n");
    });

    test("writes nothing where the curation has mistakes outside of its tools", async () => {
      const file = target("wrong.yaml");
      const wrong = HAND.replace("server: {", "serve: {");
      writeFileSync(file, wrong);
      const { code, err } = await run(["draft", "--update", file]);
      expect(code).toBe(1);
      expect(err).toContain(`${file}:5:1`);
      expect(readFileSync(file, "utf8")).toBe(wrong);
    });

    test.each([
      ["-o", ["-o", "x.yaml"], "--update takes neither -o nor --force."],
      ["--force", ["--force"], "--update takes neither -o nor --force."],
      ["--writes where the curation has none", ["--writes"], "Say `writes: true` under its `server` first."],
    ])("takes no %s", async (_, args, said) => {
      const file = target("args.yaml");
      writeFileSync(file, HAND);
      const { code, err } = await run(["draft", "--update", file, ...args]);
      expect([code, err]).toStrictEqual([2, expect.stringContaining(said)]);
      expect(readFileSync(file, "utf8")).toBe(HAND);
    });
  });

  test("drafts writes where it is told to, which pass the check", async () => {
    const file = target("writes.yaml");
    expect((await run(["draft", spec(), "-o", file, "--writes"])).code).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("writes: true");
    expect(await run(["check", file, "--strict"])).toMatchObject({ code: 0 });
  });

  test("says which tags there are where no operation is left", async () => {
    const { code, err } = await run(["draft", "specs/powerdns.yaml", "--tags", "nothing"]);
    expect(code).toBe(2);
    expect(err).toContain("No operation of specs/powerdns.yaml is left. Its tags are servers, zones");
  });

  test("says how to read a spec that lies outside of the curation's root", async () => {
    mkdirSync(join(root, "curation", "deep", "deeper"), { recursive: true });
    const { code, err } = await run(["draft", spec(), "-o", join(root, "curation", "deep", "deeper", "dns.yaml")]);
    expect(code).toBe(0);
    expect(err).toContain("--root");
  });

  test("shows nobody a code of a terminal that a document holds, in a path, a title or a tag", async () => {
    const evil = "\u001b[31m\u202Ered";
    const get = {
      tags: [evil],
      responses: {
        200: {
          description: "ok",
          content: {
            "application/json": {
              schema: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
            },
          },
        },
      },
    };
    const file = join(root, "specs", "evil.json");
    writeFileSync(
      file,
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: `Shop ${evil}`, version: "1" },
        servers: [{ url: `/x${evil}` }],
        paths: { [`/orders${evil}`]: { get }, "/parcels": { get } },
      }),
    );
    for (const args of [[], ["--tags", "other"]]) {
      const { out, err } = await run(["draft", file, ...args]);
      expect(out + err).not.toMatch(/[\u001b\u202E]/);
    }
  });

  test("tells of a spec that cannot be read in one line", async () => {
    expect(await run(["draft", join(root, "none.yaml")])).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/^vitrine: [^\n]*none\.yaml[^\n]*\n$/),
    });
  });
});
