/** What becomes of a gauge of several processes; the highest unless said here. */
const GAUGES: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ["vitrine_calls_under_way", add],
  ["vitrine_files_served", Math.min],
  ["vitrine_shared_up", Math.min],
]);

interface Family {
  readonly help: string;
  readonly type: string;
  /** By name and labels, as they are written. */
  readonly samples: Map<string, number>;
}

/**
 * What several processes have counted (`Metrics.text`), as if one had: counts are added up, of gauges it depends. Of those that are `gone` only what they
 * counted is left, and their gauges are not.
 */
export function sumMetrics(texts: readonly string[], gone?: string): string {
  const families = new Map<string, Family>();
  for (const text of texts) addText(text, families, () => true);
  if (gone !== undefined) addText(gone, families, (type) => type !== "gauge");
  return [...families.values()].map(writeFamily).join("\n");
}

function addText(text: string, families: Map<string, Family>, takes: (type: string) => boolean): void {
  let [name, help] = ["", ""];
  let family: Family | undefined;
  for (const line of text.split("\n")) {
    if (line.startsWith("# HELP ")) {
      [, name = ""] = line.split(" ", 3).slice(1);
      help = line;
      family = undefined;
    } else if (line.startsWith("# TYPE ")) {
      const type = line.slice(line.lastIndexOf(" ") + 1);
      family = takes(type) ? (families.get(name) ?? { help, type: line, samples: new Map() }) : undefined;
      if (family !== undefined) families.set(name, family);
    } else if (family !== undefined && line !== "") {
      // No value holds a space, whatever labels hold.
      const at = line.lastIndexOf(" ");
      addSample(name, family, line.slice(0, at), Number(line.slice(at + 1)));
    }
  }
}

function addSample(name: string, { type, samples }: Family, key: string, value: number): void {
  const known = samples.get(key);
  const join = type.endsWith(" gauge") ? (GAUGES.get(name) ?? Math.max) : add;
  samples.set(key, known === undefined ? value : join(known, value));
}

function writeFamily({ help, type, samples }: Family): string {
  return [help, type, ...[...samples].map(([key, value]) => `${key} ${value}`), ""].join("\n");
}

function add(a: number, b: number): number {
  return a + b;
}
