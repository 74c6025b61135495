import { UnknownTool } from "../../model/errors.ts";
import type { Caller, Identity, RunEvent, ToolReply } from "../../model/exchange.ts";
import { exposeToolset } from "../../model/group/expose-toolset.ts";
import type { Json } from "../../model/json.ts";
import type { Tool, Toolset } from "../../model/tool.ts";
import type { SecretHider } from "../../run/hide-secrets.ts";
import type { Runner } from "../../run/run-tool.ts";
import type { TriedReply, TryAnswer, TryRequest } from "../../web/page-data.ts";
import { PageRefusal } from "../../web/page-refusal.ts";
import { callAgreed } from "../commands/call-agreed.ts";
import type { DryRun } from "../commands/dry-run.ts";
import { inEveryState } from "../toolset/in-every-state.ts";
import { markReply } from "./mark-reply.ts";
import { measureText } from "./measure-apart.ts";
import { runsOf } from "./runs-of.ts";
import { cutBytes, tellExchanges, tellRequests } from "./tell-exchanges.ts";

/** What a person at the page tries tools with. */
export interface Trying {
  /** As they see it now. */
  readonly seen: Toolset;
  readonly who: Identity;
  /** The very path of an agent's calls. */
  readonly call: Runner["call"];
  readonly hider: SecretHider;
  /** Of upstream answers only what they cost is told. */
  readonly withholds: boolean;
  /** A runner of the same tools that sends nothing. */
  openDry(seen: Toolset): { readonly runner: Pick<Runner, "call">; readonly dryRun: DryRun; close(): Promise<void> };
}

/**
 * Tries a tool: one that only reads is called as an agent calls it; of any other the requests are shown that it would begin with, and nothing is sent.
 * Throws `PageRefusal` for a tool that is not there.
 */
export async function tryTool(asked: TryRequest, trying: Trying, signal: AbortSignal): Promise<TryAnswer> {
  const tool = exposeToolset(trying.seen).tools.find(({ name }) => name === asked.tool);
  if (tool === undefined) throw new PageRefusal(404, "unknown_tool", "There is no such tool.");
  const start = performance.now();
  const chosen = chooseTool(tool, asked);
  const isRun = chosen === undefined || runsOf(chosen, trying.seen) === "tries";
  const goesOn = chosen?.plan.kind === "steps";
  const tried = await (isRun ? run(asked, trying, signal) : show(asked, trying, signal, goesOn)).catch(
    (error: unknown) => {
      // Tools come and go with what the upstream says.
      if (error instanceof UnknownTool) throw new PageRefusal(404, "unknown_tool", "There is no such tool any more.");
      throw error;
    },
  );
  return { ...tried, ms: Math.round(performance.now() - start) };
}

type Tried = Omit<TryAnswer, "ms">;

/** Of a group the action that is named; undefined where it is none, and then nothing is called. */
function chooseTool(tool: Tool, { arguments: args }: TryRequest): Tool | undefined {
  if (tool.plan.kind !== "group") return tool;
  const { discriminator, actions } = tool.plan;
  const named = args[discriminator];
  const isNamed = ([action, one]: (typeof actions)[number]): boolean =>
    action === named || (typeof named === "string" && one.group?.aliases?.includes(named) === true);
  return actions.find(isNamed)?.[1];
}

async function run(asked: TryRequest, trying: Trying, signal: AbortSignal): Promise<Tried> {
  const events: RunEvent[] = [];
  const caller: Caller = {
    ...trying.who,
    signal,
    // Whatever was found out of the tool before, nothing else is sent.
    onlyReads: true,
    showsAnswers: true,
    observe: (event) => void events.push(event),
  };
  const reply = await trying.call(asked.tool, asked.arguments, caller);
  const { upstream, ...told } = await tellExchanges(events, trying.hider, trying.withholds);
  const notes = [
    ...(told.exchanges.length === 0 && reply.isError ? ["The call was refused before anything was sent."] : []),
    ...(trying.withholds && told.exchanges.length > 0
      ? ["This server does not show what the upstream answered, beside what the tool makes of it."]
      : []),
  ];
  return {
    kind: "ran",
    reply: tellReply(reply),
    ...told,
    cost: { reply: await measureText(reply.text), upstream },
    notes,
  };
}

async function show(asked: TryRequest, trying: Trying, signal: AbortSignal, goesOn: boolean): Promise<Tried> {
  // Where nothing is sent, the upstream does not say in what state it is.
  const { runner, dryRun, close } = trying.openDry(inEveryState(trying.seen));
  try {
    let shownFrom = 0;
    const agreeing = (): void => {
      // The reads above the question are sent again for what is then done.
      shownFrom = dryRun.requests.length;
    };
    const reply = await callAgreed(runner, asked.tool, asked.arguments, { ...trying.who, signal }, agreeing);
    const told = tellRequests(dryRun.requests.slice(shownFrom), trying.hider);
    const nothing = { tokens: 0, bytes: 0 };
    const isRefused = reply.isError && dryRun.requests.length === 0;
    return {
      kind: "shown",
      ...(isRefused && { reply: tellReply(reply) }),
      ...told,
      cost: { reply: isRefused ? await measureText(reply.text) : nothing, upstream: nothing },
      notes: isRefused
        ? ["The call was refused before anything would be sent."]
        : [
            "Nothing was sent: the page never writes. An agent's call would begin with these requests.",
            ...(goesOn || reply.isError ? ["Requests that are made of what the upstream answers are not shown."] : []),
          ],
    };
  } finally {
    await close();
  }
}

const MOST_OF_REPLY = 256_000;

function tellReply(reply: ToolReply): TriedReply {
  const text = cutBytes(reply.text, MOST_OF_REPLY);
  const isCut = text.length < reply.text.length;
  const value = isCut ? undefined : parse(text);
  const blocks = reply.isError ? [] : (reply.blocks ?? []);
  return {
    isError: reply.isError,
    text,
    ...(value !== undefined && { value }),
    isCut,
    marks: value === undefined || reply.isError ? [] : markReply(value),
    blocks: blocks.map((block) => ({
      mediaType: block.mimeType,
      bytes: Buffer.byteLength(block.type === "image" ? block.data : block.blob, "base64"),
    })),
  };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
