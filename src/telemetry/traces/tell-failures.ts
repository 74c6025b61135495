interface Result {
  readonly code: number;
  readonly error?: unknown;
}

interface Exporter<T> {
  export(items: T, done: (result: Result) => void): void;
}

const SUCCESS = 0;
const NOTE_EVERY_MS = 60_000;

/** The exporter, which tells the operator that what it was given does not arrive: at most once a minute, and never what the collector says or where it is. */
export function tellFailures<T, E extends Exporter<T>>(
  exporter: E & Exporter<T>,
  what: string,
  note: (line: string) => void,
): E {
  let notedAt = Number.NEGATIVE_INFINITY;
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      const now = performance.now();
      if (result.code !== SUCCESS && now - notedAt > NOTE_EVERY_MS) {
        notedAt = now;
        note(`vitrine: ${what} do not arrive at the collector (${reasonOf(result.error)}); some are lost.`);
      }
      done(result);
    });
  return exporter;
}

/** A name of the system's for what went wrong, or the collector's status. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "number") return `status ${code}`;
  return typeof code === "string" && /^[A-Z][A-Z_]{1,40}$/.test(code) ? code : "no good answer";
}
