import { type Api, isFault, type Operation } from "../../model/api.ts";
import { nearestNames } from "../../model/nearest.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";

/** The operation that a tool names. An unknown one is an error with the nearest names, a broken one is the spec's fault. */
export function selectOperation(reference: string, at: EntryPath, api: Api, report: Report): Operation | undefined {
  const entry = api.find(reference) ?? api.find(normalKey(reference));
  if (entry === undefined) {
    const doubled = api.index.filter(({ id }) => id === reference).map(({ key }) => `"${key}"`);
    if (doubled.length > 1) {
      const message = `\`${reference}\` is an ambiguous operationId: ${doubled.length} operations have it.`;
      report.add("error", "ambiguous_operation", at, message, `Write ${doubled.join(" or ")}.`);
    } else {
      const message = `The spec has no operation \`${reference}\`.`;
      report.add("error", "unknown_operation", at, message, nearestOperation(reference, api));
    }
    return undefined;
  }
  const operation = api.read(entry);
  if (!isFault(operation)) return operation;
  const hint = "The tool is left out; the spec has to be mended.";
  report.add(
    "error",
    "spec_fault",
    at,
    `\`${reference}\` is broken in the spec at ${operation.pointer}: ${operation.fault}`,
    hint,
  );
  return undefined;
}

/** `get  /v1/things` is meant for `GET /v1/things`. */
function normalKey(reference: string): string {
  const [, method, path] = /^\s*([A-Za-z]+)\s+(\/\S*)\s*$/.exec(reference) ?? [];
  return method === undefined ? reference : `${method.toUpperCase()} ${path}`;
}

function nearestOperation(reference: string, api: Api): string | undefined {
  const isKey = reference.includes("/") && reference.includes(" ");
  const names = api.index.flatMap(({ id, key }) => (isKey || id === undefined ? [key] : [id]));
  const near = nearestNames(isKey ? normalKey(reference) : reference, names);
  return hintFor(near, near.length === 0 ? names : []);
}
