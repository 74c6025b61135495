import { readFileSync } from "node:fs";
import Ajv from "ajv-draft-04";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { visibleJson } from "../../../src/surface/formats/visible-text.ts";
import { writeStepSummary } from "../../../src/surface/formats/write-github.ts";
import { REPORT_FORMATS, writeReport } from "../../../src/surface/formats/write-report.ts";
import { aFinding, aReport, hostileReport, hostileText } from "./a-report.ts";

const plain = { colour: false };
const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/formats/${name}`, import.meta.url), "utf8");

describe("every format", () => {
  const line = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
  test.each(REPORT_FORMATS)("%s holds nothing that cannot be seen, whatever a spec says", (format) => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        expect(writeReport(report, format, plain).replaceAll("\n", "")).not.toMatch(line);
      }),
    );
  });

  test.each(["text", "markdown", "github"] as const)("%s in a log begins no workflow command of others", (format) => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const lines = writeReport(report, format, plain).split("\n");
        const commands = lines.filter((one) => one.trimStart().startsWith("::"));
        expect(commands).toHaveLength(format === "github" ? report.findings.length : 0);
        expect(commands.every((one) => /^::(error|warning|notice) file=/.test(one))).toBe(true);
        expect(lines.filter((one) => one.includes("##["))).toStrictEqual([]);
      }),
    );
  });

  test.each(REPORT_FORMATS)("%s is written where nothing was found", (format) => {
    expect(writeReport(aReport([], ["run_query"]), format, plain)).not.toBe("");
  });
});

test("JSON parses to the same once nothing hides in it", () => {
  fc.assert(
    fc.property(fc.array(hostileText), (texts) => {
      const json = visibleJson(JSON.stringify(texts, null, 2));
      expect(JSON.parse(json)).toStrictEqual(texts);
      expect(json.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]|##\[/u);
    }),
  );
});

describe("text", () => {
  test("tells a finding with its facts and place, and the summary last", () => {
    expect(writeReport(aReport([aFinding()]), "text", plain)).toBe(
      [
        "BREAKING  run_query  parameter_removed /inputSchema/properties/a",
        "  The parameter `a` is gone.",
        '  before: {"type":"string"}',
        "  at: curation/ledger.yaml:3",
        "",
        "1 changes.",
      ].join("\n"),
    );
  });

  test("is coloured only where it is asked to be", () => {
    const report = aReport([aFinding()]);
    expect(writeReport(report, "text", { colour: true })).toContain("\u001b[31mBREAKING\u001b[0m");
    expect(writeReport(report, "text", plain)).not.toContain("\u001b");
  });

  test("cuts what is long and says how much is missing", () => {
    const long = writeReport(aReport([aFinding({ message: "x".repeat(1_500) })]), "text", plain);
    expect(long).toContain(`${"x".repeat(1_000)}… (500 more characters)`);
  });
});

describe("markdown", () => {
  test.each([
    ["plain words (of 20 %).", "plain words (of 20 `%)`."],
    ["The tool `a b`, gone.", "The tool `a b`, gone."],
    ['It says "call `b`.".', 'It says "call `b`.".'],
    ['`enum` was ["a","b"] and is ["a"].', '`enum` was `["a","b"]` and is `["a"]`.'],
    ["a <b>bold</b> @octocat", "a `<b>bold</b>` `@octocat`"],
    ["see #12 or GH-1 at www.evil.example.", "see `#12` or `GH-1` at `www.evil.example`."],
    ["deadbeef *x* _y_ ~z~", "`deadbeef` `*x*` `_y_` `~z~`"],
    ["tick ` and `` more", "tick ``` ` and `` ``` more"],
    ["[x](javascript:1) | ![](y)", "`[x](javascript:1)` `|` `![](y)`"],
  ])("%s is written so that it stays text", (message, want) => {
    const written = writeReport(aReport([aFinding({ message })]), "markdown", plain);
    expect(written.split("\n")).toContain(want);
    expect(outsideOfCode(written)).not.toMatch(/[<>@#*_~|[\]\\$&]/);
  });

  test("a value of JSON is one span, and no path leaves no mark", () => {
    const details = [["after", '{"say":"two words"}']] as const;
    const lines = writeReport(aReport([aFinding({ details, path: "" })]), "markdown", plain).split("\n");
    expect(lines).toContain('- after: `{"say":"two words"}`');
    expect(lines).toContain("- rule: `parameter_removed`");
  });

  test("nothing of others stands outside of code but plain words", () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        expect(outsideOfCode(writeReport(report, "markdown", plain))).not.toMatch(
          /[<>@#*_~|[\]\\$&`{}=+^]|www\.|:\/\//,
        );
      }),
    );
  });
});

/** The prose of our Markdown: without code spans (CommonMark 6.1: as many backticks end one as began it) and the marks that we begin lines with. */
function outsideOfCode(markdown: string): string {
  return markdown
    .split("\n")
    .map((line) => line.replace(/^(#{2,3}|-) /, "").replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, " "))
    .join("\n");
}

describe("github", () => {
  test("escapes what would end a value, and gives the line", () => {
    const finding = aFinding({
      subject: "a,b",
      file: "cur:1.yaml",
      message: "50% gone\nnow",
      details: [["cause", "spec"]],
      column: 4,
    });
    expect(writeReport(aReport([finding]), "github", plain).split("\n")[0]).toBe(
      "::error file=cur%3A1.yaml,line=3,col=4,title=BREAKING%3A a%2Cb%3A parameter_removed::50%25 gone\\nnow%0Acause: spec",
    );
  });

  test("gives the worst first, ten of each kind, and says how many it leaves out", () => {
    const levels = ["note", "error", "warning"] as const;
    const findings = levels.flatMap((level) =>
      Array.from({ length: 12 }, (_, at) => aFinding({ level, message: `m${at}` })),
    );
    const lines = writeReport(aReport(findings), "github", plain).split("\n");
    const kinds = lines.slice(0, 30).map((line) => /^::(\w+) /.exec(line)?.[1]);
    expect(kinds).toStrictEqual(["error", "warning", "notice"].flatMap((kind) => Array(10).fill(kind)));
    expect(lines.slice(30)).toStrictEqual(["6 more findings have no annotation.", "36 changes."]);
  });

  test("the step summary stays under GitHub's 1 MiB, and says how many it leaves out", () => {
    const findings = Array.from({ length: 3_000 }, (_, at) => aFinding({ message: `é${"x".repeat(800)} ${at}` }));
    const summary = writeStepSummary(aReport(findings));
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1024 * 1024);
    expect(Buffer.byteLength(summary)).toBeGreaterThan(1024 * 1024 - 2_000);
    expect(writeStepSummary(aReport(findings), 1024 * 1024 - 10_000).length).toBeLessThanOrEqual(10_000);
    expect(writeStepSummary(aReport(findings), 1024 * 1024 - 100)).toBe("");
    const told = summary.match(/^### /gm)?.length ?? 0;
    expect(summary.trimEnd().split("\n").at(-1)).toBe(`${3_000 - told} more findings are left out here.`);
  });
});

describe("sarif", () => {
  const schema = JSON.parse(fixture("sarif-schema-2.1.0.json"));
  const isSarif = new Ajv.default({ strict: false, validateFormats: false }).compile(schema);
  const read = (report: Parameters<typeof writeReport>[0]) => JSON.parse(writeReport(report, "sarif", plain));

  test("fits the published schema, whatever a spec says", () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        isSarif(read(report));
        expect(isSarif.errors).toBeNull();
      }),
    );
    expect(isSarif({ version: "2.1.0", runs: [{}] })).toBe(false);
  });

  test("points to its rule, its line and its tool", () => {
    const [run] = read(
      aReport([aFinding({ rule: "x", subject: "t" }), aFinding({ file: "a b/ü.yaml", column: 7 })]),
    ).runs;
    const [, result] = run.results;
    expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(result).toMatchObject({ ruleId: "parameter_removed", level: "error", properties: { tags: ["BREAKING"] } });
    const [{ physicalLocation, logicalLocations }] = result.locations;
    expect(physicalLocation).toStrictEqual({
      artifactLocation: { uri: "a%20b/%C3%BC.yaml" },
      region: { startLine: 3, startColumn: 7 },
    });
    expect(logicalLocations[0].fullyQualifiedName).toBe("run_query/inputSchema/properties/a");
  });

  test("has fingerprints that change with rule, tool and path alone", () => {
    const prints = (one: ReturnType<typeof aFinding>) => read(aReport([one])).runs[0].results[0].partialFingerprints;
    const base = prints(aFinding());
    expect(prints(aFinding({ line: 99, file: "other.yaml", message: "Else.", details: [] }))).toStrictEqual(base);
    for (const other of [{ rule: "x" }, { subject: "x" }, { path: "/x" }])
      expect(prints(aFinding(other))).not.toStrictEqual(base);
  });

  test("holds neither placeholders nor links of others", () => {
    const [result] = read(aReport([aFinding({ message: "see [x](1) and {0}", details: [] })])).runs[0].results;
    expect(result.message.text).toBe("see [x] (1) and {{0}}");
  });
});

describe("junit", () => {
  const xsd = fixture("junit.xsd");
  const at = new Date("2026-11-29T12:00:00.500Z");
  const fault = async (xml: string) =>
    (
      await validateXML({
        xml: { fileName: "report.xml", contents: xml },
        schema: { fileName: "junit.xsd", contents: xsd } as never,
      })
    ).errors;

  test("fits its schema, whatever a spec says", async () => {
    const reports = fc.sample(hostileReport, { numRuns: 20, seed: 7 });
    for (const report of reports)
      expect(await fault(writeReport(report, "junit", { colour: false, at }))).toStrictEqual([]);
    expect(await fault("<testsuites><testsuite/></testsuites>")).not.toStrictEqual([]);
  });

  test("has one case a subject, which fails by its errors alone", () => {
    const findings = [
      aFinding(),
      aFinding({ message: "Second." }),
      aFinding({ level: "warning", subject: "warned", message: "Only warned." }),
    ];
    const xml = writeReport(aReport(findings, ["well"]), "junit", { colour: false, at });
    expect(xml).toContain('timestamp="2026-11-29T12:00:00" hostname="localhost" tests="3" failures="1"');
    expect(xml.match(/<testcase [^>]*>/g)).toStrictEqual([
      '<testcase name="well" classname="vitrine diff" time="0"/>',
      '<testcase name="run_query" classname="vitrine diff" time="0">',
      '<testcase name="warned" classname="vitrine diff" time="0"/>',
    ]);
    expect(xml).toContain('<failure message="The parameter `a` is gone. (and 1 more)" type="parameter_removed">');
    expect(xml.slice(xml.indexOf("<system-out>"))).toContain("Only warned.");
  });
});
