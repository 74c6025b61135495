import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

// The walls of CONTRIBUTING.md, kept by a test.

/** Which rooms a room may import, beside itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  egress: ["model"],
  spec: ["model", "egress"],
  curation: ["model"],
  filter: ["model"],
  telemetry: ["model"],
  web: ["model"],
  auth: ["model", "egress"],
  compile: ["model", "curation", "filter"],
  run: ["model", "filter", "egress"],
  mcp: ["model", "run"],
  surface: ["model", "spec", "curation", "compile"],
  draft: ["model", "spec", "curation", "compile"],
  host: ["model", "curation", "mcp", "egress", "web"],
  demo: [],
  "index.ts": [
    "model",
    "egress",
    "spec",
    "curation",
    "filter",
    "auth",
    "compile",
    "run",
    "mcp",
    "surface",
    "draft",
    "web",
  ],
  cli: [
    "model",
    "egress",
    "spec",
    "curation",
    "filter",
    "telemetry",
    "web",
    "auth",
    "compile",
    "run",
    "mcp",
    "surface",
    "draft",
    "host",
    "demo",
  ],
};

/** The files by which a room is entered; `model` lies open. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  egress: ["open-egress", "judge-address"],
  spec: ["load-api", "check-spec", "measure-requests"],
  curation: [
    "load-curation",
    "read-drafted",
    "expand-arazzo",
    "read-yaml",
    "read-settings",
    "format",
    "format-scalar",
    "expression",
    "place",
    "relative-time",
    "print-schema",
  ],
  filter: [
    "write-filter",
    "read-filter",
    "join-always",
    "render-filter",
    "filter-schema",
    "offer-ops",
    "check-templates",
    "field-type",
    "refusal",
    "find-dialect",
  ],
  auth: ["open-authorizer"],
  compile: ["compile-toolset", "open-explorer", "words/plain-text"],
  run: ["run-tool", "open-access", "resolve-upstream", "hide-secrets", "find-lacking"],
  mcp: [
    "create-server",
    "make-generation",
    "serve-stdio",
    "serve-http",
    "mount-mcp",
    "bound-server",
    "check-host",
    "answer-fault",
    "is-refusal",
  ],
  surface: [
    "manifest",
    "manifest-format",
    "diff/compare-manifests",
    "tools-page",
    "read-manifest",
    "measure-cost",
    "apply-profile",
    "endpoint-tools",
    "lint/check-lint",
    "lint/lint-rules",
    "lint/tool-keys",
    "lint/waivers",
    "formats/report",
    "formats/write-report",
    "formats/write-github",
    "formats/visible-text",
    "diff/change",
    "lint/find-tool",
    "diff/change-rules",
    "diff/attribute-cause",
    "diff/place-change",
    "diff/report-changes",
    "diff/suppressions",
  ],
  telemetry: ["open-events", "open-metrics", "sum-metrics", "open-traces", "join-watchers"],
  host: [
    "open-host",
    "read-host-file",
    "read-host-values",
    "read-revoking",
    "print-host-schema",
    "hosting",
    "opened-server",
    "host-log",
    "fit-credentials",
    "shared/open-state",
    "shared/open-writes",
    "shared/revoke-everywhere",
    "limits/count-here",
    "limits/break-upstream",
    "callers/make-key",
  ],
  draft: ["draft-curation", "update/update-curation"],
  web: ["serve-page", "page-data", "page-refusal"],
  demo: ["start-ledger"],
};

/** Where a package, or a part of Node that reaches the outside, may be imported: rooms, or single files. */
const WALLS: readonly (readonly [what: RegExp, where: readonly string[]])[] = [
  [/^@modelcontextprotocol\//, ["mcp"]],
  [/^express$/, ["demo"]],
  [/^(yaml|js-yaml)$/, ["spec", "curation", "draft", "cli"]],
  [/^undici$/, ["egress"]],
  [/^jose$/, ["host"]],
  [/^ipaddr\.js$/, ["egress"]],
  [/^@duckdb\//, ["demo", "cli/report/open-events.ts"]],
  [/^gpt-tokenizer/, ["surface"]],
  [/^preact/, ["web"]],
  [/^@readme\//, ["spec"]],
  [/^(ioredis|rate-limiter-flexible)$/, ["host/shared/open-store.ts", "host/shared/count-there.ts"]],
  [/^@opentelemetry\//, ["telemetry"]],
  [/^pino$/, ["cli", "host", "telemetry"]],
  [/^node:(https|http2|tls|dns|dns\/promises)$/, ["egress"]],
  [/^node:http$/, ["mcp", "host", "web", "demo"]],
];

/** What may stand in no source file but these. */
const WORDS: readonly (readonly [what: string, pattern: RegExp, where: RegExp])[] = [
  ["console", /\bconsole\./, /^$/],
  ["process.env", /process\.env|\benv\b.*from "node:process"/, /^cli\//],
  ["process.stdout", /process\.stdout/, /^(cli\/output|mcp\/serve-stdio)\.ts$/],
  ["the global fetch", /(?<![.\w])fetch\(/, /^web\/page\/ask\.ts$/],
  // What others wrote is text on the page, never markup; and nothing of a person's key or arguments is kept.
  [
    "markup made of text",
    /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc/i,
    /^$/,
  ],
  [
    "a browser's storage",
    /localStorage|sessionStorage|indexedDB|document\.cookie/,
    /^web\/page\/parts\/theme-switch\.tsx$/,
  ],
  // Whose call it is goes from hand to hand: what is read out of the air could be another's.
  ["what belongs to a call by the way", /AsyncLocalStorage|\bdomain\b.*from "node:/, /^host\/host-log\.ts$/],
  ["a default export", /^export default/m, /^$/],
  ["a wholesale re-export", /^export \*/m, /^$/],
];

interface SourceFile {
  /** From `src/`. */
  readonly path: string;
  readonly room: string;
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  readonly imports: readonly { readonly target: string; readonly typeOnly: boolean }[];
}

const SRC = join(import.meta.dirname, "..", "src");
const files: readonly SourceFile[] = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readSource(path))
  .toSorted((a, b) => a.path.localeCompare(b.path));

function readSource(path: string): SourceFile {
  const text = readFileSync(join(SRC, path), "utf8");
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const imports = [
    ...code.matchAll(
      /(?:^|\n)(?:import|export)(\s+type)?\b[^;"]*?from "([^"]+)"|(?:^|\n)import "([^"]+)"|\bimport\("([^"]+)"\)/g,
    ),
  ].map(([, type, from, bare, dynamic]) => ({
    target: resolve(path, from ?? bare ?? dynamic ?? ""),
    typeOnly: type !== undefined,
  }));
  return { path, room: path.split("/")[0] ?? "", text, code, imports };
}

/** Relative imports become paths from `src/`, others stay as they are. */
function resolve(from: string, target: string): string {
  return target.startsWith(".") ? relative(SRC, join(SRC, dirname(from), target)) : target;
}

const isLocal = (target: string): boolean => /\.tsx?$/.test(target);
const roomOf = (path: string): string => path.split("/")[0] ?? "";

/** One line a breach, so that a failure names all of them. */
function breaches(find: (file: SourceFile) => readonly string[]): string[] {
  return files.flatMap((file) => find(file).map((breach) => `${file.path}: ${breach}`));
}

describe("the rooms", () => {
  test("there are files to look at, and their imports are seen", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.find(({ path }) => path === "cli/main.ts")?.imports.map(({ target }) => target)).toEqual(
      expect.arrayContaining(["model/errors.ts", "cli/command.ts", "cli/commands/serve.ts"]),
    );
  });

  test("every room is known", () => {
    expect(
      breaches(({ room }) => (Object.hasOwn(MAY_IMPORT, room) ? [] : ["its room has no line in MAY_IMPORT"])),
    ).toStrictEqual([]);
  });

  test("the table of CONTRIBUTING.md says the same", () => {
    expect(Object.fromEntries(toldRooms().map(([room, may]) => [room, roomsIn(may, room).toSorted()]))).toStrictEqual(
      Object.fromEntries(Object.entries(MAY_IMPORT).map(([room, may]) => [room, may.toSorted()])),
    );
  });

  test("a room imports only the rooms that it may", () => {
    const found = breaches(({ room, imports }) =>
      imports
        .filter(
          ({ target }) => isLocal(target) && roomOf(target) !== room && !MAY_IMPORT[room]?.includes(roomOf(target)),
        )
        .map(({ target }) => `may not import ${target}`),
    );
    expect(found).toStrictEqual([]);
  });

  test("another room is entered by its door", () => {
    const found = breaches(({ room, imports }) =>
      imports
        .filter(({ target }) => isLocal(target) && roomOf(target) !== room && roomOf(target) !== "model")
        .filter(({ target }) => !DOORS[roomOf(target)]?.some((door) => target === `${roomOf(target)}/${door}.ts`))
        .map(({ target }) => `${target} is no door`),
    );
    expect(found).toStrictEqual([]);
  });

  test("what runs in a browser and what runs in Node share plain data only", () => {
    const isPage = (path: string): boolean => path.startsWith("web/page/");
    const found = breaches(({ path, imports }) =>
      imports
        .filter(({ target }) => isPage(path) !== isPage(target) && (isPage(path) || isPage(target)))
        .filter(({ target }) => !(isPage(path) && /^(web\/(page|try)-data\.ts$|model\/|preact)/.test(target)))
        .map(({ target }) => `may not import ${target}`),
    );
    expect(found).toStrictEqual([]);
  });

  test("no file leads back to itself when it is loaded", () => {
    const edges = new Map(
      files.map(({ path, imports }) => [
        path,
        imports.filter(({ target, typeOnly }) => isLocal(target) && !typeOnly).map(({ target }) => target),
      ]),
    );
    expect(files.map(({ path }) => cycleThrough(path, edges)).filter((cycle) => cycle !== undefined)).toStrictEqual([]);
  });
});

/** The rows of its table: a room, and what it may import in words. */
function toldRooms(): readonly (readonly [room: string, may: string])[] {
  const page = readFileSync(join(SRC, "..", "CONTRIBUTING.md"), "utf8");
  const rows = page.matchAll(/^\| `([a-z]+)(?:\/|(\.ts))` +\|[^|]*\| ([^|]*?) +\|$/gm);
  return [...rows].map(([, name = "", ending = "", may = ""]) => [name + ending, may]);
}

/** `model, egress`, `nothing`, or `everything but host, cli`; `index.ts` is a door of its own, which no room enters. */
function roomsIn(may: string, room: string): readonly string[] {
  if (may === "nothing") return [];
  if (!may.startsWith("everything")) return may.split(", ");
  const but = [room, "index.ts", ...may.replace(/^everything( but )?/, "").split(", ")];
  return Object.keys(MAY_IMPORT).filter((one) => !but.includes(one));
}

/** The shortest way from a file back to itself. */
function cycleThrough(start: string, edges: ReadonlyMap<string, readonly string[]>): string | undefined {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of edges.get(way.at(-1) ?? "") ?? []) {
      if (next === start) return [...way, next].join(" -> ");
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

describe("the walls", () => {
  test("a package stays in its room", () => {
    const found = breaches(({ path, room, imports }) =>
      imports
        .filter(({ target }) =>
          WALLS.some(([what, where]) => what.test(target) && !where.includes(room) && !where.includes(path)),
        )
        .map(({ target }) => `may not import ${target}`),
    );
    expect(found).toStrictEqual([]);
  });

  test.each(WORDS)("%s stands nowhere but where it may", (_, pattern, where) => {
    expect(breaches(({ path, code }) => (where.test(path) || !pattern.test(code) ? [] : ["holds it"]))).toStrictEqual(
      [],
    );
  });
});

describe("the files", () => {
  test("none is longer than 250 lines", () => {
    expect(
      breaches(({ text }) => (text.split("\n").length > 251 ? [`${text.split("\n").length - 1} lines`] : [])),
    ).toStrictEqual([]);
  });

  test("none is a barrel or a drawer, but for the library's own list", () => {
    const found = breaches(({ path }) =>
      /(^|\/)(index|utils?|helpers?|misc|common)(\.ts|\/)/.test(path) && path !== "index.ts" ? ["has such a name"] : [],
    );
    expect(found).toStrictEqual([]);
  });

  test("none only hands on what others export, but for the library's own list", () => {
    const found = breaches(({ path, code }) => {
      const statements = code.replace(/^(import|export)\b[^;]*from "[^"]+";$/gm, "").trim();
      return statements === "" && path !== "index.ts" ? ["declares nothing"] : [];
    });
    expect(found).toStrictEqual([]);
  });
});
