import { readFileSync } from "node:fs";
import { type Api, isFault, type SpecFault } from "../model/api.ts";
import { isUrl } from "../model/is-url.ts";
import { type JsonObject, ownValue } from "../model/json.ts";
import type { Problem, Severity } from "../model/problem.ts";
import { findBrokenRefs } from "./find-broken-refs.ts";
import { findDoubledKeys } from "./find-doubled-keys.ts";
import { isRefusal } from "./further-documents.ts";
import { documentOf } from "./load-api.ts";
import { documentIdOf } from "./locate.ts";
import { createLocator } from "./locate-pointer.ts";
import type { SpecDocument } from "./read-document.ts";
import { validateDocument } from "./validate-document.ts";

const MAX_FINDINGS = 20;
const DEADLINE_MS = 10_000;

/**
 * What is wrong with the spec itself, never more than a warning: `spec_fault` where our own reading of an operation or of a `$ref` fails,
 * `spec_doubled_key` where an object says one name twice (the last counts), `spec_invalid` what @readme/openapi-parser finds,
 * `spec_not_validated` (a note) where that could not be asked. At most twenty of a kind.
 */
export async function checkSpec(api: Api, options: { readonly deadlineMs?: number } = {}): Promise<Problem[]> {
  const document = documentOf(api);
  if (document === undefined) return [];
  let faults = findFaults(api, document);
  while (await api.fetchPending()) faults = findFaults(api, document);
  const doubled = sourcesOf(document).flatMap(({ source, text }) =>
    findDoubledKeys(text ?? readAgain(source)).map(({ key, line, column }) =>
      problem(
        source,
        "spec_doubled_key",
        "warning",
        `${JSON.stringify(key)} stands twice in one object; the last one counts.`,
        {
          line,
          column,
        },
      ),
    ),
  );
  const invalid = await findInvalid(document, options.deadlineMs ?? DEADLINE_MS);
  return [...locateFaults(faults, document), ...limited(doubled), ...invalid];
}

function findFaults(api: Api, document: SpecDocument): SpecFault[] {
  const faults = new Map<string, SpecFault>();
  const note = (fault: SpecFault) =>
    faults.set(`${fault.pointer} ${fault.fault}`, faults.get(`${fault.pointer} ${fault.fault}`) ?? fault);
  for (const entry of api.index) {
    const operation = api.read(entry);
    if (isFault(operation)) note({ ...operation, fault: `${entry.key}: ${operation.fault}` });
  }
  const told = new Set([...faults.values()].map((fault) => fault.pointer));
  for (const fault of findBrokenRefs(document)) if (!told.has(fault.pointer)) note(fault);
  return [...faults.values()];
}

interface Source {
  readonly id: string;
  readonly source: string;
  readonly text?: string;
}

function sourcesOf(document: SpecDocument): Source[] {
  return [{ ...document, id: "" }, ...document.further.opened()];
}

/** The text of a file that was too large to be kept. */
function readAgain(source: string): string {
  try {
    return isUrl(source) ? "" : readFileSync(source, "utf8");
  } catch {
    return "";
  }
}

/** Each at its line, in the file where it stands. */
function locateFaults(faults: readonly SpecFault[], document: SpecDocument): Problem[] {
  const locators = new Map<string, ReturnType<typeof createLocator>>();
  const shown = faults.map(({ fault, pointer }, at) => {
    const id = documentIdOf(pointer);
    const further = id === "" ? document : document.further.read(id);
    const { source, text } = isRefusal(further) ? document : further;
    const locate = locators.get(id) ?? createLocator(text);
    locators.set(id, locate);
    // Those beyond the limit are only counted.
    const place = at < MAX_FINDINGS ? locate(pointer.slice(id.length)) : START;
    return problem(source, "spec_fault", "warning", `${fault} At ${pointer}.`, place);
  });
  return limited(shown);
}

async function findInvalid(document: SpecDocument, deadlineMs: number): Promise<Problem[]> {
  const { source, further } = document;
  const note = (why: string) => [problem(source, "spec_not_validated", "note", why)];
  if (document.version === "3.2")
    return note("OpenAPI 3.2 is not known to the validator, so the spec was not validated.");
  if (further.files().length > 0)
    return note("The spec is of several documents and the validator takes one, so it was not validated.");
  const verdict = await validateDocument(withTextVersion(document), deadlineMs);
  if ("unable" in verdict) return note(`The spec was not validated: ${verdict.unable}`);
  return limited(verdict.messages.map((message) => problem(source, "spec_invalid", "warning", firstLine(message))));
}

/** YAML reads an unquoted `3.1` as a number, and the validator asks it as a text. */
function withTextVersion({ root, version }: SpecDocument): JsonObject {
  const key = version === "2.0" ? "swagger" : "openapi";
  return typeof ownValue(root, key) === "string" ? root : { ...root, [key]: version };
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

function problem(source: string, code: string, severity: Severity, message: string, at = START): Problem {
  return { code, severity, message: message.replaceAll(/\s+/g, " ").slice(0, 500), file: source, ...at };
}
