import { resolve } from "node:path";
import type { Curation } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import { UnreadableInput } from "../../model/errors.ts";
import { isUrl } from "../../model/is-url.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import type { Toolset } from "../../model/tool.ts";
import { checkSpec } from "../../spec/check-spec.ts";
import { measureEndpoints } from "../../surface/endpoint-tools.ts";
import { visibleText } from "../../surface/formats/visible-text.ts";
import { toolsByKey } from "../../surface/lint/tool-keys.ts";
import type { ToolProblem } from "../../surface/lint/waivers.ts";
import type { PageCost, PageFinding } from "../../web/page-data.ts";
import { findProblems } from "../check/find-problems.ts";
import { sortFindings } from "../commands/format-findings.ts";
import { compileCuration } from "../toolset/compile-curation.ts";
import { digestFile } from "../toolset/digest-file.ts";
import type { ToolsetRequest } from "../toolset/toolset-request.ts";
import type { ToolEntryFacts } from "./describe-tools.ts";
import { openExcerpts } from "./open-excerpts.ts";

/** What is to be seen of a curation beyond its toolset: plain data, which a thread can hand over. */
export interface PageLook {
  readonly findings: readonly PageFinding[];
  readonly furtherFindings: number;
  readonly endpoints?: NonNullable<PageCost["endpoints"]>;
  /** By the name of the tool. */
  readonly entries: readonly (readonly [tool: string, facts: ToolEntryFacts])[];
  readonly isBroken: boolean;
  /** The files that it was made from, by absolute path, with SHA-256 as they are then. */
  readonly files: readonly (readonly [path: string, sha256: string | undefined])[];
}

export type LookRequest = Pick<ToolsetRequest, "file" | "root" | "explored">;

const MOST_FINDINGS = 500;

/** Compiles and checks the curation as it stands in its files, and measures its spec. It takes seconds of a large one, so it is done apart. */
export async function lookAtCuration({ file, root, explored }: LookRequest): Promise<PageLook> {
  const request: ToolsetRequest = { file, root, readOnly: false, ...(explored !== undefined && { explored }) };
  const seen: Seen = { entries: [], files: new Set([resolve(file)]), isBroken: true };
  const problems = await (explored === undefined ? check(request, seen) : checkSpecAlone(request, seen)).catch(
    (error: unknown) => [unreadable(error, file)],
  );
  const excerpt = openExcerpts(seen.files);
  const findings = sortFindings(problems);
  return {
    findings: findings.slice(0, MOST_FINDINGS).map((problem) => tellFinding(problem, excerpt)),
    furtherFindings: Math.max(0, findings.length - MOST_FINDINGS),
    ...(seen.endpoints !== undefined && { endpoints: seen.endpoints }),
    entries: seen.entries,
    isBroken: seen.isBroken,
    files: [...seen.files].map((path) => [path, digestFile(path)]),
  };
}

interface Seen {
  endpoints?: NonNullable<PageCost["endpoints"]>;
  entries: readonly (readonly [string, ToolEntryFacts])[];
  readonly files: Set<string>;
  isBroken: boolean;
}

async function check(request: ToolsetRequest, seen: Seen): Promise<readonly Problem[]> {
  const { problems } = await findProblems(request, {
    also: async ({ api, curation, toolset }) => {
      await noteApi(api, seen);
      seen.isBroken = toolset === undefined;
      if (toolset !== undefined) seen.entries = entriesOf(curation, toolset);
    },
  });
  return problems;
}

/** Without a curation there is nothing to check but the spec. */
async function checkSpecAlone(request: ToolsetRequest, seen: Seen): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  const compiled = await compileCuration(request, {
    errorsOnly: true,
    look: async (api, _, toolset) => {
      await noteApi(api, seen);
      seen.isBroken = toolset === undefined;
      found.push(...(await checkSpec(api)));
    },
  });
  return [...compiled.problems, ...found];
}

async function noteApi(api: Api, seen: Seen): Promise<void> {
  for (const { path } of api.files) if (!isUrl(path)) seen.files.add(resolve(path));
  const { operations, bytes, tokens, atLeast } = await measureEndpoints(api);
  seen.endpoints = { operations, bytes, tokens: tokens.o200k_base, isAtLeast: atLeast };
}

function entriesOf(curation: Curation, toolset: Toolset): Seen["entries"] {
  return [...toolsByKey(curation, toolset)].map(([key, { name }]) => {
    const examples = curation.content.tools[key]?.examples ?? [];
    const args = examples.map((example) => (example.args ?? {}) as JsonObject);
    return [name, { at: curation.locate(["tools", key]), examples: args }] as const;
  });
}

function unreadable(error: unknown, file: string): Problem {
  if (!(error instanceof UnreadableInput)) throw error;
  return { code: "unreadable", severity: "error", file, line: 1, column: 1, message: error.message };
}

function tellFinding(problem: ToolProblem, excerptAt: ReturnType<typeof openExcerpts>): PageFinding {
  const { code, severity, file, line, column, message, hint, tool } = problem;
  const excerpt = excerptAt(file, line);
  return {
    ...{ code, severity, file, line, column },
    message: visibleText(message),
    ...(hint !== undefined && { hint: visibleText(hint) }),
    ...(tool !== undefined && { tool }),
    ...(excerpt !== undefined && { excerpt }),
  };
}
