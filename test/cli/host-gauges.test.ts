import { describe, expect, test } from "vitest";
import { countResting } from "../../src/cli/host/count-resting.ts";
import { type Generations, hostGauges } from "../../src/cli/host/host-gauges.ts";
import { openMetrics } from "../../src/telemetry/open-metrics.ts";
import { readPrometheus } from "../telemetry/prometheus-text.ts";

function open(isShared: boolean) {
  const [now, generations, resting] = [
    { isDegraded: false, replicas: 3 },
    { served: 1, isLast: true } as Generations,
    countResting(),
  ];
  const state = { isDegraded: () => now.isDegraded, replicas: () => now.replicas };
  const metrics = openMetrics({ version: "1", gauges: hostGauges({ state, isShared, generations, resting }) });
  /** What of a host is not of its calls: by name, and by server where there are several. */
  const read = (): Record<string, number> =>
    Object.fromEntries(
      [...readPrometheus(metrics.text())].flatMap(([name, { type, samples }]) =>
        type !== "gauge" || /build_info|under_way/.test(name)
          ? []
          : samples.map(({ labels, value }) => [
              [name.slice("vitrine_".length), labels["server"]].join(" ").trim(),
              value,
            ]),
      ),
    );
  return { now, generations, resting, read };
}

describe("what /metrics says of a host", () => {
  test("is how it shares, which files it serves, and which upstreams rest", () => {
    const { now, generations, resting, read } = open(true);
    const shop = resting.open("shop");
    expect(read()).toStrictEqual({
      shared_up: 1,
      replicas: 3,
      generation: 1,
      files_served: 1,
      "upstreams_resting shop": 0,
    });
    shop.tell("https://a.example", 1_000);
    shop.tell("https://b.example", 1_000);
    shop.tell("https://a.example", 2_000);
    Object.assign(now, { isDegraded: true, replicas: 2 });
    Object.assign(generations, { served: 4, isLast: false });
    expect(read()).toStrictEqual({
      shared_up: 0,
      replicas: 2,
      generation: 4,
      files_served: 0,
      "upstreams_resting shop": 2,
    });
  });

  test("says nothing of sharing where nothing is shared", () => {
    expect(Object.keys(open(false).read())).toStrictEqual(["generation", "files_served"]);
  });

  test("forgets an upstream that answers again, and a server that is served no more", () => {
    const { resting, read } = open(false);
    const [before, next] = [resting.open("shop"), resting.open("shop")];
    before.tell("https://a.example", 1_000);
    next.tell("https://a.example", 1_000);
    expect(read()["upstreams_resting shop"]).toBe(1);
    before.tell("https://a.example", 0);
    before.close();
    expect(read()["upstreams_resting shop"]).toBe(1);
    next.tell("https://a.example", 0);
    expect(read()["upstreams_resting shop"]).toBe(0);
    next.close();
    expect(read()).not.toHaveProperty("upstreams_resting shop");
  });
});
