import { UnknownTool, UnreadableInput } from "../../model/errors.ts";
import type { RunEvent, ToolReply } from "../../model/exchange.ts";
import { exposeToolset } from "../../model/group/expose-toolset.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Toolset } from "../../model/tool.ts";
import { hideByStates } from "../../model/visible/hide-by-states.ts";
import type { SecretHider } from "../../run/hide-secrets.ts";
import { type Command, parseCommand, type Shell, UsageError } from "../command.ts";
import { EXPOSE_HELP, readExpose } from "../read-expose.ts";
import { AS_HELP, readKey, requestAs } from "../read-key.ts";
import { canServe } from "../toolset/can-serve.ts";
import { inEveryState } from "../toolset/in-every-state.ts";
import { loadToolset } from "../toolset/load-toolset.ts";
import { openRunner } from "../toolset/open-runner.ts";
import { readRequest } from "../toolset/spec-request.ts";
import { callAgreed } from "./call-agreed.ts";
import { openDryRun } from "./dry-run.ts";
import { showRequest } from "./show-request.ts";

const HELP = `vitrine call CURATION TOOL [JSON]: call one tool as a caller would, and print its reply
vitrine call --spec SPEC TOOL [JSON]: the same of an API without a curation: search_operations, describe_operation, call_operation

  JSON                 the arguments as one JSON object; - reads them from stdin
  --raw                print {reply, upstream, bytes, tokens}: the upstream's own answers beside the reply, and what both cost
  --dry-run            print the requests as JSON, credentials as ***, and send none
  --yes                agree to what a tool asks before it writes; without it such a tool only shows what it would send
  --base-url URL       with --spec: where the API is, where the spec does not say it
${EXPOSE_HELP}
${AS_HELP}
  --root DIR           the folder that bounds the files a curation names (default: the parent of its folder)

Exit codes: 0 a reply, 1 a tool error, 2 usage, unreadable input, or a setting is missing.`;

export const call: Command = {
  help: HELP,
  async run(args, shell) {
    const explores = args.some((arg) => arg === "--spec" || arg.startsWith("--spec="));
    const { values, positionals } = parseCommand(args, {
      positionals: explores ? "TOOL [JSON]" : "CURATION TOOL [JSON]",
      options: {
        raw: { type: "boolean", default: false },
        "dry-run": { type: "boolean", default: false },
        yes: { type: "boolean", default: false },
        as: { type: "string" },
        root: { type: "string" },
        spec: { type: "string" },
        "base-url": { type: "string" },
        expose: { type: "string" },
      },
    });
    if (values.raw && values["dry-run"])
      throw new UsageError("--raw shows answers, and --dry-run has none: choose one.");
    const [name = "", json] = explores ? positionals : positionals.slice(1);
    const input = readArguments(json === "-" ? await shell.readStdin() : json);
    const expose = readExpose(values.expose);
    const asked = {
      ...readRequest(explores ? undefined : positionals[0], values),
      servedOnly: true,
      ...(expose && { expose }),
    };
    const identity = await readKey(values.as);
    const request = requestAs(asked, identity);
    const key = identity.claims;
    const loaded = await loadToolset(request, shell.env);
    const { toolset, specIsLocal } = loaded;
    if (!(await canServe(loaded, shell)) || toolset === undefined) return 1;
    const events: RunEvent[] = [];
    const dryRun = values["dry-run"] ? openDryRun() : undefined;
    const { runner, hider, close } = openRunner({
      // Where nothing is sent, the upstream does not say in what state it is.
      toolset: dryRun === undefined ? toolset : inEveryState(toolset),
      specIsLocal,
      request,
      key,
      env: shell.env,
      report: (line) => shell.note(`vitrine: ${line}`),
      observe: (event) => {
        if (!asksState(event)) events.push(event);
      },
      ...(dryRun !== undefined && { around: dryRun.around }),
    });
    try {
      const caller = { key, signal: shell.signal, ...(values.raw && { showsAnswers: true as const }) };
      let shownFrom = 0;
      const agreeing = () => {
        // The reads above the question are sent again for what is then done.
        shownFrom = dryRun?.requests.length ?? 0;
      };
      const isAgreed = values.yes || dryRun !== undefined;
      const reply = await (isAgreed
        ? callAgreed(runner, name, input, caller, agreeing)
        : runner.call(name, input, caller));
      // A call that was refused before anything was planned has no requests to show.
      if (dryRun !== undefined && !(reply.isError && dryRun.requests.length === 0)) {
        if (isWorkflow(toolset, name) || reply.isError)
          shell.note("Requests that are made of what the upstream answers are not shown.");
        return printJson(
          dryRun.requests.slice(shownFrom).map((sent) => showRequest(sent, hider)),
          shell,
        );
      }
      if (!isAgreed && isUndecided(reply))
        shell.note("vitrine: nothing was done yet; call again with --yes to agree to it");
      await (values.raw ? printRaw(reply, events, hider, shell) : printReply(reply, shell));
      return reply.isError ? 1 : 0;
    } catch (error) {
      if (error instanceof UnknownTool) throw unknownTool(error, name, toolset);
      throw error;
    } finally {
      await close();
    }
  },
};

/** Which tools there are is asked beside the tool's own requests; no tool is called so. */
function asksState({ tool }: RunEvent): boolean {
  return tool.startsWith("states.");
}

function isWorkflow({ tools }: Toolset, name: string): boolean {
  const asked = tools.filter((tool) => tool.name === name || tool.group?.tool === name);
  return asked.some(({ plan }) => plan.kind === "steps");
}

/** Its token is of no use to a further call: it counts in this process alone. */
function isUndecided(reply: ToolReply): boolean {
  return reply.isError ? reply.error === "confirmation_required" : reply.confirmation !== undefined;
}

function readArguments(text = "{}"): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new UnreadableInput(`The arguments are not JSON: ${error instanceof Error ? error.message : error}`);
  }
  throw new UnreadableInput("The arguments are not a JSON object.");
}

function printJson(value: Json, shell: Shell): 0 {
  shell.print(JSON.stringify(value, null, 2));
  return 0;
}

async function printRaw(
  reply: ToolReply,
  events: readonly RunEvent[],
  hider: SecretHider,
  shell: Shell,
): Promise<void> {
  const { compareRaw } = await import("./compare-raw.ts");
  printJson(await compareRaw(reply, events, hider), shell);
}

function printReply(reply: ToolReply, shell: Shell): void {
  shell.print(reply.text);
  const blocks = reply.isError ? [] : (reply.blocks ?? []);
  for (const block of blocks) shell.note(`The reply also holds one ${block.type} block of type ${block.mimeType}.`);
}

function unknownTool(error: UnknownTool, name: string, toolset: Toolset): UsageError {
  const [nearest] = nearestNames(
    name,
    exposeToolset(hideByStates(toolset, new Set())).tools.map((tool) => tool.name),
  );
  return new UsageError(`${error.message}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`);
}
