import type { ToolEntry } from "../../../curation/format.ts";
import { ownValue } from "../../../model/json.ts";
import { onceFor } from "../../../model/once-for.ts";
import type { PortableSchema } from "../../../model/schema.ts";
import type { LintSubject } from "../lint-rule.ts";

/** A text that agents read, and who wrote it. What we say ourselves (of `limit`, `filter`, pages) is not among them. */
export interface ReadText {
  readonly text: string;
  readonly by: "author" | "spec";
  /** A name, a value or a default, and no sentence. */
  readonly isWord?: true;
  /** In the curation: where it stands, or what brought it into the list. */
  readonly at: readonly (string | number)[];
  /** The tool's key in the curation. */
  readonly tool?: string;
}

/** Every text of the author's, and each of the spec's that reaches the list of tools. */
export const listTexts = onceFor(({ curation, tools }: LintSubject): readonly ReadText[] => {
  const { server, tools: entries } = curation.content;
  const own = (["title", "instructions"] as const).flatMap((key) => authored(server[key], ["server", key]));
  return [
    ...own,
    ...[...tools].flatMap(([name, tool]) => {
      const entry = ownValue(entries, name);
      if (entry === undefined) return [];
      const found = [...authorsTexts(entry, ["tools", name]), ...specTexts(entry, ["tools", name], tool)];
      return found.map((one) => ({ ...one, tool: name }));
    }),
  ];
});

/** Where any operation may be searched for, agents also read what the spec calls each of them. */
export function exploredTexts({ curation, api }: LintSubject): readonly ReadText[] {
  if (curation.content.server.explore !== true) return [];
  return api.index.flatMap(({ summary }) =>
    summary === undefined ? [] : [{ text: summary, by: "spec" as const, at: ["server", "explore"] }],
  );
}

function authored(text: string | undefined, at: ReadText["at"]): ReadText[] {
  return text === undefined ? [] : [{ text, by: "author", at }];
}

function authorsTexts(entry: ToolEntry, at: ReadText["at"]): ReadText[] {
  const { confirm } = entry;
  const asked = typeof confirm === "string" ? confirm : confirm?.text;
  return [
    ...(["title", "use", "notFor", "returns"] as const).flatMap((key) => authored(entry[key], [...at, key])),
    ...Object.entries(entry.next ?? {}).flatMap(([name, why]) => authored(why, [...at, "next", name])),
    ...Object.entries(entry.input ?? {}).flatMap(([name, { describe }]) =>
      authored(describe, [...at, "input", name, "describe"]),
    ),
    ...authored(asked, [...at, "confirm"]),
    ...authored(entry.result?.emptyNote, [...at, "result", "emptyNote"]),
    ...(entry.errors ?? []).flatMap(({ recover }, index) => authored(recover, [...at, "errors", index, "recover"])),
    ...(entry.suggest ?? []).flatMap(({ why }, index) => authored(why, [...at, "suggest", index, "why"])),
  ];
}

/** What stands where the spec has no word. */
const OURS = /^Sends [A-Z]+ \//;

interface Listed {
  readonly description: string;
  readonly inputSchema: PortableSchema;
}

/** What the author left to the spec: the description, and what is said of inputs and within them. */
function specTexts(entry: ToolEntry, at: ReadText["at"], { description, inputSchema }: Listed): ReadText[] {
  const isSpecs = entry.use === undefined && entry.operation !== undefined && !OURS.test(description);
  const inputs = Object.entries(inputSchema.properties ?? {}).flatMap(([name, schema]) => {
    const input = ownValue(entry.input ?? {}, name);
    if (input === undefined) return [];
    const { description: said, enum: values, ...rest } = schema;
    const left: PortableSchema = {
      ...rest,
      ...(input.describe === undefined && said !== undefined && { description: said }),
      ...(input.enum === undefined && values !== undefined && { enum: values }),
    };
    return textsOf(left).map((one) => ({ ...one, by: "spec" as const, at: [...at, "input", name] }));
  });
  return [...(isSpecs ? [{ text: description, by: "spec" as const, at: [...at, "operation"] }] : []), ...inputs];
}

/** Descriptions, values and names, at any depth. */
function textsOf(schema: PortableSchema): Pick<ReadText, "text" | "isWord">[] {
  const { description, enum: values = [], default: preset, properties = {}, items } = schema;
  const words = [...values, ...(typeof preset === "string" ? [preset] : []), ...Object.keys(properties)];
  return [
    ...(description === undefined ? [] : [{ text: description }]),
    ...words.map((text) => ({ text, isWord: true as const })),
    ...Object.values(properties).flatMap(textsOf),
    ...(items === undefined ? [] : textsOf(items)),
  ];
}
