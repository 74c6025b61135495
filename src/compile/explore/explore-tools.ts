import type { Curation } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import type { Input, Plan, Tool } from "../../model/tool.ts";
import type { Report } from "../open-report.ts";
import { inputSchema } from "../types/portable-schema.ts";
import { fillServer } from "../upstream/fill-server.ts";
import type { ToolNames } from "../words/tool-names.ts";

const SEARCH = "search_operations";
const DESCRIBE = "describe_operation";
export const CALL = "call_operation";

type Does = Extract<Plan, { kind: "explore" }>["does"];

const BUDGET = 25_000;
const DEADLINE_MS = 45_000;

/** The names of the three tools beside those of the curation's own. */
export function nameExploreTools(curation: Curation): ToolNames {
  const { explore, prefix = "" } = curation.content.server;
  return new Map(explore === true ? [SEARCH, DESCRIBE, CALL].map((name) => [name, `${prefix}${name}`]) : []);
}

/** Tools of the curation that are called as one of the three. */
export function checkExploreNames(curation: Curation, report: Report): void {
  for (const name of nameExploreTools(curation).keys()) {
    if (!Object.hasOwn(curation.content.tools, name)) continue;
    const message = `A server with \`explore\` has a tool \`${name}\` of its own.`;
    report.add("error", "name_clash", ["tools", name], message, "Call yours otherwise.");
  }
}

/** Three tools for any operation that only reads, where the curation asks for them. The operations themselves are compiled when they are called. */
export function exploreTools(curation: Curation, api: Api, report: Report): Tool[] {
  const names = nameExploreTools(curation);
  if (names.size === 0) return [];
  const { baseUrl, serverVariables } = curation.content.api;
  const server = fillServer(api, serverVariables);
  const isRemote = /^https?:\/\//i.test(api.source);
  if (baseUrl === undefined && server === "" && !isRemote) {
    const message = "The spec states no absolute server for the operations that `explore` finds.";
    report.add("error", "base_url_needed", ["api"], message, "Add `baseUrl`, or with `--spec` say `--base-url URL`.");
  }
  const say = (name: string) => `\`${names.get(name)}\``;
  const search: Words = {
    title: "Search operations",
    description: `Find read-only operations of the API by name, meaning or path. Next: ${say(DESCRIBE)} for what one takes.`,
    inputs: [
      textInput("query", "Words, for example pull request files. Empty lists all.", false),
      {
        name: "limit",
        required: false,
        type: { kind: "integer", minimum: 1, maximum: 50 },
        default: { kind: "literal", value: 10 },
      },
    ],
    unread: [textInput("pageToken", "nextPageToken of the reply before.", false)],
  };
  const describe: Words = {
    title: "Describe operation",
    description: `What one operation takes and gives back. Next: ${say(CALL)}.`,
    inputs: [textInput("operation", `As ${say(SEARCH)} names it.`, true)],
  };
  const call: Words = {
    title: "Call operation",
    description: `Call one read-only operation. Its arguments are those that ${say(DESCRIBE)} tells.`,
    inputs: [textInput("operation", `As ${say(SEARCH)} names it.`, true), ARGUMENTS],
  };
  const make = (name: string, does: Does, words: Words) => exploreTool(names.get(name) ?? name, does, words, server);
  return [make(SEARCH, "search", search), make(DESCRIBE, "describe", describe), make(CALL, "call", call)];
}

interface Words {
  readonly title: string;
  readonly description: string;
  readonly inputs: readonly Input[];
  /** Built-in inputs, which stand in the schema only. */
  readonly unread?: readonly Input[];
}

const ARGUMENTS: Input = {
  name: "arguments",
  required: false,
  type: {
    kind: "array",
    maxItems: 200,
    items: {
      kind: "object",
      properties: [
        { name: "name", wire: "name", required: true, type: { kind: "string" } },
        {
          name: "value",
          wire: "value",
          required: true,
          type: { kind: "string", description: "As text; lists and objects as JSON." },
        },
      ],
    },
  },
};

function textInput(name: string, description: string, required: boolean): Input {
  return { name, required, type: { kind: "string", description, maxLength: 2_000 } };
}

function exploreTool(name: string, does: Does, words: Words, server: string): Tool {
  const { title, description, inputs, unread = [] } = words;
  return {
    name,
    title,
    description,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: does === "call" },
    inputSchema: inputSchema([...inputs, ...unread]),
    inputs,
    plan: { kind: "explore", does, ...(does === "call" && server !== "" && { server }) },
    shape: { kind: "object", budget: BUDGET },
    errors: [],
    deadlineMs: DEADLINE_MS,
    tags: [],
  };
}
