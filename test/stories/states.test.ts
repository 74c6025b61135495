import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Running, start } from "../cli/running.ts";
import { connect, PEERS, type Peer } from "../mcp/peers.ts";
import { cleanEnv, program, vitrine } from "../setup/program.ts";
import { type Machine, openMachine } from "./open-machine.ts";

// A machine is on or off, and with it tools come and go.

const CURATION = "test/fixtures/stories/shift.curation.yaml";
let machine: Machine;
let env: Record<string, string>;
let server: Running;
let url: string;

beforeAll(async () => {
  machine = await openMachine();
  env = { SHIFT_URL: machine.url };
  server = start(["serve", CURATION, "--http", "127.0.0.1:0"], env);
  url = (await server.said("err", "Serving")).replace(/^.* at /, "");
});
afterAll(async () => {
  server?.child.kill("SIGTERM");
  await server?.ended();
  machine?.close();
});
beforeEach(() => {
  machine.isRunning = false;
});

type Client = Awaited<ReturnType<typeof connect>>;
const stdio = (...args: string[]) => ({
  command: process.execPath,
  args: [program, "serve", CURATION, ...args],
  env: cleanEnv(env),
});
const listed = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const call = (client: Client, name: string) => client.callTool({ name, arguments: {} });
/** What the client is told of a call that its server does not know: the code and the words, with the name left out. */
async function refusal(client: Client, name: string): Promise<string> {
  const error = await call(client, name).then(
    () => undefined,
    (thrown: { code: unknown; message: string }) => thrown,
  );
  return `${error?.code} ${error?.message.replaceAll(name, "NAME")}`;
}

/** Resolves at the next notice that the list has changed. */
async function listen(client: Client, peer: Peer): Promise<{ next(): Promise<void>; stop(): Promise<void> }> {
  let heard = 0;
  let wake = (): void => {};
  const hear = () => {
    heard += 1;
    wake();
  };
  if (peer === "v1 SDK") {
    const { ToolListChangedNotificationSchema } = await import("@modelcontextprotocol/sdk/types.js");
    client.setNotificationHandler(ToolListChangedNotificationSchema as never, hear as never);
  } else client.setNotificationHandler("notifications/tools/list_changed", hear);
  const subscription = peer === "v2 SDK, 2026-07-28" ? await client.listen({ toolsListChanged: true }) : undefined;
  return {
    next: async () => {
      const before = heard;
      if (before === 0) await new Promise<void>((resolve) => (wake = resolve));
      heard = 0;
    },
    stop: async () => subscription?.close(),
  };
}

const WAYS: readonly (readonly [Peer, "stdio" | "HTTP"])[] = [
  ...PEERS.map((peer) => [peer, "stdio"] as const),
  ["v2 SDK, 2026-07-28", "HTTP"],
];

describe.each(WAYS)("a client of the %s over %s", (peer, transport) => {
  test("is told that the list has changed after a write that moved the state, and then sees the other tools", async () => {
    const client = await connect(peer, transport === "stdio" ? stdio() : { url });
    const ears = await listen(client, peer);
    // The one server of all over HTTP may have looked while the machine was on.
    if (!(await listed(client)).includes("begin_shift")) await call(client, "end_shift");
    expect(await listed(client)).toStrictEqual(["begin_shift", "get_shift", "list_costs"]);
    expect(await refusal(client, "end_shift")).toBe(await refusal(client, "no_such_tool"));
    await call(client, "begin_shift");
    await ears.next();
    expect(await listed(client)).toStrictEqual(["end_shift", "get_shift", "list_costs"]);
    expect(await refusal(client, "begin_shift")).toBe(await refusal(client, "no_such_tool"));
    await call(client, "end_shift");
    await ears.next();
    await ears.stop();
    await client.close();
  });
});

test("a client that cannot listen sees the change at its next listing", async () => {
  const client = await connect("v1 SDK", { url });
  expect(await listed(client)).toContain("begin_shift");
  await call(client, "begin_shift");
  expect(await listed(client)).toContain("end_shift");
  await call(client, "end_shift");
  await client.close();
});

test("what is out of its state is named nowhere, and the instructions tell only of what stays", async () => {
  const client = await connect("v2 SDK, 2026-07-28", stdio());
  const list = await client.listTools();
  expect(JSON.stringify(list.tools)).not.toContain("end_shift");
  expect(list).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  expect(client.getInstructions()).toMatch(/^Look with `get_shift`\. Costs are in `list_costs`\./);
  expect(client.getInstructions()).not.toMatch(/begin_shift|end_shift/);
  expect(JSON.stringify(await call(client, "get_shift"))).not.toContain("end_shift");
  machine.isRunning = true;
  await client.close();
  const later = await connect("v2 SDK, 2026-07-28", stdio());
  expect(JSON.stringify(await call(later, "get_shift"))).toContain("end_shift");
  await later.close();
});

describe("two servers of one curation with other tags", () => {
  const ALL = ["begin_shift", "end_shift", "get_shift", "list_costs"];
  const cases: readonly [what: string, args: readonly string[], hidden: readonly string[]][] = [
    ["the public one", ["--tags", "public"], ["list_costs", "list_prices"]],
    ["the same, by what it leaves out", ["--exclude-tag", "internal"], ["list_costs", "list_prices"]],
    ["the inner one", ["--any-tag", "internal"], ["begin_shift", "end_shift", "get_shift"]],
  ];
  test.each(cases)(
    "%s: what is listed can be called, and what is not is as if it were not",
    async (_, args, hidden) => {
      machine.isRunning = true;
      const client = await connect("v2 SDK, 2026-07-28", stdio(...args));
      const names = await listed(client);
      expect(names).toStrictEqual(ALL.filter((name) => !hidden.includes(name) && name !== "begin_shift"));
      const unknown = await refusal(client, "no_such_tool");
      for (const name of [...ALL, "list_prices"])
        if (names.includes(name)) expect(await call(client, name)).toMatchObject({ content: [{ type: "text" }] });
        else if (hidden.includes(name)) expect(await refusal(client, name)).toBe(unknown);
      const told = JSON.stringify([await client.listTools(), client.getInstructions()]);
      for (const name of hidden) expect(told).not.toContain(name);
      await client.close();
    },
  );

  test("`tools` shows the same list, with the tools of every state", async () => {
    const ran = await vitrine(["tools", CURATION, "--tags", "public", "--json"]);
    const { tools } = JSON.parse(ran.stdout) as { tools: { name: string; conduct: { states?: string[] } }[] };
    expect(tools.map(({ name, conduct }) => [name, conduct.states])).toStrictEqual([
      ["begin_shift", ["idle"]],
      ["end_shift", ["running"]],
      ["get_shift", undefined],
    ]);
    expect(ran.stdout).not.toContain("list_costs");
  });

  test("a tag that nothing carries ends with 1, and no tag with 2", async () => {
    const misspelt = await vitrine(["serve", CURATION, "--exclude-tag", "internl"]);
    expect([misspelt.code, misspelt.stderr]).toMatchObject([1, expect.stringContaining('Did you mean "internal"?')]);
    for (const tags of ["", "public,", ",public"]) {
      const ran = await vitrine(["serve", CURATION, "--tags", tags]);
      expect([ran.code, ran.stderr]).toStrictEqual([
        2,
        `vitrine: --tags takes tags with commas between them: "${tags}"\n`,
      ]);
    }
  });
});

test("`call` calls what the state lets it, and shows with --dry-run what any tool would send", async () => {
  const refused = await vitrine(["call", CURATION, "end_shift"], { env });
  expect([refused.code, refused.stderr]).toStrictEqual([2, expect.stringContaining("Unknown tool: end_shift.")]);
  const shown = await vitrine(["call", CURATION, "end_shift", "--dry-run"], { env });
  expect(JSON.parse(shown.stdout)).toMatchObject([{ method: "POST", url: `${env.SHIFT_URL}/shift/end` }]);
  const raw = await vitrine(["call", CURATION, "begin_shift", "--raw"], { env });
  expect(JSON.parse(raw.stdout).upstream).toHaveLength(1);
  expect(machine.isRunning).toBe(true);
});
