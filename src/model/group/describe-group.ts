import { counted } from "../counted.ts";
import type { Annotations } from "../tool.ts";
import type { Action } from "./merge-inputs.ts";

/** Clients cut beyond this (contract section 2, Descriptions). */
const LONGEST = 1_024;

export interface GroupDescription {
  readonly description: string;
  /** Of each action all that it says of itself; where that is too long for one description, only what it is for. */
  readonly told: "whole" | "purpose";
  /** Even the purposes are too long for it. */
  readonly tooLong: boolean;
}

/** What callers read of a group: how to choose, then a line an action, with what it does to the data. */
export function describeGroup(title: string, actions: readonly Action[]): GroupDescription {
  const { discriminator } = actions[0]!.group;
  const head = `${title}: ${counted(actions.length, "action")}, chosen by \`${discriminator}\`.`;
  const write = (say: (description: string) => string) =>
    [
      head,
      ...actions.map((one) => `- ${one.group.action} (${wordsOf(one.annotations)}): ${say(one.description)}`),
    ].join("\n");
  for (const [at, say] of TELLINGS.entries()) {
    const description = write(say);
    if (description.length <= LONGEST) return { description, told: at === 0 ? "whole" : "purpose", tooLong: false };
  }
  return { description: write(TELLINGS.at(-1)!), told: "purpose", tooLong: true };
}

/** From the fullest to the shortest. */
const TELLINGS: readonly ((description: string) => string)[] = [
  (description) => description,
  (description) => description.split(/ (?=Next: )/, 1)[0]!,
  (description) => description.split(/ (?=(?:Not for|Returns|Next): )/, 1)[0]!,
  (description) => /^[\s\S]*?[.!?](?=\s|$)/.exec(description)?.[0] ?? description,
];

/** The safest hints that are true of all. */
export function annotateGroup(actions: readonly Action[]): Annotations {
  const all = actions.map(({ annotations }) => annotations);
  return {
    readOnlyHint: all.every((one) => one.readOnlyHint),
    destructiveHint: all.some((one) => one.destructiveHint),
    idempotentHint: all.every((one) => one.idempotentHint),
    openWorldHint: all.some((one) => one.openWorldHint),
  };
}

function wordsOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Annotations): string {
  return [
    readOnlyHint ? "reads" : destructiveHint ? "destroys" : "writes",
    ...(!readOnlyHint && idempotentHint ? ["repeatable"] : []),
    ...(openWorldHint ? [] : ["closed world"]),
  ].join(", ");
}
