import { haveUnleash, startUnleash } from "../../test/setup/unleash.ts";
import { seedWeek } from "../../test/unleash/seed-week.ts";
import type { Flow } from "./flow.ts";
import { openPlainTools } from "./plain-tools.ts";
import { play, type Script } from "./server.ts";
import { openVitrineTools } from "./vitrine-tools.ts";

const DAY_MS = 86_400_000;

const ours: Script = async (call) => {
  await call("unleash_what_changed", { project: "shop" });
};

/** By an agent that knows the filters of this server and asks for pages as long as it gives. */
const plain: Script = async (call) => {
  const since = new Date(Date.now() - 7 * DAY_MS).toISOString().slice(0, 10);
  await call("getProjectOverview", { projectId: "shop" });
  const events = { project: "IS:shop", from: `IS:${since}`, limit: 100 };
  for (let offset = 0, total = 1; offset < total; offset += 100)
    total = (await call("searchEvents", { ...events, offset })).json.total;
  await call("searchFeatures", { project: "IS:shop", createdAt: `IS_ON_OR_AFTER:${since}`, limit: 100 });
  await call("getSegments", {});
};

export const unleash: Flow = {
  task: "What changed in the project shop this week?",
  isPossible: haveUnleash,
  measure: async () => {
    const upstream = await startUnleash();
    await seedWeek(upstream);
    const env = { UNLEASH_URL: upstream.url, UNLEASH_TOKEN: upstream.token };
    const server = await openVitrineTools(["curation/unleash.yaml"], env);
    try {
      const endpoints = openPlainTools("specs/unleash.json", upstream.url, { authorization: upstream.token });
      return { ours: await play(server, ours), plain: await play(endpoints, plain) };
    } finally {
      await server.close();
      await upstream.stop();
    }
  },
};
