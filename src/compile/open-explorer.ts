import type { Curation } from "../curation/format.ts";
import { type Api, isFault, type OperationEntry } from "../model/api.ts";
import type { ExploredOperation, Explorer, OpenedOperation } from "../model/explorer.ts";
import { once } from "../model/once.ts";
import { namesOf } from "./compile-toolset.ts";
import { compileOperation } from "./explore/compile-operation.ts";
import { outlineText } from "./explore/outline-text.ts";
import { gather } from "./gather-calls.ts";
import { openReport } from "./open-report.ts";
import { planPins } from "./pins/plan-pins.ts";
import { outlineSchema } from "./reply/outline-schema.ts";
import type { ToolContext } from "./tool-context.ts";
import { credentialPlaces } from "./upstream/build-credentials.ts";
import { buildUpstream } from "./upstream/build-upstream.ts";
import { isSafe } from "./words/annotate-tool.ts";
import { clipWords } from "./words/clip-words.ts";
import { asSentence } from "./words/plain-text.ts";

/** How many compiled operations are kept. */
const KEEP = 200;
const SUMMARY_CHARACTERS = 120;
const DESCRIPTION_CHARACTERS = 600;
/** What no client library sends. */
const UNSENT = new Set(["TRACE"]);

/** One that answers at once. */
export interface OpenExplorer extends Explorer {
  has(operation: ExploredOperation): boolean;
  open(operation: ExploredOperation): OpenedOperation | undefined;
}

/** What the three tools of `explore` look into: the curation's API, under the curation's own pins, credentials, pages and limits. */
export function openExplorer(curation: Curation, api: Api): OpenExplorer {
  const { content } = curation;
  const pins = planPins(content.pins ?? {});
  const credentials = credentialPlaces(content.api, api);
  const structured = { ...curation, content: { ...content, server: { ...content.server, structured: true } } };
  const names = namesOf(curation, pins.length > 0);
  const context: ToolContext = {
    curation: structured,
    api,
    names,
    pins,
    credentials,
    readOnly: true,
    comparable: false,
  };
  const upstream = once(() => buildUpstream(content.api, api, [], openReport(curation)));
  const entries = new Map<ExploredOperation, OperationEntry>();
  for (const entry of api.index)
    if (isSafe(entry) && !UNSENT.has(entry.method)) entries.set(exploredOperation(entry, api), entry);
  const opened = new Map<ExploredOperation, OpenedOperation>();
  const known = new Map<ExploredOperation, boolean>();
  return {
    operations: [...entries.keys()],
    has: (operation) => known.get(operation) ?? openOnce(operation) !== undefined,
    open: openOnce,
  };

  function openOnce(operation: ExploredOperation): OpenedOperation | undefined {
    const entry = entries.get(operation);
    if (entry === undefined || known.get(operation) === false) return undefined;
    const found = opened.get(operation) ?? open(entry);
    known.set(operation, found !== undefined);
    if (found === undefined) return undefined;
    const [oldest] = opened.keys();
    if (oldest !== undefined && opened.size >= KEEP && !opened.has(operation)) opened.delete(oldest);
    opened.set(operation, found);
    return found;
  }

  function open(entry: OperationEntry): OpenedOperation | undefined {
    const operation = api.read(entry);
    if (isFault(operation)) return undefined;
    const compiled = compileOperation(operation, context);
    if (compiled === undefined) return undefined;
    const { name, pageTokenTtl } = content.server;
    const toolset = {
      version: 1 as const,
      server: {
        name,
        instructions: "",
        structured: content.server.structured ?? true,
        ...(pageTokenTtl !== undefined && { pageTokenTtlMs: pageTokenTtl }),
      },
      upstream: upstream(),
      pins: pins.map((pin) => ({ name: pin.name, value: pin.value })),
      ...gather([compiled], { entities: [], calls: [] }, { states: [], calls: [] }, [], undefined),
    };
    const outline = outlineText(outlineSchema(compiled.shown, api));
    const isList = compiled.tool.shape.kind === "list";
    const words = [operation.summary, operation.description]
      .filter((text) => text !== undefined)
      .filter((text) => text !== "");
    const said = new Set(words.length > 1 ? words.map(asSentence) : words);
    return {
      toolset,
      description: clipWords([...said].join("\n\n"), DESCRIPTION_CHARACTERS),
      returns: isList ? `list of ${outline || "values"}` : outline,
    };
  }
}

/** The name is what `Api.find` finds it by: an operationId that several have names none of them. */
function exploredOperation(entry: OperationEntry, api: Api): ExploredOperation {
  const { id, key, method, path, tags } = entry;
  return {
    name: id !== undefined && id !== "" && api.find(id) === entry ? id : key,
    method,
    path,
    tags,
    summary: clipWords(entry.summary ?? descriptionOf(entry, api), SUMMARY_CHARACTERS),
  };
}

/** Where an operation has no summary; what is broken has none either. */
function descriptionOf(entry: OperationEntry, api: Api): string {
  const operation = api.read(entry);
  return isFault(operation) ? "" : (operation.description ?? "");
}
