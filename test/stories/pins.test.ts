import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, type Session } from "../setup/clients.ts";
import { vitrine } from "../setup/program.ts";

const CURATION = "test/fixtures/stories/pinned.curation.yaml";
const folder = mkdtempSync(join(tmpdir(), "vitrine-pins-"));
const heard: { url: string; region: unknown; authorization: unknown; body: string }[] = [];
let upstream: Server;
let env: Record<string, string>;
let session: Session;

function claims(yaml: string): string {
  const file = join(folder, `${heard.length}-${Math.random()}.yaml`);
  writeFileSync(file, yaml);
  return file;
}
const GOOD = "claims: { tenantID: t-1, token: canary-token }";

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    const { "x-region": region, authorization } = request.headers;
    heard.push({ url: request.url ?? "", region, authorization, body: await text(request) });
    response.setHeader("content-type", "application/json");
    response.end('{"notes":["one"]}');
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  env = { NOTES_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, NOTES_REGION: "eu-1" };
  session = await openSession([CURATION, "--as", claims(GOOD)], env);
});
afterAll(async () => {
  await session?.close();
  upstream.close();
});

test("pins from the caller's key and from the environment reach the upstream in every call", async () => {
  expect((await session.call("list_notes")).json).toEqual({ notes: ["one"] });
  expect(heard.at(-1)).toEqual({
    url: "/notes?tenantID=t-1",
    region: "eu-1",
    authorization: "Bearer canary-token",
    body: "",
  });
  await session.call("add_note", { text: "hi" });
  expect(heard.at(-1)).toMatchObject({ url: "/notes", region: "eu-1" });
  expect(JSON.parse(heard.at(-1)?.body ?? "")).toEqual({ text: "hi", tenantID: "t-1" });
});

test("describe_access shows the same values, and no secret", async () => {
  const { json, text: shown } = await session.call("describe_access");
  expect(json).toMatchObject({ pins: { tenantID: "t-1", "X-Region": "eu-1" } });
  expect(shown).not.toContain("canary-token");
});

test.each([{ tenantID: "t-2" }, { TENANTID: "t-2" }, { "x-region": "us" }])("no caller sets one: %o", async (args) => {
  const before = heard.length;
  expect((await session.call("list_notes", args)).json).toMatchObject({ error: "pinned_argument" });
  expect(heard).toHaveLength(before);
});

const refused: [title: string, yaml: string, env: () => Record<string, string>, words: RegExp][] = [
  ["a claim that is missing", "claims: { token: x }", () => env, /tenantID/],
  ["a claim that is empty", 'claims: { token: x, tenantID: "" }', () => env, /tenantID/],
  ["a variable that is missing", GOOD, () => ({ NOTES_URL: env.NOTES_URL ?? "" }), /X-Region/],
  ["a claim that stands twice", "claims: { tenantID: a, tenantID: b }", () => env, /tenantID.* twice/],
  ["a torn file", "claims: { tenantID: [", () => env, /:1:\d+|:2:1/],
  ["a file that would end the process", `claims: ${"[".repeat(5_000)}${"]".repeat(5_000)}`, () => env, /nest|deep/],
  ["a file without claims", "tenantID: t-1", () => env, /claims:/],
];
test.each(refused)("%s ends with 2 and one line, and nothing is sent", async (_, yaml, given, words) => {
  const before = heard.length;
  const ran = await vitrine(["call", CURATION, "list_notes", "--as", claims(yaml)], { env: given() });
  expect([ran.code, ran.stdout]).toEqual([2, ""]);
  expect(ran.stderr).toMatch(words);
  expect(ran.stderr.trim().split("\n")).toHaveLength(1);
  expect(heard).toHaveLength(before);
});
