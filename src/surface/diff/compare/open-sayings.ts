import type { Unit } from "./list-units.ts";
import type { UnitPairs } from "./pair-units.ts";

/** Compares what names tools: where only the names differ that the tools have in the two manifests, it says the same. */
export interface Sayings {
  sameText(before: string, after: string): boolean;
  /** Of labels of tools. */
  sameTools(before: readonly string[], after: readonly string[]): boolean;
}

export function openSayings(base: readonly Unit[], head: readonly Unit[], { renamed, replaced }: UnitPairs): Sayings {
  const names = new Map([...renamed, ...replaced].map(({ before, after }) => [before.name, after.name]));
  const [old, now] = [openPlain(base), openPlain(head)];
  const rename = (text: string) => text.replace(/`([^`\n]+)`/g, (_, name: string) => `\`${names.get(name) ?? name}\``);
  const oldName = new Map(base.map(({ label, name }) => [label, names.get(name) ?? name]));
  const newName = new Map(head.map(({ label, name }) => [label, name]));
  const named = (labels: readonly string[], by: ReadonlyMap<string, string>) =>
    labels
      .map((label) => by.get(label) ?? label)
      .toSorted()
      .join("\n");
  return {
    sameText: (before, after) => rename(old(before)) === now(after),
    sameTools: (before, after) => named(before, oldName) === named(after, newName),
  };
}

/** Texts with each action under the name that it has by itself. */
function openPlain(units: readonly Unit[]): (text: string) => string {
  const said = units.flatMap(({ name, action }) =>
    action === undefined
      ? []
      : [[`\`${action.tool}\` with ${action.discriminator} \`${action.name}\``, `\`${name}\``] as const],
  );
  return (text) => said.reduce((done, [words, name]) => done.replaceAll(words, name), text);
}
