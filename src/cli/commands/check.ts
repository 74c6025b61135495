import { PROFILE_NAMES } from "../../surface/apply-profile.ts";
import { findProblems } from "../check/find-problems.ts";
import { countWords, makeReport } from "../check/make-report.ts";
import { type Command, parseCommand } from "../command.ts";
import { readProfile } from "../read-profile.ts";
import { OUTPUT_HELP, OUTPUT_OPTIONS, readOutputs, writeOutputs } from "../report-output.ts";
import { findingsJson, formatFindings, sortFindings } from "./format-findings.ts";

const HELP = `vitrine check CURATION: find mistakes in a curation and its spec, and what misleads agents or clients

  --profile NAME        also what one client refuses or takes at a loss. NAME: ${PROFILE_NAMES.join(", ")}
  --spec NEW            drift: what would break, or be otherwise, with a newer spec (file or URL); nothing else is then told
${OUTPUT_HELP}
                        JSON: [{code, severity, file, line, column, message, hint}]
  --strict              exit 1 also where there are only warnings
  --root DIR            the folder that bounds the files a curation names (default: the parent of its folder)

A finding that is meant is waived by \`lint: {CODE: reason}\` on its tool or on \`server\`; it is then a note. Errors of the curation cannot be waived.

Exit codes: 0 no error, 1 errors found, 2 unreadable input.`;

export const check: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "CURATION",
      options: {
        ...OUTPUT_OPTIONS,
        strict: { type: "boolean", default: false },
        root: { type: "string" },
        profile: { type: "string" },
        spec: { type: "string" },
      },
    });
    const profile = readProfile(values.profile);
    const outputs = readOutputs(values);
    const file = positionals[0] ?? "";
    const request = { file, root: values.root, readOnly: false };
    const options = { ...(profile !== undefined && { profile }) };
    const checked = await (values.spec === undefined
      ? findProblems(request, options)
      : (await import("../drift/find-drift.ts")).findDrift(request, values.spec, options));
    const findings = sortFindings(checked.problems);
    const own = {
      text: (colour: boolean) => (findings.length === 0 ? "" : formatFindings(findings, colour)),
      json: () => findingsJson(findings),
    };
    writeOutputs(outputs, makeReport(findings, file, checked.tools), own, shell);
    if (outputs.format === "text") shell.note(countWords(findings));
    return findings.some(({ severity }) => severity === "error" || (values.strict && severity === "warning")) ? 1 : 0;
  },
};
