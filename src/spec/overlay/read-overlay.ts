import { UnreadableInput } from "../../model/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Problem, Severity } from "../../model/problem.ts";
import { pointerTo } from "../locate.ts";
import { createLocator } from "../locate-pointer.ts";
import { parseBytes } from "../parse-bytes.ts";
import { textOf } from "../read-field.ts";
import { compileQuery, type Query } from "./query-path.ts";

export interface Overlay {
  readonly version: "1.0" | "1.1";
  readonly extends?: string;
  readonly actions: readonly Action[];
  /** As of `ParsedBytes`. */
  readonly mayHaveIds: boolean;
}

/** One action whose paths were understood; `pointer` is where it stands. */
export interface Action {
  readonly pointer: string;
  readonly target: Query;
  readonly targetText: string;
  readonly change:
    | { readonly kind: "remove" }
    | { readonly kind: "update"; readonly value: Json }
    | { readonly kind: "copy"; readonly source: Query };
}

/** Notes a finding at a place of the overlay. */
export type Note = (severity: Severity, code: string, pointer: string, message: string, hint?: string) => void;

export interface OverlayReport {
  readonly problems: Problem[];
  readonly note: Note;
}

/** Reads an overlay as far as it is sound; what is wrong with it is noted. */
export function readOverlay(source: string, bytes: Uint8Array): { overlay: Overlay; report: OverlayReport } {
  const nothing: Overlay = { version: "1.1", actions: [], mayHaveIds: false };
  let parsed: ReturnType<typeof parseBytes>;
  try {
    parsed = parseBytes(source, bytes);
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    return { overlay: nothing, report: openReport(source, undefined, [unparsed(source, error.message)]) };
  }
  const report = openReport(source, parsed.text);
  const { value } = parsed;
  if (isJsonObject(value)) return { overlay: readRoot(value, parsed.mayHaveIds(), report.note), report };
  report.note("error", BROKEN, "#", "This is no overlay: it holds no object.");
  return { overlay: nothing, report };
}

const BROKEN = "overlay_broken";

// YAML reads an unquoted `1.0` as the number 1.
const VERSION = /^1(?:\.([01])(?:\.\d+)?)?$/;

function readRoot(root: JsonObject, mayHaveIds: boolean, note: Note): Overlay {
  checkKeys(root, ["overlay", "info", "extends", "actions"], "#", note);
  const stated = VERSION.exec(String(root.overlay ?? ""));
  if (stated === null)
    note("error", BROKEN, "#/overlay", "`overlay` does not say a version that can be read.", "Write 1.0.0 or 1.1.0.");
  if (!isJsonObject(root.info))
    note("warning", "overlay_invalid", "#/info", "An overlay has an `info` with title and version.");
  const { actions } = root;
  if (!Array.isArray(actions) || actions.length === 0)
    note("error", BROKEN, "#/actions", "`actions` is not a list of at least one action.");
  const target = textOf(root, "extends");
  const version = stated !== null && stated[1] !== "1" ? "1.0" : "1.1";
  return {
    version,
    ...(target !== undefined && { extends: target }),
    mayHaveIds,
    actions: (Array.isArray(actions) ? actions : []).flatMap(
      (action: Json, index) => readAction(action, pointerTo("#/actions", index), version, note) ?? [],
    ),
  };
}

function readAction(action: Json, pointer: string, version: Overlay["version"], note: Note): Action | undefined {
  if (!isJsonObject(action)) {
    note("error", BROKEN, pointer, "An action is an object with a `target`.");
    return undefined;
  }
  const keys = ["target", "description", "update", "remove", ...(version === "1.0" ? [] : ["copy"])];
  checkKeys(action, keys, pointer, note);
  const targetText = textOf(action, "target") ?? "";
  const target = readQuery(targetText, pointerTo(pointer, "target"), note);
  const change = readChange(action, pointer, version, note);
  return target === undefined || change === undefined ? undefined : { pointer, target, targetText, change };
}

function readChange(
  action: JsonObject,
  pointer: string,
  version: Overlay["version"],
  note: Note,
): Action["change"] | undefined {
  const { remove, update, copy } = action;
  if (remove !== undefined && typeof remove !== "boolean")
    note("error", BROKEN, pointerTo(pointer, "remove"), "`remove` is neither true nor false.");
  if (remove === true) return { kind: "remove" };
  if (update !== undefined && copy !== undefined && version === "1.1")
    note("warning", "overlay_no_effect", pointer, "`update` and `copy` in one action take each other's effect.");
  else if (update !== undefined) return { kind: "update", value: update };
  else if (typeof copy === "string" && version === "1.1") {
    const source = readQuery(copy, pointerTo(pointer, "copy"), note);
    return source === undefined ? undefined : { kind: "copy", source };
  } else if (copy !== undefined && version === "1.1")
    note("error", BROKEN, pointerTo(pointer, "copy"), "`copy` is not a JSONPath.");
  else
    note(
      "warning",
      "overlay_no_effect",
      pointer,
      "This action changes nothing: it has neither `update` nor `remove: true`.",
    );
  return undefined;
}

function readQuery(text: string, pointer: string, note: Note): Query | undefined {
  const query = compileQuery(text);
  if (!("fault" in query)) return query;
  note("error", BROKEN, pointer, `${JSON.stringify(text)} is not a JSONPath (RFC 9535): ${query.fault}.`);
  return undefined;
}

function checkKeys(object: JsonObject, known: readonly string[], pointer: string, note: Note): void {
  for (const name of Object.keys(object)) {
    if (known.includes(name) || name.startsWith("x-")) continue;
    const [near] = nearestNames(name, known);
    const hint = near === undefined ? undefined : `Did you mean \`${near}\`?`;
    note("warning", "overlay_unknown_key", pointerTo(pointer, name), `Overlays know no \`${name}\` here.`, hint);
  }
}

function openReport(source: string, text: string | undefined, problems: Problem[] = []): OverlayReport {
  let locate: ReturnType<typeof createLocator> | undefined;
  return {
    problems,
    note: (severity, code, pointer, message, hint) => {
      locate ??= createLocator(text);
      problems.push({ code, severity, file: source, ...locate(pointer), message, ...(hint !== undefined && { hint }) });
    },
  };
}

function unparsed(source: string, message: string): Problem {
  const rest = message.startsWith(`${source}:`) ? message.slice(source.length + 1) : message;
  const [, line = "1", column = "1", reason = rest.trim()] = /^(\d+):(\d+): (.*)$/s.exec(rest) ?? [];
  return {
    code: BROKEN,
    severity: "error",
    file: source,
    line: Number(line),
    column: Number(column),
    message: `The overlay is ${reason}`,
  };
}
