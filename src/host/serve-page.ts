import type { IncomingMessage, ServerResponse } from "node:http";
import { answerFault, answerJson } from "../mcp/answer-fault.ts";
import type { PageData, TryAnswer, TryRequest } from "../web/page-data.ts";
import { PageRefusal } from "../web/page-refusal.ts";
import type { Page, PagePart, PageSource } from "../web/serve-page.ts";
import { admitCaller } from "./admit-caller.ts";
import { beginListening } from "./begin-listening.ts";
import type { Refusal, VerifiedCaller } from "./hosting.ts";
import { logRequest, type Told } from "./log-request.ts";
import type { McpServing } from "./serve-mcp.ts";

export interface PageServing extends McpServing {
  readonly page: Page;
}

/** Answers one request of the page of a server: behind the same door, limits, admission and log as MCP. */
export function servePage(
  name: string,
  part: PagePart,
  request: IncomingMessage,
  response: ServerResponse,
  serving: PageServing,
): Promise<void> {
  return logRequest(name, response, serving, async (told: Told) => {
    const admitted = await admitCaller(name, request, serving);
    if (admitted.kind === "refused") return answerFault(response, admitted);
    const { caller } = admitted;
    told.key_id = caller.id;
    told.method = `page/${part}`;
    if (serving.held.served().servers.get(name)?.pageOf === undefined)
      return answerJson(response, 404, { error: NOT_FOUND });
    if (part === "changes" && !beginListening({ name, caller, request, response, serving }))
      return answerFault(response, TOO_MANY);
    await serving.page.serve(part, request, response, showCaller(name, caller, request, serving));
  });
}

const NOT_FOUND = { code: "not_found", message: "There is nothing here." };
const TOO_MANY = { status: 429, code: 1429, message: "Too many pages are open." };

function showCaller(
  name: string,
  caller: VerifiedCaller,
  request: IncomingMessage,
  { held, door, limiter, enter, now }: PageServing,
): PageSource {
  const { authorization } = request.headers;
  /** A stream lives longer than what it knew of its caller. */
  const callerNow = async (): Promise<VerifiedCaller> => {
    const answer = await door.verify({ server: name, authorization, now: now() });
    if (answer.kind === "refused") throw refusalOf(answer);
    return answer.caller;
  };
  const holding = async <T>(one: VerifiedCaller, use: (page: CallerPage) => Promise<T>): Promise<T> => {
    const hold = held.hold(name);
    try {
      const page = hold?.pageOf?.(one);
      if (page === undefined) throw new PageRefusal(404, NOT_FOUND.code, NOT_FOUND.message);
      return await use(page);
    } finally {
      hold?.done();
    }
  };
  return {
    data: async (): Promise<PageData> => holding(await callerNow(), (page) => page.data()),
    async tryTool(asked: TryRequest, signal: AbortSignal): Promise<TryAnswer> {
      const entry = held.served().host.servers.get(name);
      const refused = entry && (await limiter.call(caller, entry));
      if (refused !== undefined) throw refusalOf(refused);
      const entered = await enter?.(name, `${caller.kind} ${caller.id}`, signal);
      if (entered?.kind === "refused") throw refusalOf(entered);
      try {
        return await holding(caller, (page) => page.tryTool(asked, signal));
      } finally {
        entered?.leave();
      }
    },
    onChange: (listener) => held.onChange(name, listener),
  };
}

type CallerPage = Pick<PageSource, "data" | "tryTool">;

function refusalOf({ status, code, message, headers }: Refusal): PageRefusal {
  return new PageRefusal(status, code, message, headers);
}
