import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyProfile, PROFILE_NAMES } from "../../src/surface/apply-profile.ts";
import { run } from "../cli/fake-shell.ts";
import { specsFolder } from "../specs/published-specs.ts";

// The shipped curation of GitHub's document (13 MB), over a copy of the document and an upstream that answers as GitHub does.

const SPEC = join(specsFolder(), "github-3.0/api.github.com.json");
const asked: string[] = [];
let upstream: Server;
let file: string;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://github.test");
    asked.push(`${pathname}${search}`);
    const { status, body, headers } = answer(
      pathname,
      search,
      request.headers.accept ?? "",
      request.headers.host ?? "",
    );
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => upstream.listen(0, "127.0.0.1", done));
  file = join(mkdtempSync(join(tmpdir(), "vitrine-github-")), "github.yaml");
  const text = readFileSync(join(import.meta.dirname, "../../curation/github.yaml"), "utf8")
    .replace(/spec: https:\S+/, `spec: ${SPEC}`)
    .replace("https://api.github.com\n", `http://127.0.0.1:${(upstream.address() as AddressInfo).port}\n`);
  writeFileSync(file, text);
});
afterAll(() => upstream.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

function answer(path: string, search: string, accept: string, host: string): Answer {
  const ok = (body: unknown, headers?: Record<string, string>): Answer => ({
    status: 200,
    body,
    ...(headers && { headers }),
  });
  if (path.endsWith("/actions/runs")) {
    const runs = [{ id: 7, name: "CI", status: "completed", conclusion: "failure", head_branch: "main" }];
    return ok({ total_count: 1, workflow_runs: runs });
  }
  if (path.endsWith("/comments")) {
    const page = Number(/[?&]page=(\d)/.exec(search)?.[1] ?? 1);
    const next = `<http://${host}${path}?per_page=20&page=${page + 1}>; rel="next"`;
    return ok([{ user: { login: `user-${page}` }, body: "Hello." }], page < 2 ? { link: next } : {});
  }
  if (path.endsWith("/pulls/5"))
    return accept.includes("diff")
      ? ok("diff --git a/a b/a\n", { "content-type": "application/vnd.github.diff; charset=utf-8" })
      : ok({ title: "A fix", state: "open", mergeable: true, head: { sha: "abc" } });
  if (path.endsWith("/files")) return ok([{ filename: "a.ts", additions: 2, deletions: 1 }]);
  if (path.endsWith("/reviews")) return ok([]);
  if (path.endsWith("/check-runs"))
    return ok({ total_count: 1, check_runs: [{ name: "test", conclusion: "failure" }] });
  return { status: 404, body: { message: "Not Found" } };
}

const inRoot = () => ["--root", parse(SPEC).root];
const env = { GITHUB_TOKEN: "canary-github" };

async function call(tool: string, args: object) {
  const { out, err } = await run(
    ["call", ...inRoot(), file, tool, JSON.stringify({ owner: "o", repo: "r", ...args })],
    { env },
  );
  expect(err).toBe("");
  return JSON.parse(out);
}

describe.skipIf(!existsSync(SPEC))("the curation of GitHub", () => {
  test("has no mistake and leaves nothing to be guessed", async () => {
    const { code, out } = await run(["check", "--strict", "--json", ...inRoot(), file]);
    expect(JSON.parse(out).filter(({ severity }: { severity: string }) => severity !== "note")).toStrictEqual([]);
    expect(code).toBe(0);
  }, 60_000);

  test("costs at most 3,000 tokens with at most 20 tools, where one tool an operation costs over a hundred times as much", async () => {
    const { out } = await run(["tools", ...inRoot(), file]);
    const [, tools, tokens] = /\((\d+) tools, (\d+) tokens\)/.exec(out)!;
    expect(Number(tools)).toBeLessThanOrEqual(20);
    expect(Number(tokens)).toBeLessThanOrEqual(3_000);
    const [, all] = /one tool for each of the 1,223 operations +[\d,]+ +([\d,]+)/.exec(out)!;
    expect(Number(all!.replaceAll(",", ""))).toBeGreaterThan(300_000);
  }, 60_000);

  test("is taken whole by every client", async () => {
    const manifest = JSON.parse((await run(["tools", "--json", ...inRoot(), file])).out);
    const refused = PROFILE_NAMES.flatMap((name) =>
      applyProfile(manifest, name)!.findings.flatMap(({ severity, code, tool }) =>
        severity === "note" ? [] : [`${name} ${code} ${tool}`],
      ),
    );
    // A diff and a file may be longer than these clients show, and tools that are sent as strict ones may leave out fewer inputs.
    const known = /^((codex|copilot-cli) reply_cut|claude-strict many_optional_inputs) /;
    expect(refused.filter((one) => !known.test(one))).toStrictEqual([]);
  }, 60_000);

  test("leads from a failed run to its jobs", async () => {
    const next = [{ tool: "gh_list_jobs", args: { owner: "o", repo: "r", run_id: 7 }, why: expect.any(String) }];
    expect(await call("gh_list_runs", { branch: "main" })).toMatchObject({ rowCount: 1, next });
  }, 60_000);

  test("goes on where GitHub's own link leads", async () => {
    asked.length = 0;
    const { nextPageToken } = await call("gh_list_comments", { issue_number: 1, limit: 2 });
    expect(nextPageToken).toBeUndefined();
    expect(asked).toStrictEqual([
      "/repos/o/r/issues/1/comments?per_page=2",
      "/repos/o/r/issues/1/comments?per_page=20&page=2",
    ]);
  }, 60_000);

  test("shows a pull request whole, and its diff as text", async () => {
    expect(await call("gh_review_pull", { pull_number: 5 })).toMatchObject({
      next: [{ tool: "gh_get_diff", args: { owner: "o", repo: "r", pull_number: 5 } }],
      title: "A fix",
      files: [{ path: "a.ts", added: 2, removed: 1 }],
      failed: [{ name: "test" }],
    });
    expect(await call("gh_get_diff", { pull_number: 5 })).toStrictEqual({ text: "diff --git a/a b/a\n" });
  }, 60_000);
});
