import type { Problem } from "../../model/problem.ts";
import { checkSpec } from "../../spec/check-spec.ts";
import { type Command, parseCommand } from "../command.ts";
import { compileCuration } from "../toolset/compile-curation.ts";
import { findingsJson, formatFindings, sortFindings } from "./format-findings.ts";

const HELP = `vitrine check CURATION: find mistakes in a curation and its spec

  --json        print the findings as JSON: [{code, severity, file, line, column, message, hint}]
  --strict      exit 1 also where there are only warnings
  --root DIR    the folder that bounds the files a curation names (default: the parent of its folder)

Exit codes: 0 no error, 1 errors found, 2 unreadable input.`;

export const check: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "CURATION",
      options: {
        json: { type: "boolean", default: false },
        strict: { type: "boolean", default: false },
        root: { type: "string" },
      },
      later: ["spec", "format", "output"],
    });
    const found: Problem[] = [];
    const request = { file: positionals[0] ?? "", root: values.root, readOnly: false };
    const { problems } = await compileCuration(request, {
      look: async (api) => {
        found.push(...(await checkSpec(api)));
      },
    });
    const findings = sortFindings([...problems, ...found]);
    if (values.json) shell.print(findingsJson(findings));
    else if (findings.length > 0) shell.print(formatFindings(findings, shell.colour));
    if (!values.json) shell.note(countWords(findings));
    return findings.some(({ severity }) => severity === "error" || (values.strict && severity === "warning")) ? 1 : 0;
  },
};

function countWords(findings: readonly Problem[]): string {
  const count = (severity: Problem["severity"]): string => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return `${number} ${severity}${number === 1 ? "" : "s"}`;
  };
  return `${count("error")}, ${count("warning")}, ${count("note")}.`;
}
