import { callOf, postMessage, readAnswer } from "../../setup/post-message.ts";

export interface Answer {
  readonly status: number;
  /** What the tool replied; of an answer that is no reply, its text. */
  readonly reply: Reply;
}

export interface Reply {
  readonly [name: string]: unknown;
  readonly data?: readonly { readonly id: string }[];
  readonly nextPageToken?: string;
  readonly confirmation?: { readonly confirm: string };
  readonly error?: string;
}

/** Calls a tool as a client that keeps nothing; `url` is the whole URL of a server. Rejects where the connection breaks. */
export async function call(url: string, key: string, name: string, args: object = {}): Promise<Answer> {
  const answer = await postMessage(url, `Bearer ${key}`, callOf(name, args));
  const text = await answer.text();
  const { status } = answer;
  if (status !== 200) return { status, reply: { text } };
  const { result } = readAnswer(text);
  return { status, reply: result === undefined ? { text } : JSON.parse(result.content[0].text) };
}
