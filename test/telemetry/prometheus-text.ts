// A reader of Prometheus' text format 0.0.4 that shares nothing with what writes it: character by character, and strict.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

/** The families by name. Throws where the text is not of the format, or a sample stands in no family or twice. */
export function readPrometheus(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end.");
  const families = new Map<string, { help: string; type: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let current = "";
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.*)$/.exec(line) ?? [];
    if (kind === "HELP") {
      if (families.has(name)) throw new Error(`${name} comes twice.`);
      families.set(name, { help: rest, type: "untyped", samples: [] });
      current = name;
    } else if (kind === "TYPE") {
      if (name !== current || !/^(counter|gauge|histogram)$/.test(rest))
        throw new Error(`A type is out of place: ${line}`);
      families.get(name)!.type = rest;
    } else {
      const sample = readSample(line);
      const family = families.get(current)!;
      const suffix = family.type === "histogram" ? /(_bucket|_sum|_count)$/ : /$/;
      if (sample.name.replace(suffix, "") !== current) throw new Error(`A sample is out of place: ${line}`);
      const key = JSON.stringify([sample.name, sample.labels]);
      if (seen.has(key)) throw new Error(`A sample comes twice: ${line}`);
      seen.add(key);
      family.samples.push(sample);
    }
  }
  return families;
}

function readSample(line: string): Sample {
  const name = /^[a-zA-Z_:][\w:]*/.exec(line)?.[0] ?? "";
  if (name === "") throw new Error(`No name: ${line}`);
  let at = name.length;
  const labels: Record<string, string> = {};
  if (line[at] === "{") {
    at += 1;
    while (line[at] !== "}") {
      const label = /^[a-zA-Z_]\w*/.exec(line.slice(at))?.[0] ?? "";
      at += label.length;
      if (label === "" || Object.hasOwn(labels, label) || line.slice(at, at + 2) !== '="')
        throw new Error(`No label: ${line}`);
      at += 2;
      let value = "";
      for (; line[at] !== '"'; at += 1) {
        if (at >= line.length) throw new Error(`No end of a value: ${line}`);
        if (line[at] !== "\\") {
          value += line[at];
          continue;
        }
        at += 1;
        const escaped = { n: "\n", "\\": "\\", '"': '"' }[line[at] ?? ""];
        if (escaped === undefined) throw new Error(`No such escape: ${line}`);
        value += escaped;
      }
      at += 1;
      labels[label] = value;
      if (line[at] === ",") at += 1;
      else if (line[at] !== "}") throw new Error(`No comma: ${line}`);
    }
    at += 1;
  }
  const number = line.slice(at);
  if (!/^ (\+Inf|-?\d+(\.\d+)?(e[+-]?\d+)?)$/.test(number)) throw new Error(`No number: ${line}`);
  return { name, labels, value: number === " +Inf" ? Number.POSITIVE_INFINITY : Number(number) };
}
