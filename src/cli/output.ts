import { text } from "node:stream/consumers";
import { isatty } from "node:tty";
import type { Shell } from "./command.ts";

/** The shell of this process: the one place that writes to stdout, but for the protocol itself. */
export function openShell(): Shell {
  process.stdout.on("error", endWithoutOutput);
  // Without a log the work goes on.
  process.stderr.on("error", () => {});
  // The protocol waits for a slow reader with every message; that is no leak.
  process.stdout.setMaxListeners(0);
  let ended: AbortController | undefined;
  // A terminal that calls itself dumb shows escape sequences as they are.
  const draws = (stream: NodeJS.WriteStream): boolean => stream.isTTY === true && process.env.TERM !== "dumb";
  return {
    print: (result) => void process.stdout.write(`${result}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    ...(draws(process.stderr) && { progress: (line) => void process.stderr.write(`\r\x1b[K${line}`) }),
    colour: draws(process.stdout) && !process.env.NO_COLOR,
    env: process.env,
    readStdin: () => text(process.stdin),
    get signal() {
      ended ??= abortOnSignal();
      return ended.signal;
    },
    onHangup: (listener) => {
      const hear = (): void => (hasLostTerminal() ? endByHangup() : listener());
      process.on("SIGHUP", hear);
      return () => process.off("SIGHUP", hear);
    },
    onFault: (listener) => {
      faults.add(listener);
      return () => faults.delete(listener);
    },
    onWarning: (listener) => {
      // Node's own way of telling is one more listener.
      const others = process.listeners("warning");
      process.removeAllListeners("warning");
      process.on("warning", listener);
      return () => {
        process.off("warning", listener);
        for (const other of others) process.on("warning", other);
      };
    },
  };
}

/** SIGHUP also says that the terminal has gone that a person began this at: whoever closes it wants no more of it. */
function hasLostTerminal(): boolean {
  return process.stderr.isTTY === true && !isatty(process.stderr.fd);
}

// As if nobody listened: an ordinary end would have Node set the terminal back, and abort for want of it.
function endByHangup(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

const faults = new Set<(error: unknown) => void>();

/**
 * What is told of an error that nothing caught, where nobody listens for it, before the process ends with what this gives. Node's own way shows every
 * property of it, which may hold what was sent.
 */
export function endOnFault(explain: (error: unknown) => number): void {
  process.on("uncaughtException", (error) => {
    for (const listener of faults) listener(error);
    if (faults.size === 0) process.exit(explain(error));
  });
}

// Only for who asks: a command that does not listen for its end is best ended by the system at once.
function abortOnSignal(): AbortController {
  const ended = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ended.abort());
  return ended;
}

/** Whoever reads may stop before we are done, as `head` does; a result that cannot be written otherwise, as on a full disk, is lost. */
function endWithoutOutput(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`vitrine: the result cannot be written (${error.code ?? error.message}).\n`);
  process.exit(2);
}
