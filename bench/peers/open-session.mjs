// A session of 2025-11-25 over HTTP with a peer, and the one tool of it that lists the items.
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { greetingOf, headersOf, messageOf } from "../calls/messages.mjs";

const ERA = "2025-11-25";
const MOST_MS = 20_000;
const ANSWER_MS = 5_000;

/** Until something listens. */
export async function waitForPort(port, ended) {
  const begin = performance.now();
  while (performance.now() - begin < MOST_MS) {
    if (await answers(port)) return;
    if (await Promise.race([ended.then(() => true), wait(50)])) throw new Error("It ended before it listened.");
  }
  throw new Error(`It does not listen within ${MOST_MS} ms.`);
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** What each further request carries, and the name of the tool. Throws where a call is not answered as Streamable HTTP says. */
export async function openSession(url, expect) {
  const post = (body, headers) =>
    fetch(url, {
      method: "POST",
      headers: { ...headersOf(ERA), ...headers },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  const [hello, ready] = greetingOf(ERA);
  const greeted = await post(hello);
  if (!(await greeted.text()).includes("serverInfo")) throw new Error(`initialize is answered ${greeted.status}.`);
  const session = greeted.headers.get("mcp-session-id");
  const headers = session === null ? {} : { "mcp-session-id": session };
  await (await post(ready, headers)).text();
  const listed = await (await post(messageOf(ERA, 1, "tools/list"), headers)).text();
  const name = itemsTool(listed);
  const called = await post(messageOf(ERA, 2, "tools/call", { name, arguments: {} }), headers);
  const text = await called.text();
  if (!text.includes(expect))
    throw new Error(`tools/call is answered ${called.status} with ${text.slice(0, 80) || "nothing"}.`);
  return { headers, name };
}

/** The name of the tool that lists the items, in a list as text. One peer leaves out vowels. */
export function itemsTool(listed) {
  const name = /"name":"([^"]*li?st[-_]?items[^"]*)"/i.exec(listed)?.[1];
  if (name === undefined) throw new Error("No tool lists the items.");
  return name;
}
