import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, serveOverHttp } from "../../src/mcp/serve-http.ts";
import { openProgress } from "../../src/mcp/tell-progress.ts";
import { confirmSource } from "../fixtures/mcp/confirm-server.ts";
import { bundleStdioServer } from "./bundle-fixture.ts";
import { connect, PEERS, type Peer, type Person, personWho, type Target } from "./peers.ts";

const ARGS = { zone: "example.org", address: "192.0.2.7" };
const QUESTION =
  'Set example.org to 192.0.2.7?\n\nThis will be sent:\n\nPATCH https://dns.example.com/zones/example.org\n{\n  "address": "192.0.2.7",\n  "pin": "a-1"\n}';

let http: HttpServer;
const targets = new Map<string, Target>();

beforeAll(async () => {
  const options = {
    hostname: "127.0.0.1",
    port: 0,
    allowHosts: [],
    key: { account: "a-1" },
    listTtlMs: 0,
    report() {},
  };
  http = await serveOverHttp(confirmSource(), options);
  targets.set("HTTP", { url: http.url });
  targets.set("stdio", { command: process.execPath, args: [await bundleStdioServer("confirm-main")] });
});
afterAll(() => http.close(0));

/** A session of its own, and how often was written in it. */
async function open(peer: Peer, transport: string, person?: Person) {
  const client = await connect(peer, targets.get(transport)!, person);
  const call = async (name: string, args: object = ARGS) => {
    const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
    const [first] = result.content;
    const json = JSON.parse(first?.type === "text" ? first.text : "") as Record<string, Record<string, unknown>>;
    return { isError: result.isError === true, json, structured: result.structuredContent };
  };
  const written = async () => Number((await call("count_writes", { zone: "z" })).json.writes);
  return { client, call, written, before: await written() };
}

/** Where a client that can ask its person is known to: over HTTP, 2025-11-25 says it in a session, and we keep none. */
const ASKING: readonly (readonly [Peer, string])[] = [
  ["v1 SDK", "stdio"],
  ["v2 SDK, 2025-11-25", "stdio"],
  ["v2 SDK, 2026-07-28", "stdio"],
  ["v2 SDK, 2026-07-28", "HTTP"],
];

describe.each(ASKING)("a client of the %s over %s that can ask its person", (peer, transport) => {
  const answers: [what: string, person: Person, writes: number, want: unknown][] = [
    ["a yes writes once", personWho("accept", { confirm: true }), 1, undefined],
    ["a no writes nothing", personWho("decline"), 0, "declined"],
    ["a closed question writes nothing", personWho("cancel"), 0, "dismissed"],
    ["a form sent without the tick writes nothing", personWho("accept", { confirm: false }), 0, "declined"],
    ["a form sent with nothing in it writes nothing", personWho("accept", {}), 0, "declined"],
  ];
  test.each(answers)("%s", async (_, person, writes, want) => {
    for (const tool of ["set_address", "set_by_person", "walk"]) {
      person.asked.length = 0;
      const { client, call, written, before } = await open(peer, transport, person);
      try {
        const { isError, json, structured } = await call(tool);
        expect(isError).toBe(false);
        expect(structured).toStrictEqual(json);
        expect(json.confirmation?.answer).toBe(want);
        if (want !== undefined) expect(json.note).toMatch(/^Nothing was done\. The person/);
        expect((await written()) - before).toBe(writes);
        expect(person.asked).toMatchObject([{ message: QUESTION }]);
        expect(person.asked[0]?.requestedSchema).toMatchObject({
          type: "object",
          properties: { confirm: { type: "boolean" } },
          required: ["confirm"],
        });
      } finally {
        await client.close();
      }
    }
  });
});

const UNASKED: readonly (readonly [Peer, string, Person | undefined])[] = [
  ...PEERS.flatMap((peer) => ["stdio", "HTTP"].map((transport) => [peer, transport, undefined] as const)),
  ["v1 SDK", "HTTP", personWho("accept", { confirm: true })],
  ["v2 SDK, 2025-11-25", "HTTP", personWho("accept", { confirm: true })],
];

describe.each(UNASKED)(
  "a client of the %s over %s that cannot ask, or of which that is not known",
  (peer, transport, person) => {
    test("is shown what would be sent, and confirms it with the token", async () => {
      const { client, call, written, before } = await open(peer, transport, person);
      try {
        const { json, structured } = await call("set_address");
        expect(structured).toStrictEqual(json);
        expect(json.note).toMatch(/^Nothing was done yet\./);
        expect(await written()).toBe(before);
        const confirm = json.confirmation?.confirm;
        expect((await call("set_address", { ...ARGS, confirm })).isError).toBe(false);
        await call("set_address", { ...ARGS, confirm });
        expect((await written()) - before).toBe(1);
        expect((await call("set_by_person")).json).toMatchObject({ error: "confirmation_required" });
        expect((await written()) - before).toBe(1);
      } finally {
        await client.close();
      }
    });
  },
);

describe.each(ASKING.slice(0, 2))("a client of the %s over %s that fails to ask", (peer, transport) => {
  test("is told that nothing was done, as every tool error is told", async () => {
    const person: Person = {
      asked: [],
      answer: () => {
        throw new Error("The window is closed.");
      },
    };
    const { client, call, written, before } = await open(peer, transport, person);
    try {
      const { isError, json } = await call("set_by_person");
      expect([isError, json]).toMatchObject([true, { error: "confirmation_required", retryable: false }]);
      expect(await written()).toBe(before);
    } finally {
      await client.close();
    }
  });
});

/** What comes over the wire: the SDK's client drops what comes together with the result. */
function watchProgress({ transport }: Awaited<ReturnType<typeof connect>>): unknown[] {
  const told: unknown[] = [];
  const listen = transport?.onmessage;
  transport!.onmessage = (message, ...rest) => {
    if ("method" in message && message.method === "notifications/progress") told.push(message.params);
    listen?.(message, ...rest);
  };
  return told;
}

describe("progress", () => {
  test.each([...ASKING, ["v1 SDK", "HTTP"] as const])(
    "is told to a client of the %s over %s that asked for it",
    async (peer, transport) => {
      const { client } = await open(peer, transport, personWho("accept", { confirm: true }));
      const told = watchProgress(client);
      const options = { onprogress: () => {} };
      const callTool = client.callTool.bind(client) as (...given: unknown[]) => Promise<unknown>;
      try {
        await callTool({ name: "walk", arguments: ARGS }, ...(peer === "v1 SDK" ? [undefined, options] : [options]));
        const first = [
          { progress: 1, total: 3, message: "a" },
          { progress: 2, total: 3, message: "b" },
        ];
        // Over HTTP a client of 2025-11-25 is asked by a reply, with which its call ends; one of 2026-07-28 calls anew with the answer.
        const isAnew = peer === "v2 SDK, 2026-07-28";
        const isOver = peer === "v1 SDK" && transport === "HTTP";
        const rest = isOver ? [] : [...(isAnew ? first : []), { progress: 3, total: 3, message: "c" }];
        expect(told).toMatchObject([...first, ...rest]);
      } finally {
        await client.close();
      }
    },
  );

  test("is greater each time, also where a request begins anew, and is not told unasked", () => {
    const sent: unknown[] = [];
    const notify = async (one: unknown) => void sent.push(one);
    const { signal } = new AbortController();
    const openFor = (_meta: object | undefined, of = signal) =>
      openProgress({ _meta, notify, signal: of } as never, () => {}).progress;
    expect(openFor(undefined)).toBeUndefined();
    expect(openFor({})).toBeUndefined();
    for (const done of [1, 2]) openFor({ progressToken: 0 })?.(done, 3, "x");
    for (const done of [1, 2, 3]) openFor({ progressToken: 0 })?.(done, 3, "x");
    openFor({ progressToken: 0 }, new AbortController().signal)?.(1, 3, "x");
    expect(sent).toMatchObject([1, 2, 3, 1].map((progress) => ({ params: { progressToken: 0, progress, total: 3 } })));
  });

  test("that cannot be told fails nothing", async () => {
    const reported: unknown[] = [];
    const notify = () => Promise.reject(new Error("gone"));
    const { signal } = new AbortController();
    const request = { _meta: { progressToken: "t" }, notify, signal };
    openProgress(request as never, (error) => reported.push(error)).progress?.(1, 1, "x");
    await expect.poll(() => reported).toHaveLength(1);
  });
});

/** A request of 2026-07-28 as bytes: what a client may send that is not one of ours. */
async function post(params: object, capabilities: object = { elicitation: {} }) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const answer = await fetch(http.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": String((params as { name?: string }).name),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta } }),
  });
  const text = await answer.text();
  return JSON.parse(/^\{/.test(text) ? text : (/data: (\{.*)/.exec(text)?.[1] ?? "")) as {
    error?: { code: number; message: string };
    result?: { resultType: string; requestState?: string; inputRequests?: unknown; content?: { text: string }[] };
  };
}

const YES = { confirm: { action: "accept", content: { confirm: true } } };

describe("an answer that proves nothing", () => {
  const call = (more: object, args: object = ARGS, name = "set_address") => post({ name, arguments: args, ...more });
  const written = async () => {
    const { result } = await call({}, { zone: "z" }, "count_writes");
    return JSON.parse(result?.content?.[0]?.text ?? "").writes as number;
  };
  const ask = async (args: object = ARGS, name = "set_address") => (await call({}, args, name)).result?.requestState;

  const cases: [
    what: string,
    send: (state: string) => ReturnType<typeof post>,
    want: "asks" | "refused" | "nothing",
  ][] = [
    ["a yes without a state", () => call({ inputResponses: YES }), "asks"],
    ["a state without an answer", (requestState) => call({ requestState }), "asks"],
    [
      "an answer to another question",
      (requestState) => call({ requestState, inputResponses: { other: YES.confirm } }),
      "asks",
    ],
    [
      "a yes that is a text",
      (requestState) =>
        call({ requestState, inputResponses: { confirm: { action: "accept", content: { confirm: "true" } } } }),
      "nothing",
    ],
    [
      "a yes in an envelope",
      (requestState) =>
        call({ requestState, inputResponses: { confirm: { method: "elicitation/create", result: YES.confirm } } }),
      "asks",
    ],
    ["a no", (requestState) => call({ requestState, inputResponses: { confirm: { action: "decline" } } }), "nothing"],
    [
      "a state with a letter changed",
      (state) => call({ requestState: `${state.startsWith("B") ? "C" : "B"}${state.slice(1)}`, inputResponses: YES }),
      "refused",
    ],
    ["a state that was made up", () => call({ requestState: "yes", inputResponses: YES }), "refused"],
    ["a state that is no text", () => call({ requestState: { yes: true }, inputResponses: YES }), "refused"],
    [
      "the state of a call with other arguments",
      (requestState) => call({ requestState, inputResponses: YES }, { ...ARGS, address: "192.0.2.66" }),
      "asks",
    ],
    ["the state of another tool", (requestState) => call({ requestState, inputResponses: YES }, ARGS, "walk"), "asks"],
    ["the state as the argument", (confirm) => call({}, { ...ARGS, confirm }), "asks"],
    [
      "the state as the argument, by one who asks nobody",
      (confirm) => post({ name: "set_address", arguments: { ...ARGS, confirm } }, {}),
      "nothing",
    ],
  ];
  test.each(cases)("%s: nothing is written", async (_, send, want) => {
    const before = await written();
    const { result, error } = await send((await ask()) ?? "");
    expect(await written()).toBe(before);
    if (want === "refused") expect(error?.code).toBe(-32602);
    else expect(result?.resultType).toBe(want === "asks" ? "input_required" : "complete");
  });

  test("a yes with the state of this very call is carried out once, however often it is sent", async () => {
    const before = await written();
    const requestState = await ask();
    const send = () => call({ requestState, inputResponses: YES });
    const answers = await Promise.all([send(), send(), send(), send()]);
    expect((await written()) - before).toBe(1);
    expect(answers.map(({ result }) => result?.resultType).sort()).toStrictEqual([
      "complete",
      "input_required",
      "input_required",
      "input_required",
    ]);
  });

  test.each([[{}], [{ elicitation: { url: {} } }]])(
    "a client with the capabilities %j is never asked",
    async (capabilities) => {
      const { result, error } = await post({ name: "set_address", arguments: ARGS }, capabilities);
      expect([error, result?.resultType]).toStrictEqual([undefined, "complete"]);
      const human = await post({ name: "set_by_person", arguments: ARGS }, capabilities);
      expect(human.result?.content?.[0]?.text).toContain("confirmation_required");
    },
  );
});
