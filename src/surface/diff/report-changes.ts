import type { Json } from "../../model/json.ts";
import type { Problem, Severity } from "../../model/problem.ts";
import type { FindingReport, ReportFinding } from "../formats/report.ts";
import type { ChangeClass, ChangeRule, DiffFinding } from "./change.ts";
import { CHANGE_CLASSES, CLASS_SEVERITIES } from "./change.ts";
import { CHANGE_RULES } from "./change-rules.ts";
import type { Suppressed, Suppression } from "./suppressions.ts";

/** From which class on a difference fails. UNKNOWN counts as breaking, so that `unknown` is but another word for it. */
export const FAIL_ON: ReadonlyMap<string, readonly ChangeClass[]> = new Map<string, readonly ChangeClass[]>([
  ["breaking", ["BREAKING", "UNKNOWN"]],
  ["unknown", ["BREAKING", "UNKNOWN"]],
  ["behaviour", ["BREAKING", "UNKNOWN", "BEHAVIOUR"]],
  ["any", CHANGE_CLASSES],
  ["none", []],
]);

const NOTICES: readonly (ChangeRule & { readonly level: Severity })[] = [
  notice("suppression_expired", "A suppression is over", "Mend what it accepted, or give it a new date."),
  notice("suppression_unmatched", "A suppression that nothing needs", "Take it out of the file."),
];

function notice(rule: string, title: string, remedy: string) {
  const why = "What is accepted should be known.";
  return { rule, class: "BEHAVIOUR", level: "warning", title, why, remedy } as const;
}

export interface DiffOutcome extends Suppressed<DiffFinding> {
  /** As the user typed them. */
  readonly base: string;
  readonly head: string;
  /** The file of `head`: subject of what is about no tool. */
  readonly file: string;
  /** Of both sides. */
  readonly tools: readonly string[];
  readonly failing: readonly ChangeClass[];
  /** Errors of `head`, without the parts of which it is compared. */
  readonly problems: readonly Problem[];
  /** Why causes are not known, where they are not. */
  readonly doubt?: string;
}

/** The differences for every format, the worst first; what fails is an error there as well. */
export function reportChanges(outcome: DiffOutcome, version: string): FindingReport {
  const { left, expired, unmatched, file, tools, failing, problems } = outcome;
  const told = new Set<string>();
  const changes = inOrder(left).map((change) => {
    const isFirst = !told.has(change.rule);
    told.add(change.rule);
    return describe(change, { isFirst, file, failing });
  });
  const notices = [
    ...expired.map((one) => describeNotice(one, "suppression_expired", `${nameOf(one)} held until ${one.until}.`)),
    ...unmatched.map((one) => describeNotice(one, "suppression_unmatched", `No change fits ${nameOf(one)}.`)),
  ];
  const findings = [...problems.map((one) => describeProblem(one, file)), ...changes, ...notices];
  const rules = [...CHANGE_RULES.map((rule) => ({ ...rule, level: CLASS_SEVERITIES[rule.class] })), ...NOTICES];
  const codes = [...new Set(problems.map(({ code }) => code))];
  return {
    title: "vitrine diff",
    version,
    summary: summarize(outcome),
    rules: [
      ...rules.map(({ rule, title, why, remedy, level }) => ({ id: rule, title, help: `${why} ${remedy}`, level })),
      ...codes.map((id) => ({ id, title: "An error of the curation", level: "error" as const })),
    ],
    findings,
    subjects: [...new Set([...tools, ...findings.map(({ subject }) => subject)])],
  };
}

function inOrder(findings: readonly DiffFinding[]): DiffFinding[] {
  const rank = ({ class: one }: DiffFinding): number => CHANGE_CLASSES.indexOf(one);
  return findings.toSorted((a, b) => rank(a) - rank(b));
}

interface Telling {
  /** Why and what to do are told once a rule. */
  readonly isFirst: boolean;
  readonly file: string;
  readonly failing: readonly ChangeClass[];
}

function describe(change: DiffFinding, { isFirst, file, failing }: Telling): ReportFinding {
  const rule = isFirst ? CHANGE_RULES.find((one) => one.rule === change.rule) : undefined;
  const values = [
    ["before", change.before],
    ["after", change.after],
  ] as const;
  return {
    rule: change.rule,
    level: failing.includes(change.class) ? "error" : CLASS_SEVERITIES[change.class],
    label: change.class,
    subject: change.tool ?? file,
    path: change.path,
    message: change.message,
    details: [
      ...values.flatMap(([name, value]) =>
        isTold(value, change.message) ? [] : [[name, JSON.stringify(value)] as const],
      ),
      ["cause", change.cause],
      ...(rule === undefined
        ? []
        : ([
            ["why", rule.why],
            ["what to do", rule.remedy],
          ] as const)),
    ],
    file: change.file,
    line: change.line,
  };
}

/** What a sentence tells need not be told again, nor long texts, of which it tells the piece that differs. */
function isTold(value: Json, message: string): boolean {
  const text = JSON.stringify(value);
  return value === null || text.length > LONG || message.includes(text) || message.includes(String(value));
}

const LONG = 200;

function describeProblem({ code, severity, message, hint, line, column, ...at }: Problem, file: string): ReportFinding {
  const details = hint === undefined ? [] : ([["what to do", hint]] as const);
  return { rule: code, level: severity, subject: file, message, details, file: at.file, line, column };
}

function describeNotice({ file, line, reason }: Suppression, rule: string, message: string): ReportFinding {
  return { rule, level: "warning", subject: file, message, details: [["reason", reason]], file, line };
}

function nameOf({ rule, tool, path }: Suppression): string {
  return [`the suppression of ${rule}`, ...(tool ? [`of ${tool}`] : []), ...(path ? [`at ${path}`] : [])].join(" ");
}

function summarize({ left, accepted, base, head, doubt, problems }: DiffOutcome): string {
  const counts = CHANGE_CLASSES.map((one) => [one, left.filter((change) => change.class === one).length] as const);
  const words = counts.flatMap(([one, count]) => (count > 0 ? [`${count} ${one}`] : []));
  const found = words.length === 0 ? `no difference${accepted.length > 0 ? " left" : ""}` : words.join(", ");
  const rest = accepted.length === 0 ? "" : ` (${accepted.length} suppressed)`;
  const unsure = left.some(({ cause }) => cause === "unknown") && doubt !== undefined ? ` ${doubt}` : "";
  const broken = problems.length === 0 ? "" : " HEAD does not compile and is compared without what is wrong.";
  return `${base} → ${head}: ${found}${rest}.${unsure}${broken}`;
}
