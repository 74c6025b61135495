import type { PageCalls, PageData, PageFault, TryAnswer, TryRequest } from "../page-data.ts";
import { AskFailed } from "./ask-failed.ts";

/** Whom the page asks. The key lives in this object alone: in no address, storage or cookie. */
export interface Server {
  /** Of a host. */
  readonly name?: string;
  readonly base: string;
  readonly key?: string;
}

export const SERVED: Server = { base: "/page/api" };
export const hosted = (name: string, key: string): Server => ({
  name,
  base: `/page/api/${encodeURIComponent(name)}`,
  key,
});

export const askData = (server: Server): Promise<PageData> => askJson(server, "data", {});
export const askCalls = (server: Server): Promise<PageCalls> => askJson(server, "calls", {});

export function askTry(server: Server, asked: TryRequest, signal: AbortSignal): Promise<TryAnswer> {
  const headers = { "content-type": "application/json" };
  return askJson(server, "try", { method: "POST", headers, body: JSON.stringify(asked), signal });
}

/** The stream of changes; throws `AskFailed`. */
export async function askChanges(server: Server, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { body } = await ask(server, "changes", { headers: { accept: "text/event-stream" }, signal });
  if (body === null) throw new AskFailed(0, "The server sent no stream.");
  return body;
}

async function askJson<T>(server: Server, part: string, init: RequestInit): Promise<T> {
  const answer = await ask(server, part, init);
  return (await answer.json()) as T;
}

async function ask({ base, key }: Server, part: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
  const answer = await fetch(`${base}/${part}`, {
    ...init,
    headers,
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new AskFailed(0, "The server does not answer.");
  });
  if (!answer.ok) throw new AskFailed(answer.status, await readFault(answer));
  return answer;
}

async function readFault(answer: Response): Promise<string> {
  const fault = (await answer.json().catch(() => undefined)) as Partial<PageFault> | undefined;
  const message = fault?.error?.message;
  return typeof message === "string" ? message : `The server answered ${answer.status}.`;
}
