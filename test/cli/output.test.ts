import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openShell } from "../../src/cli/output.ts";

const streams = [process.stdout, process.stderr] as const;
const before = streams.map((stream) => Object.getOwnPropertyDescriptor(stream, "isTTY"));
const lookedAt = (...each: readonly boolean[]): void =>
  streams.forEach((stream, at) => {
    Object.defineProperty(stream, "isTTY", { value: each[at], configurable: true });
  });

beforeEach(() => {
  vi.stubEnv("TERM", "xterm-256color");
  vi.stubEnv("NO_COLOR", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  streams.forEach((stream, at) => {
    const own = before[at];
    if (own === undefined) delete (stream as Partial<typeof stream>).isTTY;
    else Object.defineProperty(stream, "isTTY", own);
  });
});

describe("only a terminal is drawn on", () => {
  const cases: [
    surroundings: string,
    terminals: [boolean, boolean],
    env: object,
    colour: boolean,
    progress: boolean,
  ][] = [
    ["both streams are terminals", [true, true], {}, true, true],
    ["results go into a pipe", [false, true], {}, false, true],
    ["the log goes into a file", [true, false], {}, true, false],
    ["nobody looks", [false, false], {}, false, false],
    ["NO_COLOR is set", [true, true], { NO_COLOR: "1" }, false, true],
    ["the terminal knows no escape sequences", [true, true], { TERM: "dumb" }, false, false],
  ];
  test.each(cases)("%s", (_, terminals, env, colour, progress) => {
    lookedAt(...terminals);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const shell = openShell();
    expect([shell.colour, shell.progress !== undefined]).toStrictEqual([colour, progress]);
  });
});
