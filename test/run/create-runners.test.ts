import { expect, test } from "vitest";
import type { EgressRequest } from "../../src/egress/open-egress.ts";
import type { Caller } from "../../src/model/exchange.ts";
import type { Tool, Toolset } from "../../src/model/tool.ts";
import { createRunners, type Outside } from "../../src/run/run-tool.ts";
import { confirmTool, toolsetOf } from "./confirm/confirm-fixture.ts";

/** An upstream that answers when it is told to. */
function openOutside() {
  const sent: EgressRequest[] = [];
  const waiting: (() => void)[] = [];
  async function* body() {
    yield Buffer.from("{}");
  }
  const outside: Outside = {
    egress: {
      async request(request) {
        sent.push(request);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return {
          status: 200,
          headers: new Map([["content-type", "application/json"]]),
          url: request.url,
          body: body(),
        };
      },
      close: async () => {},
    },
    authorize: async (request) => ({ request, secrets: [] }),
    observe: () => {},
    report: () => {},
    now: () => new Date("2026-11-30T12:00:00Z"),
  };
  const sentBy = async (most: number) => {
    await expect.poll(() => sent.length, { timeout: 10_000 }).toBe(most);
    return sent.map(({ url }) => /example\.([a-c])\b/.exec(url)?.[1]);
  };
  return { outside, sentBy, answer: () => waiting.shift()?.() };
}

test("the parts of a toolset share the requests that its upstream takes at once, in turn among their callers", async () => {
  const { confirm: _, ...tool } = confirmTool();
  const tools: Tool[] = [tool, { ...tool, name: "set_other" }];
  const plain = toolsetOf(tools);
  const whole: Toolset = { ...plain, upstream: { ...plain.upstream, concurrency: 1 } };
  const { outside, sentBy, answer } = openOutside();
  const open = createRunners(whole, { env: { KEY: "sk-live-0123456789" } }, outside);
  const [one, other] = tools.map((own) => open({ ...whole, tools: [own] }));
  await Promise.all([one!.loadCalls(), other!.loadCalls()]);
  const by = (id: string): Caller => ({ id, key: { account: id }, signal: new AbortController().signal });
  const first = one!.call("set_address", { zone: "example.a" }, by("ann"));
  await sentBy(1);
  // Her nine others wait before he comes: in the order of asking he would be the last.
  const hers = Array.from({ length: 9 }, () => one!.call("set_address", { zone: "example.b" }, by("ann")));
  const his = other!.call("set_other", { zone: "example.c" }, by("bob"));
  for (const sent of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) {
    answer();
    await sentBy(sent);
  }
  answer();
  const replies = await Promise.all([first, ...hers, his]);
  expect(replies.filter(({ isError }) => isError)).toEqual([]);
  expect((await sentBy(11)).indexOf("c")).toBeLessThan(10);
});
