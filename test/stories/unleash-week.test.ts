import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, openSession, type Session } from "../setup/clients.ts";
import { vitrine } from "../setup/program.ts";
import { haveUnleash, startUnleash, type Unleash } from "../setup/unleash.ts";
import { WEEK_FLAGS as FLAGS, seedWeek } from "../unleash/seed-week.ts";

const TOOL = "unleash_what_changed";

let unleash: Unleash;
let gate: Gate;
let session: Session;

interface Gate {
  readonly url: string;
  readonly asked: string[];
  /** Requests are held until so many are under way. */
  holdUntil: number;
  /** Paths that this token may not read. */
  forbidden: string | undefined;
  stop(): void;
}

/** Between vitrine and Unleash: passes on what comes, once as many requests as are waited for are here. */
async function startGate(upstream: string): Promise<Gate> {
  const waiting: (() => void)[] = [];
  const gate = { asked: [] as string[], holdUntil: 1, forbidden: undefined as string | undefined };
  const pass = (path: string, headers: IncomingHttpHeaders, response: ServerResponse) => {
    const { hostname, port } = new URL(upstream);
    request({ hostname, port, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    })
      .on("error", () => response.destroy())
      .end();
  };
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? "";
    gate.asked.push(path);
    if (gate.forbidden !== undefined && path.startsWith(gate.forbidden)) {
      response.writeHead(403, { "content-type": "application/json" }).end('{"name":"NoAccessError"}');
      return;
    }
    waiting.push(() => pass(path, incoming.headers, response));
    if (waiting.length < gate.holdUntil) return;
    gate.holdUntil = 1;
    for (const go of waiting.splice(0)) go();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(gate, {
    url,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

const THIS_WEEK = "created_at >= (now() at time zone 'utc')::date - interval '7 days'";
const names = (json: Answer["json"], list: string, column: string) =>
  (json[list] as Record<string, unknown>[]).map((row) => row[column]);

describe.skipIf(!haveUnleash())("what changed in a project this week, by a real Unleash", () => {
  beforeAll(async () => {
    unleash = await startUnleash();
    await seedWeek(unleash);
    gate = await startGate(unleash.url);
    session = await openSession(["curation/unleash.yaml"], { UNLEASH_URL: gate.url, UNLEASH_TOKEN: unleash.token });
  }, 180_000);
  afterAll(async () => {
    await session?.close();
    gate?.stop();
    await unleash?.stop();
  });

  test("the curation has neither an error nor a warning", async () => {
    const { stdout } = await vitrine(["check", "curation/unleash.yaml", "--json"]);
    expect(JSON.parse(stdout).filter(({ severity }: { severity: string }) => severity !== "note")).toStrictEqual([]);
  });

  test("one call counts what the database counts", async () => {
    const { json, isError, text } = await session.call(TOOL, { project: "shop" });
    expect(isError, text).toBe(false);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_000);
    expect(json).toMatchObject({ project: { id: "shop", name: "Shop" } });
    const counted = await unleash.sql(
      `select type, count(*)::int as times from events where project = 'shop' and ${THIS_WEEK} group by type`,
      [],
    );
    const sorted = (rows: unknown) =>
      (rows as { type: string; times: unknown }[])
        .map(({ type, times }) => `${type} ${times}`)
        .toSorted((a, b) => a.localeCompare(b));
    expect(sorted(json["by_type"])).toStrictEqual(sorted(counted));
    expect(json["events"]).toBe(counted.reduce((sum, { times }) => sum + Number(times), 0));
    // Archiving is a change of this week, and an archived flag is no new one.
    expect(json["by_type"]).toContainEqual({ type: "feature-archived", times: 1 });
    expect(names(json, "flags", "flag")).toContain("week-4");
    expect(names(json, "new_flags", "flag")).not.toContain("week-4");
    expect(json["new_flags"]).toContainEqual(expect.objectContaining({ flag: "week-20", enabled_in: ["production"] }));
    expect(names(json, "new_segments", "name").toSorted()).toStrictEqual(["everywhere", "of-shop"]);
    expect(text).not.toMatch(/elsewhere|of-default|week-0"|week-1"/);
  });

  test("the four requests are under way at the same time", async () => {
    gate.asked.splice(0);
    // With fewer at once, none of them would ever be answered.
    gate.holdUntil = 4;
    const { isError, text } = await session.call(TOOL, { project: "shop" });
    expect(isError, text).toBe(false);
    const paths = gate.asked.map((path) => path.split("?")[0]!).toSorted();
    expect(paths).toStrictEqual([
      "/api/admin/projects/shop/overview",
      "/api/admin/search/events",
      "/api/admin/search/features",
      "/api/admin/segments",
    ]);
  });

  test("the lists say how many there are in all, and the calls that they name give them", async () => {
    const { json } = await session.call(TOOL, { project: "shop" });
    const made = FLAGS - 3;
    expect(json["omitted"]).toMatchObject([
      { what: "items", path: "flags", kept: `20 of ${FLAGS - 2}` },
      { what: "items", path: "new_flags", kept: `20 of ${made}` },
    ]);
    const [events, flags] = await Promise.all(
      (json["omitted"] as { get: string }[]).map(async ({ get }) => {
        const [, tool, args] = /^`(\w+)` with (.*)$/.exec(get)!;
        return (await session.call(tool!, JSON.parse(args!))).json["summary"] as { total: number };
      }),
    );
    expect(events?.total).toBe(json["events"]);
    expect(flags?.total).toBe(made);
  });

  test("since a day of last month the old ones are there too", async () => {
    const since = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
    const { json } = await session.call(TOOL, { project: "shop", since });
    expect(json["omitted"]).toMatchObject([{ kept: `20 of ${FLAGS}` }, { kept: `20 of ${FLAGS - 1}` }]);
    expect(names(json, "new_segments", "name")).toContain("old");
  });

  test("a week in which nothing happened is a reply", async () => {
    const since = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const { json, isError } = await session.call(TOOL, { project: "default", since });
    expect(isError).toBe(false);
    expect(json).toMatchObject({ events: 0, by_type: [], flags: [], new_flags: [], new_segments: [] });
  });

  test("segments that the token may not read are said to be missing, and the rest stands", async () => {
    gate.forbidden = "/api/admin/segments";
    try {
      const { json, isError } = await session.call(TOOL, { project: "shop" });
      expect(isError).toBe(false);
      expect(json["omitted"]).toContainEqual(expect.objectContaining({ what: "step", path: "segments" }));
      expect(json["events"]).toBeGreaterThan(0);
    } finally {
      gate.forbidden = undefined;
    }
  });

  test("a project that does not exist is said to be unknown, with the tool that lists them", async () => {
    const { json } = await session.call(TOOL, { project: "nowhere" });
    expect(json).toMatchObject({
      error: "unknown_project",
      recover: expect.stringContaining("`unleash_list_projects`"),
    });
  });

  test.each(["shop,default", "shop&archived=IS:true", "shop' or '1'='1", "shop default"])(
    "the project %j reaches no query",
    async (project) => {
      gate.asked.splice(0);
      expect((await session.call(TOOL, { project })).json.error).toBe("invalid_arguments");
      expect(gate.asked).toStrictEqual([]);
    },
  );
});
