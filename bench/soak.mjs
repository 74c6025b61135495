// Full load for a while: whether memory grows, whether anything fails, and how late the event loop is. node bench/all.mjs MINUTES soak
import { setTimeout as wait } from "node:timers/promises";
import { envOf, ITEMS } from "./calls/compare-calls.mjs";
import { connect } from "./calls/connect.mjs";
import { ERAS } from "./calls/messages.mjs";
import { openServer, openUpstream } from "./calls/open-server.mjs";
import { withServers } from "./calls/servers.mjs";
import { median, quantile, runAlone, table } from "./measure.mjs";

/** Of each era. */
const AT_ONCE = 16;
/** Of so many calls one has a body of 1 MB. */
const BIG_EVERY = 100;
const SAMPLE_MS = 5_000;
/** The share of the time in which code is compiled and caches fill. */
const WARM_UP = 0.25;
const RESAMPLES = 1_000;
const CALLS = [
  { params: { name: "items_list_items", arguments: {} }, expect: "Item 11 of" },
  { params: { name: "items_list_many", arguments: {} }, expect: "Item 11 of" },
];
const TARGET = `Target: less than 1 MB an hour, no error, event loop p99 under 50 ms. What the bounds of a slope leave open a longer run tells.`;

export function soak(minutes) {
  return withServers({}, async ({ serversOf, home }) => {
    const upstream = await openUpstream();
    const vitrine = serversOf("http", ITEMS).find(({ kind }) => kind === "vitrine");
    const server = await openServer(vitrine, "http", { env: envOf(upstream.url, home), asks: "state" });
    const end = performance.now() + minutes * 60_000;
    const load = { calls: 0, errors: [] };
    const clients = await Promise.all(ERAS.map((era) => connect(server, "http", era, AT_ONCE)));
    const callers = clients.flatMap((client) => Array.from({ length: AT_ONCE }, () => callUntil(end, client, load)));
    const samples = [];
    while (performance.now() < end) {
      await wait(SAMPLE_MS);
      samples.push({ hours: performance.now() / 3_600_000, ...(await server.state()) });
    }
    await Promise.all(callers);
    for (const client of clients) await client.close();
    await server.close();
    upstream.close();
    const counted = samples.slice(Math.floor(samples.length * WARM_UP));
    return `## Soak: ${minutes} minutes at full load\n\nOver HTTP, ${AT_ONCE} calls of each era at once, one of ${BIG_EVERY} with a body of 1 MB. Slopes are least squares over samples each ${SAMPLE_MS / 1000} s, the first quarter
left out, and lie between the bounds in 95 % of bootstrap samples; reachable is what a full collection leaves.\n\n${soakTable(load, counted)}\n\n${TARGET}`;
  });
}

async function callUntil(end, client, load) {
  while (performance.now() < end) {
    load.calls += 1;
    const { params, expect } = CALLS[load.calls % BIG_EVERY === 0 ? 1 : 0];
    try {
      const text = await client.ask("tools/call", params);
      if (!text.includes(expect)) load.errors.push(text.slice(0, 200));
    } catch (error) {
      load.errors.push(String(error));
    }
  }
}

function soakTable({ calls, errors }, samples) {
  const slope = (key) => {
    const [all, low, high] = slopeOf(samples, key);
    return [`${all.toFixed(1)}`, `${low.toFixed(1)} to ${high.toFixed(1)}`];
  };
  const over = (key) => samples.map((sample) => sample[key]);
  const rows = [
    ["calls", calls.toLocaleString("en"), ""],
    ["errors", errors.length, errors[0] ?? ""],
    ["resident, MB", median(over("resident")).toFixed(0), `at most ${Math.max(...over("resident")).toFixed(0)}`],
    ["resident, MB an hour", ...slope("resident")],
    ["reachable, MB", median(over("heap")).toFixed(1), `at most ${Math.max(...over("heap")).toFixed(1)}`],
    ["reachable, MB an hour", ...slope("heap")],
    ["event loop late, p50 ms", median(over("p50")).toFixed(1), ""],
    [
      "event loop late, p99 ms",
      median(over("p99")).toFixed(1),
      `of the worst 5 s: ${quantile(over("p99"), 0.999).toFixed(1)}`,
    ],
  ];
  return table(["", "", ""], rows);
}

/** With the bounds of 95 % of bootstrap samples. */
function slopeOf(samples, key) {
  const drawn = Array.from({ length: RESAMPLES }, () =>
    leastSquares(
      samples.map(() => samples[Math.floor(Math.random() * samples.length)]),
      key,
    ),
  );
  return [leastSquares(samples, key), quantile(drawn, 0.025), quantile(drawn, 0.975)];
}

function leastSquares(samples, key) {
  const mean = (name) => samples.reduce((sum, sample) => sum + sample[name], 0) / samples.length;
  const [x, y] = [mean("hours"), mean(key)];
  const up = samples.reduce((sum, sample) => sum + (sample.hours - x) * (sample[key] - y), 0);
  const down = samples.reduce((sum, sample) => sum + (sample.hours - x) ** 2, 0);
  return up / down;
}

await runAlone(import.meta.url, soak);
