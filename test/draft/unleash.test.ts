import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { run } from "../cli/fake-shell.ts";
import { haveUnleash, startUnleash, type Unleash } from "../setup/unleash.ts";
import { seedUnleash } from "../unleash/seed.ts";
import { walkDraft } from "./walk-draft.ts";

describe.skipIf(!haveUnleash())("the draft of Unleash's own document, untouched, on a real server", () => {
  let unleash: Unleash;
  let root: string;
  beforeAll(async () => {
    unleash = await startUnleash();
    await seedUnleash(unleash);
    await unleash.ask("POST", "/api/admin/segments", { name: "insiders", constraints: [] });
    root = mkdtempSync(join(tmpdir(), "draft-unleash-"));
    for (const folder of ["curation", "specs"]) mkdirSync(join(root, folder));
    copyFileSync("specs/unleash.json", join(root, "specs", "unleash.json"));
  }, 180_000);
  afterAll(async () => {
    await unleash?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  test("every tool answers when it is called with what the others list", async () => {
    const file = join(root, "curation", "unleash.yaml");
    expect((await run(["draft", join(root, "specs", "unleash.json"), "-o", file])).code).toBe(0);
    const { tools } = parse(readFileSync(file, "utf8")) as { tools: object };
    const env = { UNLEASH_URL: unleash.url, UNLEASH_KEY: unleash.token };
    const walked = await walkDraft(file, env, {});
    expect(walked.filter(({ code }) => code !== 0)).toStrictEqual([]);
    expect(walked.map(({ tool }) => tool).toSorted()).toStrictEqual(Object.keys(tools).toSorted());
    expect(walked.find(({ tool }) => tool === "list_features")?.reply.data?.length).toBeGreaterThan(0);
  }, 120_000);
});
