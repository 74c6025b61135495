import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fixture, run } from "./fake-shell.ts";

const DESK = "test/fixtures/groups/desk.yaml";
const folder = mkdtempSync(join(tmpdir(), "as-key-"));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function key(yaml: string): string {
  count += 1;
  const file = join(folder, `key-${count}.yaml`);
  writeFileSync(file, yaml);
  return file;
}

async function namesFor(yaml: string, ...more: string[]): Promise<string[]> {
  const { code, out, err } = await run(["tools", "--json", DESK, "--as", key(yaml), ...more]);
  expect([code, err]).toStrictEqual([0, ""]);
  return (JSON.parse(out) as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

describe("a key shows", () => {
  test("everything where it says nothing of it", async () => {
    expect(await namesFor("claims: {a: b}")).toHaveLength(31);
    expect(await namesFor("writes: true")).toHaveLength(31);
  });

  test("nothing that writes where it only reads", async () => {
    const reading = await namesFor("writes: false");
    const { out } = await run(["tools", "--json", DESK, "--read-only"]);
    expect(reading).toStrictEqual((JSON.parse(out) as { tools: { name: string }[] }).tools.map(({ name }) => name));
    expect(reading.length).toBeLessThan(31);
  });
});

describe("a file that is no key is refused, without what stands in it", () => {
  test.each([
    ["nothing", "", /expected `claims:`/],
    ["a list", "[claims]", /expected `claims:`/],
    ["another key", "claims: {a: b}\nwrite: false", /`write` is unknown\. Did you mean `writes`\?/],
    ["claims that are none", "claims: canary", /`claims` must be names with values/],
    ["a word for a truth", 'writes: "no"', /`writes` must be true or false/],
    ["tags that are none", "tags: [canary]", /`tags` must hold lists under all, any or exclude/],
    ["another choice", "tags: {none: [canary]}", /`tags\.none` is unknown/],
    ["a list of nothing", "tags: {any: []}", /`tags\.any` must be a list of at least one tag/],
    ["a tag that is none", "tags: {exclude: [1]}", /`tags\.exclude` must be a list/],
    ["a name twice", "writes: false\nwrites: true", /writes/],
  ])("%s", async (_, yaml, want) => {
    const { code, out, err } = await run(["tools", DESK, "--as", key(yaml)]);
    expect([code, out]).toStrictEqual([2, ""]);
    expect(err).toMatch(want);
    expect(err).not.toContain("canary");
  });
});

test("a tag that no tool carries is an error, as it would show what was to be hidden", async () => {
  const { code, err } = await run(["tools", fixture("shop.yaml"), "--as", key("tags: {exclude: [internl]}")]);
  expect(code).toBe(1);
  expect(err).toMatch(/unknown_tag/);
});

test("an API without a curation has no tags to choose by", async () => {
  const spec = ["--spec", "test/fixtures/cli/specs/shop.yaml", "--base-url", "https://api.example.com"];
  const { code, err } = await run(["tools", ...spec, "--as", key("tags: {any: [a]}")]);
  expect(code).toBe(2);
  expect(err).toContain("--spec has none");
  expect((await run(["tools", ...spec, "--as", key("writes: false")])).code).toBe(0);
});
