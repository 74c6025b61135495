import { UnreadableInput } from "../../model/errors.ts";
import { visibleJson } from "../../surface/formats/visible-text.ts";
import { type Command, parseCommand, type Shell, UsageError } from "../command.ts";
import { findFiles } from "../report/find-files.ts";
import { groupsCsv } from "../report/groups-csv.ts";
import { type EventTable, openEvents, RefusedQuery } from "../report/open-events.ts";
import { makeOverview } from "../report/overview.ts";
import { printable } from "../report/printable.ts";
import { describeFaulty, type Reading, readEvents } from "../report/read-events.ts";
import { reportHtml } from "../report/report-html.ts";
import { reportText } from "../report/report-text.ts";
import { KEYS, type Key, summarize } from "../report/summarize.ts";
import { writeCsv } from "../report/write-csv.ts";
import { writeTable } from "../report/write-table.ts";

const HELP = `vitrine report EVENTS…: what the tools really did

  EVENTS…       files that \`serve --events\` wrote, or patterns with *, ? and ** (FILE* also takes the older files)
  --by KEYS     count by ${KEYS.join(", ")}, or several of them with commas between (tool unless said; the text shows each of the three)
  --json        one object a tool (with --by: one a group): [{server, tool, calls, share, ok, tool_errors, error_rate, …, errors: [{channel, code, calls}]}]
  --csv         the same in a table
  --html        one page with charts, without scripts and without anything from elsewhere; write it to a file with > report.html
  --sql QUERY   ask with a SELECT over the table \`events\`: a column for each key of a line, and \`outcome\` (ok, tool_error, protocol, crash),
                \`day\`, \`file\`, \`line\`. With --json or --csv too. It can reach nothing else

Times are of the calls that a tool answered; a quantile is a time that occurred. Lines that are no events are named on stderr and left out.

Exit codes: 0 done, 2 a file cannot be read or holds no event at all, or the query is wrong.`;

type Format = "text" | "json" | "csv" | "html";

export const report: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "EVENTS…",
      options: {
        by: { type: "string" },
        json: { type: "boolean", default: false },
        csv: { type: "boolean", default: false },
        html: { type: "boolean", default: false },
        sql: { type: "string" },
      },
    });
    const format = readFormat(values);
    const by = values.by === undefined ? undefined : readKeys(values.by);
    if (values.sql !== undefined && (format === "html" || by !== undefined))
      throw new UsageError("--sql has its own columns: it goes with --json or --csv only.");
    const table = await openEvents();
    try {
      const reading = await readAll(positionals, table, shell);
      shell.print(
        values.sql === undefined
          ? await writeReport(table, reading, format, by)
          : await writeAnswer(table, values.sql, format),
      );
      return 0;
    } finally {
      table.close();
    }
  },
};

function readFormat(values: Readonly<Record<"json" | "csv" | "html", boolean>>): Format {
  const [format = "text", second] = (["json", "csv", "html"] as const).filter((name) => values[name]);
  if (second !== undefined) throw new UsageError(`--${format} and --${second} exclude each other.`);
  return format;
}

function readKeys(text: string): Key[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !KEYS.some((key) => key === name));
  if (wrong !== undefined) throw new UsageError(`--by takes ${KEYS.join(", ")}, not "${wrong}".`);
  return KEYS.filter((key) => names.includes(key));
}

async function readAll(names: readonly string[], table: EventTable, shell: Shell): Promise<Reading> {
  const { files, unmatched } = findFiles(names);
  const [pattern] = unmatched;
  if (pattern !== undefined) throw new UnreadableInput(`${printable(pattern)}: no file fits.`);
  const reading = await readEvents(files, table.add);
  for (const line of describeFaulty(reading)) shell.note(line);
  const [reason] = reading.unreadable;
  if (reason !== undefined) throw new UnreadableInput(`${reason}.`);
  if (reading.events + reading.others === 0) throw new UnreadableInput("There is no event in what was read.");
  return reading;
}

const WAYS: readonly (readonly Key[])[] = [["tool"], ["tools_sha"], ["day"]];

async function writeReport(table: EventTable, reading: Reading, format: Format, by?: readonly Key[]): Promise<string> {
  if (format === "json") return visibleJson(JSON.stringify(await summarize(table, by ?? ["tool"]), null, 2));
  if (format === "csv") return groupsCsv(await summarize(table, by ?? ["tool"]), by ?? ["tool"]);
  const overview = await makeOverview(table, reading, by === undefined ? WAYS : [by]);
  return format === "html" ? reportHtml(overview) : reportText(overview);
}

async function writeAnswer(table: EventTable, sql: string, format: Format): Promise<string> {
  const { columns, rows } = await table.ask(sql).catch((error: unknown) => {
    if (error instanceof RefusedQuery) throw new UsageError(`--sql: ${error.message}`);
    throw error;
  });
  if (format === "json") return visibleJson(JSON.stringify(rows, null, 2));
  const cells = rows.map((row) => columns.map((name) => row[name]));
  if (format === "csv") return writeCsv(columns, cells);
  const shown = cells.map((line) =>
    line.map((cell) =>
      cell === null ? "" : printable(typeof cell === "object" ? JSON.stringify(cell) : String(cell)),
    ),
  );
  return writeTable(columns.map(printable), shown, (column) =>
    rows.some((row) => typeof row[columns[column] ?? ""] === "string"),
  );
}
