import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

function call(events: Events, tool: string, toolsSha?: () => Promise<string>, keyId?: string): void {
  const begun = { ...CALL, tool, ...(toolsSha && { toolsSha }) };
  events.watcher(keyId).begin(begun).end(record);
}

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
