import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { CallRecord } from "../../src/model/call-watch.ts";
import { type Events, openEvents } from "../../src/telemetry/open-events.ts";

const folder = mkdtempSync(join(tmpdir(), "vitrine-events-"));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;
const newPath = (): string => join(folder, `${++made}.jsonl`);

function open(file: string) {
  const notes: string[] = [];
  return { notes, events: openEvents({ file, maxBytes: 1_000_000_000, note: (line) => notes.push(line) }) };
}

const CALL = { server: "s", known: true, transport: "pipe", meta: {} } as const;
const upstream = { ms: 0, calls: 0, bytes: 0 };
const record: CallRecord = { ms: 1, channel: null, error: null, bytesIn: 0, bytesOut: 0, rowsOmitted: 0, upstream };

function call(
  events: Events,
  tool: string,
  toolsSha?: () => Promise<string>,
  keyId?: string,
  how: Partial<CallRecord> = {},
): Promise<void> | undefined {
  const begun = { ...CALL, tool, ...(toolsSha && { toolsSha }) };
  return events
    .watcher(keyId)
    .begin(begun)
    .end({ ...record, ...how });
}

/** A call that is under way, so that the lines of others are gathered. */
const hold = (events: Events) => events.watcher().begin({ ...CALL, tool: "held" });

const toolsIn = (path: string) => read(path).map(({ tool }) => tool);

function read(path: string): Record<string, unknown>[] {
  return parse(readFileSync(path, "utf8"));
}

function parse(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("events", () => {
  test("of a file that was removed just before the end are written again at the end", async () => {
    const path = newPath();
    const { events, notes } = open(path);
    await vi.waitFor(() => expect(read(path)).toStrictEqual([]));
    for (const tool of ["a", "b"]) await call(events, tool);
    rmSync(path);
    for (const tool of ["c", "d"]) await call(events, tool);
    await events.close();
    expect([toolsIn(path).slice(-2), notes]).toStrictEqual([["c", "d"], []]);
  });

  test("that went down with their folder just before the end are counted as lost", async () => {
    const home = join(folder, `${++made}`);
    mkdirSync(home);
    const { events, notes } = open(join(home, "events"));
    await vi.waitFor(() => expect(read(join(home, "events"))).toStrictEqual([]));
    await call(events, "seen");
    rmSync(home, { recursive: true });
    await call(events, "b");
    await events.close();
    expect(notes.at(-1)).toMatch(/^vitrine: (1 event|2 events) could not be written to .*, and (is|are) lost\.$/);
    expect(events.lost()).toBeGreaterThan(0);
  });

  test("are written as soon as a call has ended", async () => {
    const path = newPath();
    const { events } = open(path);
    call(events, "a");
    await vi.waitFor(() => expect(read(path)).toMatchObject([{ tool: "a", key_id: null }]));
    call(events, "b", undefined, "ci");
    await vi.waitFor(() => expect(read(path)).toMatchObject([{ tool: "a" }, { tool: "b", key_id: "ci" }]));
    await events.close();
  });

  test("wait for what the tools are called by, and keep their order", async () => {
    const path = newPath();
    const { events } = open(path);
    let tell = (_: string): void => {};
    const known = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const give = () => known;
    call(events, "a", give);
    call(events, "b");
    call(events, "c", give);
    await new Promise((resolve) => setImmediate(resolve));
    tell("ab12");
    await vi.waitFor(() => expect(read(path)).toHaveLength(3));
    expect(read(path)).toMatchObject([
      { tool: "a", tools_sha: "ab12" },
      { tool: "b", tools_sha: null },
      { tool: "c", tools_sha: "ab12" },
    ]);
    await events.close();
  });

  test("go without it where it cannot be made", async () => {
    const path = newPath();
    const { events } = open(path);
    call(events, "a", () => Promise.reject(new Error("no")));
    await events.close();
    expect(read(path)).toMatchObject([{ tool: "a", tools_sha: null }]);
  });

  test("of one turn are written together, in their order, and whoever waits for one finds it there", async () => {
    const path = newPath();
    const { events } = open(path);
    call(events, "first");
    await vi.waitFor(() => expect(toolsIn(path)).toStrictEqual(["first"]));
    const held = hold(events);
    const seen: unknown[][] = [];
    const ends = ["a", "b", "c"].map((tool) => call(events, tool)?.then(() => void seen.push(toolsIn(path))));
    expect(toolsIn(path)).toStrictEqual(["first"]);
    await Promise.all(ends);
    expect(seen).toStrictEqual(Array(3).fill(["first", "a", "b", "c"]));
    held.end(record);
    await events.close();
  });

  test("stand when their call has ended, with those that were gathered, where no other is under way", async () => {
    const path = newPath();
    const { events } = open(path);
    call(events, "first");
    await vi.waitFor(() => expect(toolsIn(path)).toStrictEqual(["first"]));
    expect([call(events, "alone"), toolsIn(path)]).toStrictEqual([undefined, ["first", "alone"]]);
    const held = hold(events);
    const gathered = call(events, "gathered");
    expect(toolsIn(path)).toStrictEqual(["first", "alone"]);
    expect(held.end(record)).toBeUndefined();
    expect(toolsIn(path)).toStrictEqual(["first", "alone", "gathered", "held"]);
    await gathered;
    await events.close();
  });

  test.each(["protocol", "crash"] as const)(
    "of faults (%s) stand when they are told, and what came before with them",
    async (channel) => {
      const path = newPath();
      const { events } = open(path);
      call(events, "first");
      await vi.waitFor(() => expect(toolsIn(path)).toStrictEqual(["first"]));
      const held = hold(events);
      const before = call(events, "before");
      expect(call(events, "fault", undefined, undefined, { channel, error: "internal" })).toBeUndefined();
      expect(toolsIn(path)).toStrictEqual(["first", "before", "fault"]);
      await before;
      held.end(record);
      await events.close();
    },
  );

  test("keep their order and are whole, whichever wait for what the tools are called by", async () => {
    const path = newPath();
    const { events } = open(path);
    const step = fc.constantFrom("plain", "fault", "new tools", "tools known", "turn");
    let count = 0;
    const written: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, isAlone) => {
        const begin = count;
        const other = isAlone ? undefined : hold(events);
        let tell = (_: string): void => {};
        let give: (() => Promise<string>) | undefined;
        const ends: (Promise<void> | undefined)[] = [];
        for (const one of steps) {
          if (one === "turn") await new Promise((resolve) => setImmediate(resolve));
          else if (one === "tools known") tell("ab12");
          else {
            if (one === "new tools") {
              tell("ab12");
              const known = new Promise<string>((resolve) => {
                tell = resolve;
              });
              give = () => known;
            }
            const how = one === "fault" ? { channel: "protocol" as const, error: "invalid_params" } : {};
            ends.push(call(events, `t${count++}`, give, undefined, how));
          }
        }
        tell("ab12");
        const want = Array.from({ length: count - begin }, (_, at) => `t${begin + at}`);
        if (other !== undefined) ends.push(other.end(record));
        await Promise.all(ends);
        written.push(...want, ...(other === undefined ? [] : ["held"]));
        await vi.waitFor(() => expect(toolsIn(path)).toHaveLength(written.length), { interval: 1 });
        expect(toolsIn(path)).toStrictEqual(written);
      }),
      { numRuns: 50 },
    );
    await events.close();
    expect(events.lost()).toBe(0);
  });

  test("are written in pieces, and none is lost, where more end in one turn than may wait", async () => {
    const path = newPath();
    const { events, notes } = open(path);
    call(events, "first");
    await vi.waitFor(() => expect(toolsIn(path)).toStrictEqual(["first"]));
    const held = hold(events);
    await Promise.all(Array.from({ length: 12_000 }, (_, at) => call(events, `t${at}`)));
    expect(toolsIn(path)).toStrictEqual(["first", ...Array.from({ length: 12_000 }, (_, at) => `t${at}`)]);
    held.end(record);
    await events.close();
    expect(notes).toStrictEqual([]);
  });

  test("that are gathered are written when it is closed", async () => {
    const path = newPath();
    const { events } = open(path);
    call(events, "first");
    await vi.waitFor(() => expect(toolsIn(path)).toStrictEqual(["first"]));
    const held = hold(events);
    const end = call(events, "last");
    const closed = events.close();
    held.end(record);
    await closed;
    expect(toolsIn(path)).toStrictEqual(["first", "last", "held"]);
    await end;
  });

  test("of calls that end while it is closed are written too", async () => {
    const path = newPath();
    const { events } = open(path);
    const late = events.watcher().begin({ ...CALL, tool: "late" });
    const closed = events.close();
    late.end(record);
    await closed;
    expect(read(path)).toMatchObject([{ tool: "late" }]);
  });
});

describe("a file that takes nothing", () => {
  test.each(["/dev/full", "/dev/null"])("lets no call wait for more than a turn: %s", async (file) => {
    const { events } = open(file);
    for (let at = 0; at < 300; at += 1) {
      const turn = new Promise((resolve) => setImmediate(resolve, "a turn"));
      const end = (call(events, `t${at}`) ?? Promise.resolve()).then(() => "the end");
      // The turn that was asked for first comes first; the promise resolves within the next callback.
      const second = turn.then(() => new Promise((resolve) => setImmediate(resolve, "a second turn")));
      expect(await Promise.race([end, second])).toBe("the end");
    }
    await events.close();
  });

  test("costs no call anything; what is too much is lost, counted, and said once a minute", async () => {
    const { events, notes } = open("/dev/full");
    for (let at = 0; at < 12_000; at += 1) call(events, `t${at}`);
    await vi.waitFor(() => expect(notes).toHaveLength(1));
    expect(notes[0]).toMatch(/cannot be written to \/dev\/full \(.*\): \d+ wait, \d+ are lost/);
    expect(events.lost()).toBe(2_000);
    await events.close();
    expect(events.lost()).toBe(12_000);
    expect(notes).toStrictEqual([notes[0], "vitrine: 12000 events could not be written to /dev/full, and are lost."]);
  });

  test("gets what waited, and how many were lost, once it takes more", async () => {
    const path = newPath();
    execFileSync("mkfifo", [path]);
    const { events, notes } = open(path);
    call(events, "first");
    await vi.waitFor(() => expect(notes).toHaveLength(1));
    for (let at = 0; at < 10_010; at += 1) call(events, `t${at}`);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    let [text, count] = ["", 0];
    const buffer = Buffer.alloc(1_000_000);
    const drain = (): void => {
      try {
        const piece = buffer.toString("latin1", 0, readSync(reader, buffer));
        text += piece;
        count += piece.split("\n").length - 1;
      } catch {}
    };
    await vi.waitFor(
      () => {
        drain();
        expect(count).toBe(10_000);
      },
      { timeout: 20_000, interval: 5 },
    );
    const lines = parse(text);
    // The queue holds 10,000: `first` and all but the last 11.
    expect(lines.map(({ tool }) => tool)).toStrictEqual([
      "first",
      ...Array.from({ length: 9_999 }, (_, at) => `t${at}`),
    ]);
    expect(lines.reduce((sum, { lost = 0 }) => sum + Number(lost), 0)).toBe(11);
    closeSync(reader);
    await events.close();
    expect(notes).toHaveLength(1);
  }, 30_000);
});
