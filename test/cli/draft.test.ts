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

const spec = () => join(root, "specs", "dns.yaml");
const target = (name: string) => join(root, "curation", name);

describe("vitrine draft", () => {
  test("writes a curation that names the spec by its way from there, and passes the check", async () => {
    const { code, out, err } = await run(["draft", spec(), "-o", target("dns.yaml")]);
    expect([code, out]).toStrictEqual([0, ""]);
    expect(readFileSync(target("dns.yaml"), "utf8")).toContain("spec: ../specs/dns.yaml\n");
    expect(err).toMatch(/^\d+ tools in [\d,]+ tokens; one tool for each of the 36 operations takes about [\d,]+\.$/m);
    expect(err).toContain("POWERDNS_URL");
    expect(err).toContain(`vitrine check ${target("dns.yaml")}\n`);
    expect(await run(["check", target("dns.yaml"), "--strict"])).toMatchObject({ code: 0 });
  });

  test("prints it without -o, as it would stand in the working directory", async () => {
    const { code, out, err } = await run(["draft", "specs/powerdns.yaml"]);
    expect(code).toBe(0);
    expect(out).toContain("spec: ./specs/powerdns.yaml\n");
    expect(err).toContain("vitrine check FILE");
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
