import { describe, expect, test } from "vitest";
import type { CallBegun, CallRecord, CallWatcher } from "../../src/model/call-watch.ts";
import type { RunEvent, UpstreamRequest } from "../../src/model/exchange.ts";
import { joinWatchers } from "../../src/telemetry/join-watchers.ts";

const begun: CallBegun = { server: "s", tool: "t", known: true, transport: "pipe", meta: {} };
const upstream = { ms: 0, calls: 0, bytes: 0 };
const record: CallRecord = { ms: 1, channel: null, error: null, bytesIn: 0, bytesOut: 0, rowsOmitted: 0, upstream };
const request: UpstreamRequest = {
  operation: "GET /a",
  method: "GET",
  url: "https://a.example/a",
  headers: [],
  safe: true,
};
const sent: RunEvent = { type: "request", tool: "t", request };

function hearing(name: string, heard: string[], headers?: UpstreamRequest["headers"]): CallWatcher {
  return {
    begin: () => {
      heard.push(`${name} begin`);
      return {
        observe: ({ type }) => void heard.push(`${name} ${type}`),
        ...(headers && { headers: () => headers }),
        end: () => void heard.push(`${name} end`),
      };
    },
  };
}

const boom = () => {
  throw new Error("full");
};
const BROKEN: [what: string, watcher: CallWatcher, thrown: number][] = [
  ["at the beginning", { begin: boom }, 1],
  ["at everything after it", { begin: () => ({ observe: boom, headers: boom, end: boom }) }, 3],
];

describe("joined watchers", () => {
  test("are each told of everything, in their order", () => {
    const heard: string[] = [];
    const watch = joinWatchers([hearing("a", heard), hearing("b", heard)], boom).begin(begun);
    watch.observe?.(sent);
    watch.end(record);
    expect(heard).toStrictEqual(["a begin", "b begin", "a request", "b request", "a end", "b end"]);
  });

  test("ask for headers only where one of them has any, and give those of all", () => {
    const both = joinWatchers([hearing("a", [], [["x", "1"]]), hearing("b", []), hearing("c", [], [["y", "2"]])], boom);
    expect(both.begin(begun).headers?.(request)).toStrictEqual([
      ["x", "1"],
      ["y", "2"],
    ]);
    expect(joinWatchers([hearing("a", []), hearing("b", [])], boom).begin(begun)).not.toHaveProperty("headers");
  });

  test.each(BROKEN)("are told though another throws %s, and that is reported", (_, broken, thrown) => {
    const [heard, reported]: [string[], unknown[]] = [[], []];
    const joined = joinWatchers([broken, hearing("b", heard, [["x", "1"]])], (error) => reported.push(error));
    const watch = joined.begin(begun);
    watch.observe?.(sent);
    expect(watch.headers?.(request)).toStrictEqual([["x", "1"]]);
    watch.end(record);
    expect(heard).toStrictEqual(["b begin", "b request", "b end"]);
    expect(reported).toHaveLength(thrown);
  });

  test.each<[ends: readonly ("nothing" | "soon" | "fails")[], waits: boolean, reported: number]>([
    [["nothing", "nothing"], false, 0],
    [["nothing", "soon"], true, 0],
    [["soon", "nothing", "soon"], true, 0],
    [["fails", "soon", "soon"], true, 1],
    [["soon", "fails", "fails"], true, 2],
  ])("are all waited for, where there is anything to wait for: %j", async (ends, waits, reported) => {
    const errors: unknown[] = [];
    let told = 0;
    const tells: (() => void)[] = [];
    const watchers = ends.map(
      (how): CallWatcher => ({
        begin: () => ({
          end() {
            if (how === "nothing") return undefined;
            if (how === "fails") return Promise.reject(new Error("full"));
            return new Promise<void>((resolve) => tells.push(resolve)).then(() => {
              told += 1;
            });
          },
        }),
      }),
    );
    const end = joinWatchers(watchers, (error) => errors.push(error))
      .begin(begun)
      .end(record);
    expect(end !== undefined).toBe(waits);
    const tellInTurn = async (): Promise<void> => {
      for (const tell of tells) {
        await new Promise((resolve) => setImmediate(resolve));
        tell();
      }
    };
    void tellInTurn();
    await end;
    expect([told, errors.length]).toStrictEqual([tells.length, reported]);
  });

  test("are the only one where there is one", () => {
    const only = hearing("a", []);
    expect(joinWatchers([only], boom)).toBe(only);
  });
});
