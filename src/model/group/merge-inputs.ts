import type { PortableSchema } from "../schema.ts";
import type { Tool } from "../tool.ts";
import type { GroupPlace } from "./group-place.ts";
import { mergeSchemas } from "./merge-schemas.ts";
import { mergeWords } from "./merge-words.ts";
import { ownValues } from "./own-values.ts";

/** A tool that is an action of a group. */
export type Action = Tool & { readonly group: GroupPlace };

/** Two actions whose input of one name is not of one type. */
export interface InputClash {
  /** With the way inside it: `filter.value`. */
  readonly input: string;
  readonly actions: readonly [string, string];
  readonly types: readonly [string, string];
}

export interface MergedInputs {
  readonly schema: PortableSchema;
  readonly clashes: readonly InputClash[];
}

const LONGEST_DESCRIPTION = 1_024;

/** The arguments of a group: the one that chooses the action, then those of all its actions, each with the actions that take it. */
export function mergeInputs(actions: readonly Action[]): MergedInputs {
  const { discriminator } = actions[0]!.group;
  const names = actions.map(({ group }) => group.action);
  const clashes: InputClash[] = [];
  const inputs = [...new Set(actions.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {})))].filter(
    (name) => name !== discriminator,
  );
  const properties = inputs.map((name) => [name, mergeInput(name, actions, clashes)] as const);
  const always = inputs.filter((name) => actions.every((one) => requires(one, name)));
  const choice: PortableSchema = { type: "string", description: `What to do. ${ALWAYS}`, enum: names };
  return {
    schema: {
      type: "object",
      properties: { [discriminator]: choice, ...Object.fromEntries(properties) },
      required: [discriminator, ...always],
    },
    clashes,
  };
}

function mergeInput(name: string, actions: readonly Action[], clashes: InputClash[]): PortableSchema {
  const takers = actions.filter(({ inputSchema }) => Object.hasOwn(inputSchema.properties ?? {}, name));
  const own = takers.map((one) => ({ action: one.group.action, schema: one.inputSchema.properties![name]! }));
  const merged = own.slice(1).reduce(
    (before, { action, schema }) =>
      mergeSchemas(before, schema, ({ path, types }) => {
        const inside = path === "" || path.startsWith("[") ? path : `.${path}`;
        clashes.push({ input: `${name}${inside}`, actions: [own[0]!.action, action], types });
      }),
    own[0]!.schema,
  );
  const note = requirementNote(
    takers.filter((one) => requires(one, name)).map(({ group }) => group.action),
    own.map(({ action }) => action),
    actions.length,
  );
  const schemas = own.map(({ schema }) => schema);
  const words = mergeWords(
    own.map(({ action, schema }) => ({
      action,
      text: [schema.description ?? "", ...ownValues(schema, schemas)].filter((part) => part !== "").join(" "),
    })),
  );
  const room = LONGEST_DESCRIPTION - note.length - 1;
  const shown = words.length <= room ? words : `${words.slice(0, room - 1).replace(/\s+\S*$/, "")}…`;
  const { default: fallback, ...schema } = merged;
  return {
    ...schema,
    description: shown === "" ? note : `${shown} ${note}`,
    // A client that fills in defaults must not give an action what it does not take; the words still tell them.
    ...(fallback !== undefined && takers.length === actions.length && { default: fallback }),
  };
}

const ALWAYS = "(always required)";

/** Contract section 2, Grouped: which of the actions take an input, and which of them need it. */
function requirementNote(needing: readonly string[], taking: readonly string[], all: number): string {
  if (needing.length === all) return ALWAYS;
  const others = taking.filter((action) => !needing.includes(action));
  if (needing.length === 0) return `For: ${others.join(", ")}`;
  const required = `Required for: ${needing.join(", ")}`;
  return others.length === 0 ? required : `${required}. For: ${others.join(", ")}`;
}

function requires({ inputSchema }: Tool, name: string): boolean {
  return inputSchema.required?.includes(name) === true;
}
