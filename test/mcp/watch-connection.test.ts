import { expect, test } from "vitest";
import { watchConnection } from "../../src/mcp/watch-connection.ts";
import type { CallRecord } from "../../src/model/call-watch.ts";

test("calls that are not answered when the connection ends are heard of once, and those that were are not again", () => {
  const heard: unknown[] = [];
  const calls = watchConnection({
    current: () => ({ identity: { name: "s", version: "1" }, knows: () => true }),
    watcher: {
      begin: ({ tool }) => ({ end: ({ channel, error }: CallRecord) => void heard.push([tool, channel, error]) }),
    },
    report: () => {},
  });
  const come = (id: number, name: string) => calls.came({ jsonrpc: "2.0", id, method: "tools/call", params: { name } });
  come(1, "taken");
  come(2, "refused");
  come(3, "left");
  come(3, "left_too");
  calls.take(1)?.reply({ isError: false, text: "{}" });
  calls.answered({ jsonrpc: "2.0", id: 2, error: { code: -32602, message: "no" } });
  calls.ended();
  calls.ended();
  expect(heard).toStrictEqual([
    ["taken", null, null],
    ["refused", "protocol", "invalid_params"],
    ["left", "protocol", "unanswered"],
    ["left_too", "protocol", "unanswered"],
  ]);
});
