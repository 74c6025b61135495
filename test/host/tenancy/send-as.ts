import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type CanaryCaller, findLeaks } from "./canaries.ts";
import type { CanaryHost } from "./mix-calls.ts";

/** What of a host under test is the same however it runs: callers that send requests, and look at whatever they are shown. */
export function openCallers(
  urlOf: (server: string) => string,
  shows: (caller: CanaryCaller) => string,
): Pick<CanaryHost, "call" | "list" | "leave" | "answered" | "leaks"> {
  const leaks: string[] = [];
  let answered = 0;
  const send = async (caller: CanaryCaller, method: string, params: object, signal?: AbortSignal) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: caller.n, method, params });
    let answer: Answered;
    do {
      answer = await post(urlOf(caller.server), shows(caller), body, signal);
      answered += 1;
      leaks.push(...findLeaks(answer.head + answer.text, caller));
      // Nothing was done: on a machine that has much else to do it is said to come again.
      if (answer.status === 503) await wait(SOON_MS);
    } while (answer.status === 503);
    const { text } = answer;
    const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
    if (result === undefined) throw new Error(`${method} of ${caller.n}: ${JSON.stringify(error)}`);
    return result;
  };
  return {
    leaks,
    answered: () => answered,
    async call(caller, name, args = {}) {
      const result = await send(caller, "tools/call", { name, arguments: args });
      const text: string = result.content[0].text;
      return { text, structured: JSON.parse(text), isError: result.isError === true };
    },
    list: async (caller) => (await send(caller, "tools/list", {})).tools.map(({ name }: { name: string }) => name),
    leave: async (caller, name) => {
      const gone = new AbortController();
      const sent = send(caller, "tools/call", { name, arguments: {} }, gone.signal);
      setTimeout(() => gone.abort(), caller.n % 5);
      await sent.catch(() => {});
    },
  };
}

interface Answered {
  readonly status: number | undefined;
  readonly head: string;
  readonly text: string;
}

const SOON_MS = 100;
const agent = new Agent({ keepAlive: true });

/** Takes a third of the time that `fetch` takes, which counts over very many calls. */
function post(url: string, token: string, body: string, signal?: AbortSignal): Promise<Answered> {
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${token}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: "POST", headers, agent, ...(signal !== undefined && { signal }) },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode, head: response.rawHeaders.join("\n"), text }));
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
