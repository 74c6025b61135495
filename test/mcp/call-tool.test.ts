import { describe, expect, test } from "vitest";
import { callTool } from "../../src/mcp/call-tool.ts";
import type { Generation } from "../../src/mcp/make-generation.ts";
import type { OpenCall } from "../../src/mcp/open-call.ts";
import type { Caller, ToolReply } from "../../src/model/exchange.ts";

const ask = (token: string): ToolReply => ({
  isError: false,
  text: "{}",
  confirmation: { question: `Really ${token}?`, token },
});
const DONE: ToolReply = { isError: false, text: '{"done":true}' };

/** A client of 2025-11-25 over stdio that answers yes to all it is asked, and a tool that replies so, one after the other. */
async function run(
  replies: readonly ToolReply[],
  answer: unknown = { action: "accept", content: { confirm: true } },
  watched?: OpenCall,
) {
  const callers: Caller[] = [];
  const asked: string[] = [];
  const caller = {
    async call(_: string, __: unknown, by: Caller) {
      callers.push(by);
      return replies[callers.length - 1] ?? DONE;
    },
  };
  const mcpReq = {
    signal: new AbortController().signal,
    requestState: () => undefined,
    notify: async () => {},
    async send({ params }: { params: { message: string } }) {
      asked.push(params.message);
      return answer;
    },
  };
  const server = { getClientCapabilities: () => ({ elicitation: {} }) };
  const reported: unknown[] = [];
  const result = await callTool(
    { name: "t" },
    server as never,
    { mcpReq } as never,
    { caller, structured: true } as unknown as Generation,
    { key: {}, report: (error) => reported.push(error), ...(watched && { watched }) },
  );
  const [first] = (result as { content: { text: string }[] }).content;
  return {
    asked,
    confirmed: callers.map(({ confirmed }) => confirmed),
    text: JSON.parse(first?.text ?? "") as unknown,
  };
}

test("what watches a call is told of the reply, and the answer goes out when it is ready for that", async () => {
  const heard: string[] = [];
  let ready = (): void => {};
  const reply = (): Promise<void> => {
    heard.push("reply");
    return new Promise((resolve) => {
      ready = resolve;
    });
  };
  const answer = run([DONE], undefined, { observe: () => {}, reply, fail: () => {} }).then(() => heard.push("answer"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toStrictEqual(["reply"]);
  ready();
  await answer;
  expect(heard).toStrictEqual(["reply", "answer"]);
});

describe("a person is asked while a call waits", () => {
  test.each<[what: string, replies: readonly ToolReply[], asked: number, want: unknown]>([
    ["not where nothing is asked", [DONE], 0, { done: true }],
    ["once", [ask("a")], 1, { done: true }],
    ["again where what was asked about has changed", [ask("a"), ask("b")], 2, { done: true }],
    [
      "three times at most",
      [ask("a"), ask("b"), ask("c"), ask("d"), ask("e")],
      3,
      { error: "confirmation_required", message: expect.stringContaining("had changed") },
    ],
  ])("%s", async (_, replies, count, want) => {
    const { asked, confirmed, text } = await run(replies);
    expect(asked).toStrictEqual(["a", "b", "c"].slice(0, count).map((token) => `Really ${token}?`));
    expect(confirmed).toStrictEqual([undefined, ...["a", "b", "c"].slice(0, count)]);
    expect(text).toMatchObject(want as object);
  });

  test("and no answer is told as such", async () => {
    const { confirmed, text } = await run([ask("a")], Promise.reject(new Error("nobody there")));
    expect(confirmed).toStrictEqual([undefined]);
    expect(text).toMatchObject({ error: "confirmation_required", message: expect.stringContaining("no answer") });
  });

  test.each<[answer: unknown, want: object]>([
    [{ action: "decline" }, { confirmation: { answer: "declined" } }],
    [{ action: "cancel" }, { confirmation: { answer: "dismissed" } }],
    [{ action: "accept" }, { confirmation: { answer: "declined" } }],
    [{ action: "accept", content: { confirm: "true" } }, { confirmation: { answer: "declined" } }],
    [{ action: "decline", content: { confirm: true } }, { confirmation: { answer: "declined" } }],
    [{ action: "shrug", content: { confirm: true } }, { confirmation: { answer: "declined" } }],
  ])("and what is no yes does nothing: %j", async (answer, want) => {
    const { confirmed, text } = await run([ask("a")], answer);
    expect([confirmed, text]).toMatchObject([[undefined], want]);
  });
});
