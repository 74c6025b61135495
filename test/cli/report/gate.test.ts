import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quantile } from "../../../src/cli/report/judge-gate.ts";
import { run } from "../fake-shell.ts";
import { crash, knownMix, line, protocolFault, toolError, write } from "./events.ts";

const lastLine = (out: string): string | undefined => out.trimEnd().split("\n").at(-1);
const times = (count: number, more: object) => Array.from({ length: count }, () => line({ ...more }));

describe("what passes and what does not", () => {
  const twoOf14 = write([...times(12, {}), ...times(2, toolError("unknown_id"))]);
  const mix = write(knownMix());
  const slow = write([...times(18, { latency_ms: 10 }), ...times(2, { latency_ms: 500 })]);
  const cases: [words: string, args: string[], code: number, last: string][] = [
    ["without a limit", [twoOf14], 0, "tool_error_rate=0.143 (2/14)"],
    ["under the rate", [twoOf14, "--max-error-rate", "0.2"], 0, "tool_error_rate=0.143 (2/14)"],
    ["over the rate", [twoOf14, "--max-error-rate", "0.1"], 1, "tool_error_rate=0.143 (2/14)"],
    ["at the rate", [write([line(), line(toolError("x"))]), "--max-error-rate=.5"], 0, "tool_error_rate=0.500 (1/2)"],
    ["no error allowed", [twoOf14, "--max-error-rate", "0"], 1, "tool_error_rate=0.143 (2/14)"],
    ["enough calls", [twoOf14, "--min-calls", "14"], 0, "tool_error_rate=0.143 (2/14)"],
    ["too few calls", [twoOf14, "--min-calls", "15"], 1, "tool_error_rate=0.143 (2/14)"],
    ["faults and crashes apart", [mix, "--max-error-rate", "0.167"], 0, "tool_error_rate=0.167 (20/120)"],
    ["faults and crashes are no calls", [mix, "--min-calls", "121"], 1, "tool_error_rate=0.167 (20/120)"],
    ["crashes allowed", [mix, "--max-crashes", "3"], 0, "tool_error_rate=0.167 (20/120)"],
    ["too many crashes", [mix, "--max-crashes", "2"], 1, "tool_error_rate=0.167 (20/120)"],
    ["fast enough", [slow, "--max-p95", "500"], 0, "tool_error_rate=0.000 (0/20)"],
    ["too slow", [slow, "--max-p95", "499.9"], 1, "tool_error_rate=0.000 (0/20)"],
    ["one tool", [mix, "--tool", "ledger_list_dimensions", "--min-calls", "30"], 0, expect.stringMatching(/\/4\d\)$/)],
    ["a tool that nobody called", [mix, "--tool", "ledger_list"], 1, "tool_error_rate=NaN (0/0)"],
    ["several files", [twoOf14, mix], 0, "tool_error_rate=0.164 (22/134)"],
    ["the same file twice", [twoOf14, twoOf14], 0, "tool_error_rate=0.143 (2/14)"],
    ["a pattern", [`${twoOf14}*`], 0, "tool_error_rate=0.143 (2/14)"],
    ["only faults and crashes", [write([line(protocolFault), line(crash)])], 1, "tool_error_rate=NaN (0/0)"],
  ];
  test.each(cases)("%s", async (_, args, code, last) => {
    const ran = await run(["gate", ...args]);
    expect({ code: ran.code, last: lastLine(ran.out) }).toEqual({ code, last });
  });
});

describe("a file that is absent, empty or torn never passes", () => {
  const good = write([line()]);
  const folder = mkdtempSync(join(tmpdir(), "vitrine-gate-"));
  const raw = (name: string, bytes: string): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const cases: [words: string, file: string, said: string][] = [
    ["absent", join(folder, "none"), "there is no such file"],
    ["a pattern without a file", join(folder, "none*"), "no file fits"],
    ["empty", raw("empty", ""), "it holds no event"],
    ["only line breaks", raw("blank", "\n\n"), "it holds no event"],
    ["only other methods", raw("list", `${line({ mcp_method: "tools/list" })}\n`), "it holds no event"],
    ["torn at the end", raw("end", `${line()}\n${line().slice(0, 40)}`), `end:2: it is torn`],
    ["torn in the middle", raw("middle", `${line()}\n${line().slice(0, 40)}\n${line()}\n`), "middle:2: it is torn"],
    ["two lines in one", raw("joined", `${line()}${line()}\n`), "joined:1: it is torn"],
    ["a folder", folder, "it is a folder"],
  ];
  test.each(cases)("%s", async (_, file, said) => {
    const alone = await run(["gate", file]);
    expect(alone.code).toBe(1);
    expect(alone.err).toContain(said);
    const beside = await run(["gate", good, file, "--max-error-rate", "1"]);
    expect(beside.code).toBe(1);
    expect(lastLine(beside.out)).toMatch(/^tool_error_rate=0\.000 \(0\/[123]\)$/);
  });

  test.skipIf(process.getuid?.() === 0)("unreadable", async () => {
    const file = raw("closed", `${line()}\n`);
    chmodSync(file, 0);
    expect(await run(["gate", file])).toMatchObject({ code: 1, err: expect.stringContaining("it may not be read") });
  });

  test("a last line without its break is whole when it is an event", async () => {
    expect((await run(["gate", raw("whole", `${line()}\n${line()}`)])).code).toBe(0);
  });
});

test("what was lost is said, and which tool may have been meant", async () => {
  const { err } = await run(["gate", write([line({ lost: 2 }), line({ lost: 1 })]), "--tool", "ledger_run_cost"]);
  expect(err).toContain("3 events could not be written");
  expect(err).toContain("Did you mean ledger_run_cost_query?");
});

test.each([
  ["--max-error-rate", "20%"],
  ["--max-error-rate", "1.5"],
  ["--max-error-rate", "NaN"],
  ["--max-p95", "-1"],
  ["--max-p95", "1s"],
  ["--min-calls", "1.5"],
  ["--max-crashes", ""],
])("%s %j ends with 2", async (name, value) => {
  const { code, out, err } = await run(["gate", write([line()]), `${name}=${value}`]);
  expect({ code, out, err }).toEqual({ code: 2, out: "", err: expect.stringContaining(`not "${value}"`) });
});

test("a quantile is the smallest value that so large a share does not exceed", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 300, size: "max" }), (values) => {
      const p95 = quantile(values, 0.95) ?? -1;
      const shareUpTo = (most: number) => values.filter((value) => value <= most).length / values.length;
      expect(values).toContain(p95);
      expect(shareUpTo(p95)).toBeGreaterThanOrEqual(0.95);
      expect(shareUpTo(p95 - 1)).toBeLessThan(0.95);
    }),
  );
});
