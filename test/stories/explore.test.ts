import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "../setup/clients.ts";
import { repository, vitrine } from "../setup/program.ts";

// An agent meets an API that nobody has curated yet: GitHub's own document where the shared specs are, else Unleash's.

const SHARED = join(
  process.env["VITRINE_SPECS"] ?? join(repository, "../shared/specs"),
  "github-3.0/api.github.com.json",
);
const heard: { method: string; url: string; authorization: unknown }[] = [];
let upstream: Server;
let base: string;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    heard.push({ method, url, authorization: headers.authorization });
    response.setHeader("content-type", "application/json");
    const files = Array.from({ length: 3 }, (_, at) => ({ filename: `src/${at}.ts`, patch: "+".repeat(20_000) }));
    response.end(JSON.stringify(url.includes("/files") ? files : { name: "frontend", enabled: true }));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(() => void upstream?.close());

const list = (args: Record<string, string>) => Object.entries(args).map(([name, value]) => ({ name, value }));

describe.skipIf(!existsSync(SHARED))("GitHub's document, 13 MB", () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession(["--spec", SHARED, "--base-url", base]);
  });
  afterAll(() => session?.close());

  test("is three tools that only read", async () => {
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["call_operation", "describe_operation", "search_operations"]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  test("leads from a question to an answer in three calls", async () => {
    const found = await session.call("search_operations", { query: "pull request files" });
    const operation = found.json.data?.[0]?.["operation"];
    expect(operation).toBe("pulls/list-files");
    const described = await session.call("describe_operation", { operation });
    const schema = described.json["arguments"] as { required: string[] };
    expect(schema.required).toEqual(["owner", "repo", "pull_number"]);
    expect(described.json["returns"]).toContain("filename");
    const args = list({ owner: "octo", repo: "hello", pull_number: "7" });
    const { json, text } = await session.call("call_operation", { operation, arguments: args });
    expect(heard.at(-1)?.url).toBe("/repos/octo/hello/pulls/7/files");
    // Three files of 20 kB are more than one reply holds: what is left out is said, and can be had.
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(25_000);
    expect(json).toMatchObject({ hasMore: true, rowCount: 1 });
    const more = [...args, ...list({ pageToken: String(json["nextPageToken"]) })];
    const next = await session.call("call_operation", { operation, arguments: more });
    expect(next.json.data?.[0]).toMatchObject({ filename: "src/1.ts" });
  });

  test.each(["pulls/merge", "DELETE /repos/{owner}/{repo}", "repos/delete", "pulls/ghost"])(
    "has no %s, and sends nothing",
    async (operation) => {
      const before = heard.length;
      const { json } = await session.call("call_operation", { operation, arguments: [] });
      expect(json).toMatchObject({ error: "unknown_id", message: "There is no such read-only operation here." });
      expect(heard).toHaveLength(before);
    },
  );
});

describe("beside a curation", () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-explore-"));
  const file = join(folder, "unleash.yaml");
  let session: Session;
  beforeAll(async () => {
    const auth = '{ apiKey: { apiKey: "${env.TOKEN}" } }';
    const api = `{ spec: ${join(repository, "specs/unleash.json")}, baseUrl: "\${env.URL}", auth: ${auth} }`;
    const text = `vitrine: 1\napi: ${api}\nserver: { name: flags, explore: true }\npins: { projectId: "\${env.PROJECT}" }\ntools: {}\n`;
    writeFileSync(file, text);
    session = await openSession([file, "--root", "/"], { URL: base, TOKEN: "canary-token", PROJECT: "default" });
  });
  afterAll(() => session?.close());

  test("the same pins and credentials hold", async () => {
    const operation = "getFeature";
    const described = await session.call("describe_operation", { operation });
    expect(JSON.stringify(described.json)).not.toContain('"projectId":{');
    const { json } = await session.call("call_operation", { operation, arguments: list({ featureName: "frontend" }) });
    expect(json).toMatchObject({ name: "frontend" });
    expect(heard.at(-1)).toMatchObject({
      method: "GET",
      url: "/api/admin/projects/default/features/frontend",
      authorization: "canary-token",
    });
  });

  test("what cannot carry the pin is not there", async () => {
    const before = heard.length;
    const { json } = await session.call("call_operation", { operation: "getAllUsers", arguments: [] });
    expect(json.error).toBe("unknown_id");
    const found = await session.call("search_operations", { query: "users", limit: 50 });
    const others = found.json.data?.filter((row) => !String(row["sends"]).includes("{projectId}"));
    // It has the pin in its query.
    expect(others?.map((row) => row["operation"])).toEqual(["getUserRoles"]);
    expect(heard).toHaveLength(before);
  });

  test("a call from the command line shows what it would send", async () => {
    const args = JSON.stringify({ operation: "getHealth" });
    const spec = ["--spec", join(repository, "specs/unleash.json"), "--base-url", base];
    const ran = await vitrine(["call", ...spec, "--dry-run", "call_operation", args]);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(ran.stdout)).toMatchObject([{ method: "GET", url: `${base}/health` }]);
  });
});
