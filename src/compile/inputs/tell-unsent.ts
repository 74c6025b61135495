import { refuseHeader } from "../../curation/place.ts";
import type { Parameter } from "../../model/api.ts";
import type { EntryPath, Report } from "../open-report.ts";
import type { Target } from "../places/request-places.ts";

/** What the client that sends a request writes into it, said or not. */
const WRITTEN = new Set(["host", "connection", "content-length", "content-type", "user-agent"]);

/** Whether the client writes this parameter by itself, so that nothing has to fill it. */
export function isWritten({ in: where, name }: Pick<Parameter, "in" | "name">): boolean {
  return where === "header" && WRITTEN.has(name.toLowerCase());
}

/** Without one of these the request is another one: a whole in place of a part, a POST in place of what was meant. A cookie lets in. */
const NEEDED = /^(cookie|content-range|x-http-method.*|x-method-override|x-original-url|x-rewrite-url)$/i;

/** Whether nobody can fill a header, and the request means the same without. */
export function isUnsent({ in: where, name }: Pick<Parameter, "in" | "name">): boolean {
  return where === "header" && refuseHeader(name) !== undefined && !NEEDED.test(name);
}

/** Says of a header that the spec requires and nobody may send, that it is not sent: most APIs answer without. */
export function tellUnsent(parameter: Parameter, at: EntryPath, { operation }: Target, report: Report): void {
  if (!parameter.required || isWritten(parameter)) return;
  const message = `\`header.${parameter.name}\` is required by \`${operation.id ?? operation.key}\`, and is not sent.`;
  report.add("note", "header_unsent", [...at, "operation"], message, refuseHeader(parameter.name)?.fault);
}
