import { type Api, isFault, type SpecFault } from "../model/api.ts";
import type { Problem, Severity } from "../model/problem.ts";
import { findBrokenRefs } from "./find-broken-refs.ts";
import { documentOf } from "./load-api.ts";
import { createLocator } from "./locate-pointer.ts";
import type { SpecDocument } from "./read-document.ts";
import { validateDocument } from "./validate-document.ts";

const MAX_FINDINGS = 20;
const DEADLINE_MS = 10_000;

/**
 * What is wrong with the spec itself, never more than a warning: `spec_fault` where our own reading of an operation or of a `$ref` fails,
 * `spec_invalid` what @readme/openapi-parser finds, `spec_not_validated` (a note) where that could not be asked. At most twenty of a kind.
 */
export async function checkSpec(api: Api, options: { readonly deadlineMs?: number } = {}): Promise<Problem[]> {
  const document = documentOf(api);
  if (document === undefined) return [];
  const faults = findFaults(api, document);
  const invalid = await findInvalid(document, options.deadlineMs ?? DEADLINE_MS);
  return [...faults, ...invalid];
}

function findFaults(api: Api, document: SpecDocument): Problem[] {
  const faults = new Map<string, SpecFault>();
  const note = (fault: SpecFault) =>
    faults.set(`${fault.pointer} ${fault.fault}`, faults.get(`${fault.pointer} ${fault.fault}`) ?? fault);
  for (const entry of api.index) {
    const operation = api.read(entry);
    if (isFault(operation)) note({ ...operation, fault: `${entry.key}: ${operation.fault}` });
  }
  const told = new Set([...faults.values()].map((fault) => fault.pointer));
  for (const fault of findBrokenRefs(document)) if (!told.has(fault.pointer)) note(fault);
  const locate = faults.size === 0 ? undefined : createLocator(document);
  return limited(
    [...faults.values()].map(({ fault, pointer }) =>
      problem(document, "spec_fault", "warning", `${fault} At ${pointer}.`, locate?.(pointer)),
    ),
  );
}

async function findInvalid(document: SpecDocument, deadlineMs: number): Promise<Problem[]> {
  if (document.version === "3.2")
    return [
      problem(
        document,
        "spec_not_validated",
        "note",
        "OpenAPI 3.2 is not known to the validator, so the spec was not validated.",
      ),
    ];
  const verdict = await validateDocument(document.root, deadlineMs);
  if ("unable" in verdict)
    return [problem(document, "spec_not_validated", "note", `The spec was not validated: ${verdict.unable}`)];
  return limited(verdict.messages.map((message) => problem(document, "spec_invalid", "warning", firstLine(message))));
}

function limited(problems: readonly Problem[]): Problem[] {
  const [first] = problems;
  if (first === undefined || problems.length <= MAX_FINDINGS) return [...problems];
  const rest = problems.length - MAX_FINDINGS;
  return [
    ...problems.slice(0, MAX_FINDINGS),
    { ...first, line: 1, column: 1, severity: "note", message: `${rest} more of this kind.` },
  ];
}

// The rest of a message is an excerpt of the document.
function firstLine(message: string): string {
  return message.trim().split("\n")[0] ?? "";
}

const START = { line: 1, column: 1 };

function problem(document: SpecDocument, code: string, severity: Severity, message: string, at = START): Problem {
  return { code, severity, message: message.replaceAll(/\s+/g, " ").slice(0, 500), file: document.source, ...at };
}
