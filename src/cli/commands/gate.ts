import { nearestNames } from "../../model/nearest.ts";
import { type Command, parseCommand, type Shell, UsageError } from "../command.ts";
import { findFiles } from "../report/find-files.ts";
import { judgeGate, type Limits, openTally, quantile, rateLine, type Tally } from "../report/judge-gate.ts";
import { printable } from "../report/printable.ts";
import { describeFaulty, type Reading, readEvents } from "../report/read-events.ts";

const HELP = `vitrine gate EVENTS…: let a build pass only where the tools did well

  EVENTS…               files that \`serve --events\` wrote, or patterns with *, ? and **
  --tool NAME           only the calls of this tool; without it all together
  --max-error-rate R    at most this share of tool errors among the calls that a tool answered, from 0 to 1, for example 0.2
  --max-p95 MS          at most this 95th percentile of their time, in milliseconds
  --min-calls N         at least this many of them (1 unless said)
  --max-crashes N       at most this many calls that ended in a defect of the program; without it they are only told

Protocol faults and crashes are counted apart: no tool answered. A file that is absent, empty or torn never passes.
The last line of the result is, for example, tool_error_rate=0.143 (2/14)

Exit codes: 0 it passes, 1 it does not, 2 the arguments are wrong.`;

export const gate: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "EVENTS…",
      options: {
        tool: { type: "string" },
        "max-error-rate": { type: "string" },
        "max-p95": { type: "string" },
        "min-calls": { type: "string" },
        "max-crashes": { type: "string" },
      },
    });
    const limits = readLimits(values);
    const { files, unmatched } = findFiles(positionals);
    const { add, tally } = openTally(values.tool);
    const reading = await readEvents(files, add);
    const faults = [...unmatched.map((name) => `${printable(name)}: no file fits`), ...faultsOf(reading)];
    const over = judgeGate(tally, limits);
    for (const line of [...faults, ...describeFaulty(reading), ...suggestTool(values.tool, tally)]) shell.note(line);
    printVerdict(tally, over, shell);
    return faults.length > 0 || reading.faulty.count > 0 || over.length > 0 ? 1 : 0;
  },
};

type Given = Readonly<Record<string, string | undefined>>;

function readLimits(given: Given): Limits {
  const maxErrorRate = readNumber(given, "max-error-rate", (value) => value <= 1, "a number from 0 to 1");
  const maxP95 = readNumber(given, "max-p95", () => true, "a number of milliseconds");
  const maxCrashes = readNumber(given, "max-crashes", Number.isSafeInteger, "a whole number");
  const minCalls = readNumber(given, "min-calls", Number.isSafeInteger, "a whole number");
  return {
    ...(maxErrorRate !== undefined && { maxErrorRate }),
    ...(maxP95 !== undefined && { maxP95 }),
    ...(maxCrashes !== undefined && { maxCrashes }),
    minCalls: Math.max(minCalls ?? 1, 1),
  };
}

function readNumber(given: Given, name: string, isRight: (value: number) => boolean, what: string): number | undefined {
  const text = given[name];
  if (text === undefined) return undefined;
  if (!/^\d*\.?\d+$/.test(text) || !isRight(Number(text))) throw new UsageError(`--${name} is ${what}, not "${text}".`);
  return Number(text);
}

const faultsOf = ({ unreadable, empty }: Reading): string[] => [
  ...unreadable,
  ...empty.map((file) => `${file}: it holds no event`),
];

function suggestTool(tool: string | undefined, { tools }: Tally): string[] {
  if (tool === undefined || tools.has(tool) || tools.size === 0) return [];
  const names = nearestNames(tool, tools).map((name) => printable(name));
  return [
    `No call of ${printable(tool)} is in the files.${names.length > 0 ? ` Did you mean ${names.join(" or ")}?` : ""}`,
  ];
}

function printVerdict(tally: Tally, over: readonly string[], shell: Shell): void {
  const { outcomes, latencies } = tally;
  const p95 = quantile(latencies, 0.95);
  shell.print(`p95_ms=${p95 ?? "NaN"} protocol_faults=${outcomes.protocol} crashes=${outcomes.crash}`);
  for (const line of over) shell.print(line);
  shell.print(rateLine(tally));
}
