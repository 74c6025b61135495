/** A metric: `of` gives the sample of its labels' values, made when it is first asked for. Whoever keeps it need not look it up again. */
export interface Family<Sample> {
  of(values: readonly string[]): Sample;
}

export interface Counter {
  add(by: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

export type AskedSample = readonly [labels: readonly string[], value: number];

export interface Families {
  /** A name of a counter ends in `_total`. */
  counter(name: string, help: string, labels: readonly string[]): Family<Counter>;
  /** `bounds` ascend; a last one without end is added. */
  histogram(name: string, help: string, labels: readonly string[], bounds: readonly number[]): Family<Histogram>;
  /** What is only known when it is asked for. */
  ask(
    name: string,
    type: "counter" | "gauge",
    help: string,
    labels: Readonly<Record<string, string>>,
    value: () => number,
  ): void;
  /** Likewise, with a sample for each set of labels' values that there is then. */
  askAll(name: string, help: string, labels: readonly string[], read: () => readonly AskedSample[]): void;
  /** All of them in Prometheus' text format 0.0.4. */
  text(): string;
}

type Labels = readonly (readonly [name: string, value: string])[];

/** Metrics in memory: one set of samples for each set of label values that ever came, so whoever adds keeps those few. */
export function openFamilies(): Families {
  const writers: (() => string[])[] = [];
  return {
    counter(name, help, labels) {
      const samples = openSamples(labels, openCounter);
      writers.push(() => [
        ...head(name, help, "counter"),
        ...samples.all().map(([given, counter]) => sample(name, given, counter.read())),
      ]);
      return samples;
    },
    histogram(name, help, labels, bounds) {
      const samples = openSamples(labels, () => openHistogram(bounds));
      writers.push(() => [
        ...head(name, help, "histogram"),
        ...samples.all().flatMap(([given, { read }]) => writeHistogram(name, given, bounds, read())),
      ]);
      return samples;
    },
    ask(name, type, help, labels, value) {
      writers.push(() => [...head(name, help, type), sample(name, Object.entries(labels), value())]);
    },
    askAll(name, help, labels, read) {
      writers.push(() => [
        ...head(name, help, "gauge"),
        ...read().map(([values, value]) =>
          sample(
            name,
            labels.map((label, at) => [label, values[at] ?? ""]),
            value,
          ),
        ),
      ]);
    },
    text: () => writers.flatMap((write) => [...write(), ""]).join("\n"),
  };
}

function openCounter() {
  let value = 0;
  return {
    add(by: number) {
      value += by;
    },
    read: () => value,
  };
}

function openHistogram(bounds: readonly number[]) {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  let sum = 0;
  return {
    observe(value: number) {
      sum += value;
      const at = bounds.findIndex((bound) => value <= bound);
      const slot = at === -1 ? bounds.length : at;
      counts[slot] = (counts[slot] ?? 0) + 1;
    },
    read: () => ({ counts, sum }),
  };
}

function openSamples<T>(names: readonly string[], make: () => T) {
  const samples = new Map<string, readonly [Labels, T]>();
  return {
    of(values: readonly string[]): T {
      // No value holds a line feed: they are names of tools and servers, and codes.
      const key = values.join("\n");
      const known = samples.get(key);
      if (known !== undefined) return known[1];
      const labels = names.map((name, at) => [name, values[at] ?? ""] as const);
      const made = make();
      samples.set(key, [labels, made]);
      return made;
    },
    all: () => [...samples.values()],
  };
}

/** Counts of a histogram's text add up from bound to bound. */
function writeHistogram(
  name: string,
  labels: Labels,
  bounds: readonly number[],
  { counts, sum }: { readonly counts: readonly number[]; readonly sum: number },
): string[] {
  let count = 0;
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, at) => {
    count += counts[at] ?? 0;
    return sample(`${name}_bucket`, [...labels, ["le", number(bound)]], count);
  });
  return [...buckets, sample(`${name}_sum`, labels, sum), sample(`${name}_count`, labels, count)];
}

function head(name: string, help: string, type: string): string[] {
  return [`# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`, `# TYPE ${name} ${type}`];
}

function sample(name: string, labels: Labels, value: number): string {
  const written = labels.map(([label, text]) => `${label}="${escapeValue(text)}"`).join(",");
  return `${name}${written === "" ? "" : `{${written}}`} ${number(value)}`;
}

function escapeValue(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function number(value: number): string {
  return value === Number.POSITIVE_INFINITY ? "+Inf" : String(value);
}
