import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeError } from "../../src/cli/describe-error.ts";
import { isLoopback, parseAddress } from "../../src/cli/parse-address.ts";
import { boundPath, rootOf } from "../../src/cli/toolset/bound-path.ts";
import { trustedHosts } from "../../src/cli/toolset/trusted-hosts.ts";
import type { OperationPlan } from "../../src/model/call.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { sampleToolset } from "../fixtures/mcp/sample-server.ts";

describe("the files that a curation names lie under the root", () => {
  const home = mkdtempSync(join(tmpdir(), "vitrine-root-"));
  mkdirSync(join(home, "project", "curation"), { recursive: true });
  mkdirSync(join(home, "project", "specs"));
  mkdirSync(join(home, "project-two"));
  writeFileSync(join(home, "secret.yaml"), "");
  symlinkSync(join(home, "secret.yaml"), join(home, "project", "specs", "link.yaml"));
  symlinkSync(home, join(home, "project", "specs", "up"));
  const curation = join(home, "project", "curation", "a.yaml");

  const cases: [name: string, inside: boolean][] = [
    ["../specs/a.yaml", true],
    ["./a.yaml", true],
    ["..a.yaml", true],
    [join(home, "project", "specs", "a.yaml"), true],
    ["../../secret.yaml", false],
    ["../../project-two/a.yaml", false],
    ["../../project/specs/a.yaml", true],
    [join(home, "secret.yaml"), false],
    ["../specs/link.yaml", false],
    ["../specs/up/secret.yaml", false],
    ["../specs/up/nowhere/a.yaml", false],
  ];
  test.each(cases)("%s", (name, inside) => {
    expect(boundPath(name, curation, rootOf(curation, undefined)).inside).toBe(inside);
  });

  test("a root of the user's own may be wider", () => {
    expect(boundPath("../../secret.yaml", curation, rootOf(curation, home)).inside).toBe(true);
  });
});

describe("addresses", () => {
  const cases: [text: string, hostname: string, port: number, loopback: boolean][] = [
    ["127.0.0.1:3000", "127.0.0.1", 3000, true],
    ["127.9.9.9:1", "127.9.9.9", 1, true],
    ["LOCALHOST:0", "localhost", 0, true],
    ["[::1]:80", "::1", 80, true],
    ["0.0.0.0:80", "0.0.0.0", 80, false],
    ["[::]:80", "::", 80, false],
    ["127.evil.example:80", "127.evil.example", 80, false],
    ["tools.example.com:443", "tools.example.com", 443, false],
  ];
  test.each(cases)("%s", (text, hostname, port, loopback) => {
    const address = parseAddress(text);
    expect([address, isLoopback(address)]).toStrictEqual([{ hostname, port }, loopback]);
  });
});

describe("hosts that may be at any address", () => {
  const operation: OperationPlan = {
    key: "GET /a",
    method: "GET",
    path: "/a",
    server: "http://spec.internal/v1",
    parameters: [],
    accept: "application/json",
    security: [],
    safe: true,
  };
  const toolset: Toolset = { ...sampleToolset, operations: [operation, { ...operation, server: "" }] };
  const cases: [title: string, baseUrl: string | undefined, specIsLocal: boolean, want: string[]][] = [
    ["the base URL's, with its port", "https://api.internal:8443/x", true, ["api.internal:8443", "spec.internal:80"]],
    ["the port that the scheme means", "https://api.internal/", false, ["api.internal:443"]],
    ["a local spec's servers", undefined, true, ["spec.internal:80"]],
    ["never a downloaded spec's", undefined, false, []],
  ];
  test.each(cases)("%s", (_, baseUrl, specIsLocal, want) => {
    const upstream = { ...(baseUrl !== undefined && { baseUrl }), credentials: new Map() };
    expect(trustedHosts(toolset, upstream, specIsLocal)).toStrictEqual(want);
  });

  test("the token endpoint's", () => {
    const client = {
      kind: "clientCredentials",
      tokenUrl: "https://id.internal/token",
      clientId: "c",
      clientSecret: "s",
    } as const;
    expect(trustedHosts(toolset, { credentials: new Map([["oauth", client]]) }, false)).toStrictEqual([
      "id.internal:443",
    ]);
  });
});

describe("an error in the operator's log", () => {
  test("is its words and those of its causes", () => {
    expect(describeError(new Error("No answer", { cause: new Error("refused") }))).toBe("No answer (refused)");
  });

  test("is one line without control characters, however long what others said is", () => {
    const said = describeError(new Error(`a\n{"level":"error"}\u001b[31m${"x".repeat(10_000)}`));
    expect(said).toMatch(/^[^\p{Cc}]+$/u);
    expect(said.length).toBeLessThan(3_000);
  });

  test("shows its place where it is a defect of ours", () => {
    expect(describeError(new TypeError("x is undefined"))).toMatch(/TypeError: x is undefined\n\s+at /);
  });
});
