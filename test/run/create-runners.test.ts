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
    return sent.map(({ url }) => /example\.([a-d])\b/.exec(url)?.[1]);
  };
  return { outside, sentBy, answer: () => waiting.shift()?.() };
}

test("the parts of a toolset share the requests that its upstream takes at once, in turn among their callers", async () => {
  const { confirm: _, ...first } = confirmTool();
  const tools: Tool[] = [first, { ...first, name: "set_other" }];
  const plain = toolsetOf(tools);
  const whole: Toolset = { ...plain, upstream: { ...plain.upstream, concurrency: 1 } };
  const { outside, sentBy, answer } = openOutside();
  const open = createRunners(whole, { env: { KEY: "sk-live-0123456789" } }, outside);
  const [one, other] = tools.map((tool) => open({ ...whole, tools: [tool] }));
  await Promise.all([one!.loadCalls(), other!.loadCalls()]);
  const by = (id: string): Caller => ({ id, key: { account: id }, signal: new AbortController().signal });
  const calls = [
    one!.call("set_address", { zone: "example.a" }, by("ann")),
    one!.call("set_address", { zone: "example.b" }, by("ann")),
    one!.call("set_address", { zone: "example.c" }, by("ann")),
  ];
  await sentBy(1);
  calls.push(other!.call("set_other", { zone: "example.d" }, by("bob")));
  answer();
  await sentBy(2);
  answer();
  await sentBy(3);
  answer();
  expect((await sentBy(4)).toSorted()).toEqual(["a", "b", "c", "d"]);
  answer();
  expect((await Promise.all(calls)).map(({ isError }) => isError)).toEqual([false, false, false, false]);
  expect((await sentBy(4)).indexOf("d")).toBeLessThan(3);
});
