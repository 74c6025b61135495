import { describe, expect, test, vi } from "vitest";
import { openEvents } from "../../../src/cli/report/open-events.ts";
import { writeCsv } from "../../../src/cli/report/write-csv.ts";
import { run } from "../fake-shell.ts";
import { knownMix, line, protocolFault, toolError, write } from "./events.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  `" onload="alert(1)`,
  "'><img src=x onerror=alert(1)>",
  "</title></style></svg><h1>",
  "&lt;b&gt;",
  "a\u202egnp.exe",
  "zero\u200bwidth",
  "\u001b[31mred\u001b[0m\r\n\ttab",
  "::error::x",
  "\ud800half",
  '=HYPERLINK("http://x")',
  "x".repeat(5000),
  "null\u0000byte",
];

/** Whether every element ends where it must; of HTML's own, those that have no end. */
function isBalanced(html: string): boolean {
  const open: string[] = [];
  for (const [, end, name = "", rest = ""] of html.matchAll(/<(\/?)([a-zA-Z][\w]*)((?:"[^"]*"|[^">])*)>/g)) {
    if (end === "/" && open.pop() !== name) return false;
    if (end === "" && name !== "meta" && !rest.endsWith("/")) open.push(name);
  }
  return open.length === 0;
}

describe("texts of strangers", () => {
  const file = write(
    HOSTILE.flatMap((text) => [
      line({ tool: text, server: text, tools_sha: text, ...toolError(text) }),
      line({ tool: text, ...protocolFault, error: text }),
    ]),
  );

  test("are shown in the terminal in one line each, with nothing that is not seen", async () => {
    const { code, out } = await run(["report", file]);
    expect(code).toBe(0);
    expect(out).not.toMatch(/[^\P{C}\n]/u);
    expect(out).toContain("a\\u{202E}gnp.exe");
    expect(out.split("\n").every((text) => text.length < 500)).toBe(true);
  });

  test("are text in the page, and the page is whole", async () => {
    const { code, out } = await run(["report", file, "--html"]);
    expect(code).toBe(0);
    expect(out).not.toMatch(/<script|<img|<h1>(?!What the tools did<)|[^\P{C}\n]/u);
    const names = [...out.matchAll(/<(\w+)/g)].map(([, name]) => name);
    const known =
      "bdi body caption desc div figcaption figure h1 h2 head html main meta p rect section style svg table tbody td text th thead title tr";
    expect([...new Set(names)].toSorted()).toEqual(known.split(" "));
    expect(isBalanced(out.replace(/<style>[\s\S]*?<\/style>/, ""))).toBe(true);
    const tags = [...out.matchAll(/<\w+((?:"[^"]*"|[^">])*)>/g)].map(([, rest = ""]) => rest.replace(/"[^"]*"/g, ""));
    const attributes = new Set(tags.flatMap((rest) => rest.match(/[\w-]+/g) ?? []));
    expect([...attributes].filter((name) => /^on|^(href|src|style|action)$/.test(name))).toEqual([]);
    expect(attributes).toContain("aria-labelledby");
  });

  test("stay what they are for a program, and do nothing to the terminal that shows them", async () => {
    const { out } = await run(["report", file, "--json"]);
    expect(out).not.toMatch(/[^\P{C}\n]/u);
    const groups: { tool: string }[] = JSON.parse(out);
    const want = HOSTILE.map((text) => Buffer.from(text).toString());
    expect([...new Set(groups.map(({ tool }) => tool))].toSorted()).toEqual(want.toSorted());
  });

  test.each([
    ["--json", "SELECT tool FROM events"],
    ["--csv", "SELECT tool FROM events"],
    ["--json", "SELECT error(tool) FROM events WHERE tool LIKE '%red%'"],
    ["--json", "SELECT tool::INT FROM events WHERE tool LIKE '%red%'"],
  ])("do nothing to a terminal in the answer to a query: %s %s", async (format, query) => {
    const { out, err } = await run(["report", file, format, "--sql", query]);
    expect(`${out}${err}`).toContain("red");
    expect(`${out}${err}`).not.toMatch(/[^\P{C}\r\n\t]/u);
  });

  test.each([
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@x", "'@x"],
    [-1, "-1"],
    ["＝1", "'＝1"],
    ["\n=1", `"'\n=1"`],
    [" =1", "' =1"],
    ["a;=1", '"a;=1"'],
    ["a\t=1", '"a\t=1"'],
    ["\u001b[31mred\u009b", "\\u{1B}[31mred\\u{9B}"],
    ["a,b", '"a,b"'],
    ["a\nb", '"a\nb"'],
    ["plain", "plain"],
    [null, ""],
    [{ a: [1, "x"] }, '"{""a"":[1,""x""]}"'],
  ])("%j as a cell", (cell, want) => {
    expect(writeCsv(["name"], [[cell]])).toBe(`name\n${want}`);
  });
});

describe("the page", () => {
  test("stands by itself, in light and dark, and says in tables what its charts show", async () => {
    const { out } = await run(["report", write(knownMix()), "--html"]);
    expect(out).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(out).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(out).not.toMatch(/https?:|@import|url\(/);
    expect(out).toContain("prefers-color-scheme: dark");
    expect(out.match(/<svg /g)).toHaveLength(9);
    const named = [...out.matchAll(/<svg [^>]*role="img" aria-labelledby="(\S+) (\S+)">/g)];
    expect(named).toHaveLength(9);
    const ids = [...out.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids).toEqual(expect.arrayContaining(named.flatMap(([, title, description]) => [title, description])));
    expect(out.match(/<caption>/g)).toHaveLength(4);
    expect(out).toContain('<h2 id="day-h">By day</h2>');
  });

  test("a thing that happened once among thousands is drawn all the same", async () => {
    const lines = [...Array.from({ length: 3000 }, () => line()), line(toolError("x"))];
    const { out } = await run(["report", write(lines), "--html"]);
    expect(out).toMatch(/<rect class="tool-error" x="[\d.]+" y="30" width="1\.5"/);
  });

  test("a thousand tools do not make a thousand bars", async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => line({ tool: `t_${at}` }));
    const { out } = await run(["report", write(lines), "--html", "--by", "tool"]);
    expect(out).toContain("A row each of 30; 970 more are not drawn.");
    expect(out).toContain("<p>… and 500 more.</p>");
    expect((await run(["report", write(lines)])).out).toContain("… and 950 more (--json has all of them)");
  });
});

describe("without DuckDB", () => {
  test("a report says what to install, and ends with 2", async () => {
    vi.doMock("@duckdb/node-api", () => {
      throw new Error("no such package");
    });
    try {
      const { code, out, err } = await run(["report", write([line()])]);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toBe(
        "vitrine: A report needs DuckDB, which is not installed here: run `npm install @duckdb/node-api`.\n",
      );
      expect((await run(["gate", write([line()])])).code).toBe(0);
    } finally {
      vi.doUnmock("@duckdb/node-api");
    }
  });

  test("the cause is kept", async () => {
    const cause = new Error("no binary for this platform");
    await expect(openEvents(() => Promise.reject(cause))).rejects.toMatchObject({ code: "DUCKDB_MISSING", cause });
  });
});
