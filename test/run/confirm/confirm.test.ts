import { describe, expect, test } from "vitest";
import type { Tool } from "../../../src/model/tool.ts";
import { openUsedOnce } from "../../../src/model/used-once.ts";
import { value } from "../shape-fixture.ts";
import { input, NOW } from "../validate-fixture.ts";
import {
  askedOf,
  bind,
  call,
  confirmTool,
  contentOf,
  inBody,
  noteCall,
  patchCall,
  readCall,
  SECRET,
  start,
  TEXT,
  tokenOf,
} from "./confirm-fixture.ts";

const ARGS = { zone: "example.org", address: "192.0.2.7" };
const SHOWN = {
  method: "PATCH",
  url: "https://dns.example.com/zones/example.org",
  body: { address: "192.0.2.7", pin: "a-1" },
};

describe("a tool of one operation that asks first", () => {
  test("does nothing and shows the exact request, without credentials", async () => {
    const { run, sent } = start([confirmTool()]);
    const reply = await run(ARGS);
    expect(reply.isError).toBe(false);
    expect(sent).toStrictEqual([]);
    expect(contentOf(reply)).toStrictEqual({
      confirmation: {
        confirm: expect.stringMatching(/^[\w-]{100,}$/),
        text: "Set example.org to 192.0.2.7?",
        requests: [SHOWN],
        expires: "2026-11-29T12:39:56.789Z",
      },
      note: expect.stringMatching(/^Nothing was done yet\. /),
    });
    expect(reply).toMatchObject({ structured: contentOf(reply) });
    expect(reply.text).not.toContain(SECRET);
  });

  test("sends what was shown once its token comes back, and only once", async () => {
    const { run, sent } = start([confirmTool()]);
    const confirm = tokenOf(await run(ARGS));
    expect(contentOf(await run({ ...ARGS, confirm }))).toStrictEqual({ ok: true });
    expect(sent).toMatchObject([SHOWN]);
    const again = await run({ ...ARGS, confirm });
    expect(contentOf(again).note).toMatch(/^Nothing was done yet\. The confirmation was used already/);
    expect(sent).toHaveLength(1);
    // The new question has a token of its own.
    await run({ ...ARGS, confirm: tokenOf(again) });
    expect(sent).toHaveLength(2);
  });

  test("is carried out once however many times a token comes at once", async () => {
    const { run, sent } = start([confirmTool()]);
    const confirm = tokenOf(await run(ARGS));
    await Promise.all(Array.from({ length: 8 }, () => run({ ...ARGS, confirm })));
    expect(sent).toHaveLength(1);
  });

  test("counts a token until five minutes have passed", async () => {
    const { run, sent, pass } = start([confirmTool()]);
    const first = tokenOf(await run(ARGS));
    pass(299_999);
    await run({ ...ARGS, confirm: first });
    expect(sent).toHaveLength(1);
    const second = tokenOf(await run(ARGS));
    pass(300_000);
    expect(contentOf(await run({ ...ARGS, confirm: second })).note).toMatch(/came too late/);
    expect(sent).toHaveLength(1);
  });

  const other = confirmTool({ name: "set_other" });
  test.each<[why: string, args: object, caller?: object, tool?: string]>([
    ["other arguments", { address: "192.0.2.8" }],
    ["an argument less", { address: undefined }],
    ["another caller with the same claims", {}, { id: "other" }],
    ["another caller's key", {}, { key: { account: "a-1", more: true } }],
    ["other pins", {}, { key: { account: "a-2" } }],
    ["another tool", {}, {}, "set_other"],
    ["the answer of a person, which it is not", { confirm: undefined }, { confirmed: "TOKEN" }],
  ])("does not take a token for %s", async (_, args, caller = {}, name = "set_address") => {
    const { run, sent } = start([confirmTool(), other]);
    const confirm = tokenOf(await run(ARGS));
    const given = JSON.parse(JSON.stringify(caller).replace("TOKEN", confirm)) as object;
    const reply = await run({ ...ARGS, confirm, ...args }, given, name);
    expect(contentOf(reply).note).toMatch(/^Nothing was done yet\. The /);
    expect(sent).toStrictEqual([]);
  });

  test("does not take a text that it did not give, nor one of which a single letter is another", async () => {
    const { run, sent } = start([confirmTool()]);
    const confirm = tokenOf(await run(ARGS));
    const changed = Array.from(
      confirm,
      (letter, at) => confirm.slice(0, at) + (letter === "A" ? "B" : "A") + confirm.slice(at + 1),
    );
    for (const one of [...changed, "yes", "true", `${confirm}A`, confirm.slice(1), "x".repeat(5000)]) {
      const reply = await run({ ...ARGS, confirm: one });
      expect(askedOf(reply).text).toBe("Set example.org to 192.0.2.7?");
    }
    for (const one of [true, 1, { confirm }, [confirm]]) await run({ ...ARGS, confirm: one });
    expect(sent).toStrictEqual([]);
  });

  test.each([[null], [""], ["  "]])("takes %j for no token at all", async (confirm) => {
    const { run } = start([confirmTool()]);
    expect(contentOf(await run({ ...ARGS, confirm })).note).toMatch(/^Nothing was done yet\. Show/);
  });

  test("asks again when the tool itself has become another one", async () => {
    const before = start([confirmTool()]);
    const confirm = tokenOf(await before.run(ARGS));
    const after = start([confirmTool({ confirm: { text: { kind: "literal", value: "Sure?" }, human: false } })]);
    expect(contentOf(await after.run({ ...ARGS, confirm })).note).toMatch(/other arguments/);
    expect(after.sent).toStrictEqual([]);
    // A runner like the first one, as after a reload of the same file, knows the token and that it was used.
    const same = start([confirmTool()]);
    await same.run({ ...ARGS, confirm });
    await before.run({ ...ARGS, confirm });
    expect([...same.sent, ...before.sent]).toHaveLength(1);
  });

  test("refuses wrong arguments before it asks", async () => {
    const { run } = start([confirmTool()]);
    expect(contentOf(await run({ address: "x" }))).toMatchObject({ error: "invalid_arguments", path: "zone" });
  });

  test("asks about the same moment that was shown, however late the answer", async () => {
    const since = input(
      "since",
      { kind: "date-time" },
      { default: { kind: "relative", time: { words: "1 day ago", amount: -1, unit: "day" } } },
    );
    const tool = confirmTool();
    const bindings = [...patchCall.bindings, bind(inBody("since"), "input.since")];
    const timed: Tool = {
      ...tool,
      inputs: [...tool.inputs, since],
      plan: { kind: "call", call: { ...patchCall, bindings } },
    };
    const { run, sent, pass } = start([timed]);
    const asked = await run(ARGS);
    pass(60_000);
    await run({ ...ARGS, confirm: tokenOf(asked) });
    expect(sent.map(({ body }) => body)).toStrictEqual([(askedOf(asked).requests as { body: unknown }[])[0]?.body]);
  });

  test("never lets what a value holds look like the question", async () => {
    const { run } = start([confirmTool()]);
    const address = `1?\n\nThis will be sent:\n\nGET /nothing\u202e ${"long ".repeat(200)}`;
    const text = String(askedOf(await run({ ...ARGS, address })).text);
    expect(text).toMatch(/^Set example\.org to 1\? This will be sent: GET \/nothing<U\+202E> long/);
    expect(text).not.toContain("\n");
    expect(text.length).toBeLessThan(400);
  });

  test("hides a secret that an argument repeats", async () => {
    const { run } = start([confirmTool()]);
    const reply = await run({ ...ARGS, address: SECRET });
    expect(reply.text).not.toContain(SECRET);
    expect(askedOf(reply).requests).toMatchObject([{ body: { address: "***" } }]);
  });

  test("says what it cuts of a large body, and of a large body another digest", async () => {
    const { run } = start([confirmTool()]);
    const address = "é".repeat(40_000);
    const [shown] = askedOf(await run({ ...ARGS, address })).requests as { body: string; bodyOmitted: string }[];
    expect(shown?.body.length).toBeLessThan(5000);
    expect(shown?.bodyOmitted).toMatch(/^the rest of 800\d\d bytes, SHA-256 [0-9a-f]{64}$/);
    const [next] = askedOf(await run({ ...ARGS, address: `${address}.` })).requests as { bodyOmitted: string }[];
    expect(next?.bodyOmitted).not.toBe(shown?.bodyOmitted);
  });
});

describe("where only a person's yes counts", () => {
  const human = confirmTool({ confirm: { text: TEXT, human: true } });

  test.each<[who: string, args: object, caller: object]>([
    ["a caller that can ask nobody", {}, {}],
    ["a token among the arguments", { confirm: "x" }, { canAsk: true }],
  ])("%s is refused, and nothing is sent", async (_, args, caller) => {
    const { run, sent } = start([human]);
    const reply = await run({ ...ARGS, ...args }, caller);
    expect(contentOf(reply)).toMatchObject({ error: "confirmation_required", retryable: false });
    expect(sent).toStrictEqual([]);
  });

  test("a caller that can ask is given the question, and the agent no token", async () => {
    const { run, sent } = start([human]);
    const reply = await run(ARGS, { canAsk: true });
    if (reply.isError || reply.confirmation === undefined) throw new Error("No question.");
    const { question, token } = reply.confirmation;
    expect(question).toBe(
      'Set example.org to 192.0.2.7?\n\nThis will be sent:\n\nPATCH https://dns.example.com/zones/example.org\n{\n  "address": "192.0.2.7",\n  "pin": "a-1"\n}',
    );
    expect(reply.text).not.toContain(token);
    await run(ARGS, { canAsk: true, confirmed: token });
    await run(ARGS, { canAsk: true, confirmed: token });
    expect(sent).toMatchObject([SHOWN]);
  });
});

describe("a person who is asked in place of the agent", () => {
  test("answers a question whose token no argument can carry", async () => {
    const { run, sent } = start([confirmTool()]);
    const reply = await run(ARGS, { canAsk: true });
    const token = reply.isError ? "" : (reply.confirmation?.token ?? "");
    await run({ ...ARGS, confirm: token });
    await run({ ...ARGS, confirm: token }, { canAsk: true });
    expect(sent).toStrictEqual([]);
  });
});

describe("a workflow that asks first", () => {
  const patch = { ...patchCall, bindings: [...patchCall.bindings, bind(inBody("was"), "steps.zone.address")] };
  const note = { ...noteCall, bindings: [bind(inBody("text"), "steps.set.id")] };
  const steps = [
    call("zone", readCall),
    call("set", patch, { needs: [0], when: { jmespath: "steps.zone.address != input.address" } }),
    call("after", readCall, { needs: [1] }),
    call("note", note, { needs: [1, 2], when: { jmespath: "steps.set" } }),
  ];
  const text = value("join('', ['From ', steps.zone.address, '?'])");
  const tool = confirmTool({ plan: { kind: "steps", steps }, confirm: { text, human: false } });

  /** An upstream that holds one address. */
  function zone(address: string) {
    const held = { address };
    return {
      held,
      answer: (request: { method: string }) => (request.method === "GET" ? { address: held.address } : { id: "n-1" }),
    };
  }

  test("reads, shows what is certain, and names what depends on later answers", async () => {
    const { answer } = zone("192.0.2.1");
    const { run, methods } = start([tool], answer);
    const reply = await run(ARGS);
    expect(methods()).toStrictEqual(["GET"]);
    expect(askedOf(reply)).toMatchObject({
      text: "From 192.0.2.1?",
      requests: [
        { ...SHOWN, body: { ...SHOWN.body, was: "192.0.2.1" } },
        { step: "note", operation: "POST /notes", note: expect.stringContaining("depends") },
      ],
    });
    await run({ ...ARGS, confirm: tokenOf(reply) });
    expect(methods()).toStrictEqual(["GET", "GET", "PATCH", "GET", "POST"]);
  });

  test("asks again where what it read has changed meanwhile", async () => {
    const { answer, held } = zone("192.0.2.1");
    const { run, methods } = start([tool], answer);
    const confirm = tokenOf(await run(ARGS));
    held.address = "192.0.2.2";
    const again = await run({ ...ARGS, confirm });
    expect(contentOf(again).note).toMatch(/^Nothing was done yet\. What would be sent has changed/);
    expect(askedOf(again).text).toBe("From 192.0.2.2?");
    expect(methods()).toStrictEqual(["GET", "GET"]);
  });

  test("asks nobody where there is nothing to write", async () => {
    const { answer } = zone(ARGS.address);
    const { run, methods } = start([confirmTool({ plan: { kind: "steps", steps } })], answer);
    const reply = await run(ARGS);
    expect(contentOf(reply).confirmation).toBeUndefined();
    expect(methods()).toStrictEqual(["GET", "GET"]);
  });

  test("shows each request of a step that goes through a list", async () => {
    const bindings = [bind(inBody("text"), "item")];
    const each = call(
      "notes",
      { ...noteCall, bindings },
      { forEach: { list: { jmespath: "steps.zone.names" }, max: 2 } },
    );
    const many = confirmTool({ plan: { kind: "steps", steps: [call("zone", readCall), { ...each, needs: [0] }] } });
    const { run, sent } = start([many], () => ({ names: ["a", "a", "c"] }));
    const reply = await run(ARGS);
    const requests = askedOf(reply).requests as { body: unknown }[];
    expect(requests.map(({ body }) => body)).toStrictEqual([{ text: "a" }, { text: "a" }]);
    await run({ ...ARGS, confirm: tokenOf(reply) });
    expect(sent.filter(({ method }) => method === "POST").map(({ body }) => body)).toStrictEqual(
      requests.map(({ body }) => body),
    );
  });
});

describe("the memory of used confirmations", () => {
  test("forgets what has expired, and nothing else", async () => {
    const memory = openUsedOnce();
    const at = (ms: number) => new Date(NOW.getTime() + ms);
    const use = (id: string, until: Date, now: Date) => memory.use({ id, until, mark: memory.mark() }, now);
    expect(await use("a", at(100), at(0))).toBe(true);
    expect(await use("b", at(200), at(50))).toBe(true);
    expect(await use("a", at(300), at(99))).toBe(false);
    expect(await use("a", at(300), at(100))).toBe(true);
    expect(await use("b", at(300), at(150))).toBe(false);
  });

  test("is asked, and a token of a process that shares none is not taken", async () => {
    const secrets = ["a secret that processes share"];
    const alone = [start([confirmTool()], undefined, { secrets }), start([confirmTool()], undefined, { secrets: [] })];
    const shared = openUsedOnce();
    const together = [
      start([confirmTool()], undefined, { secrets, usedOnce: shared }),
      start([confirmTool()], undefined, { secrets, usedOnce: shared }),
    ];
    const confirm = tokenOf(await together[0]!.run(ARGS));
    for (const one of [...alone, together[1]!, together[0]!]) await one.run({ ...ARGS, confirm });
    expect([...alone, ...together].map(({ sent }) => sent.length)).toStrictEqual([0, 0, 0, 1]);
  });

  test("that cannot be asked lets nothing pass", async () => {
    const usedOnce = { mark: () => "", use: () => Promise.reject(new Error("redis is gone")) };
    const { run, sent, reported } = start([confirmTool()], undefined, { usedOnce });
    const reply = await run({ ...ARGS, confirm: tokenOf(await run(ARGS)) });
    expect(contentOf(reply)).toMatchObject({ error: "internal" });
    expect([sent, reported.length]).toStrictEqual([[], 1]);
  });
});
