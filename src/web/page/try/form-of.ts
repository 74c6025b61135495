import type { JsonObject } from "../../../model/json.ts";
import type { PortableSchema } from "../../../model/schema.ts";
import type { PageInput, PageTool, Runs } from "../../page-data.ts";

/** What is tried: a tool, or one action of a group. */
export interface Form {
  readonly key: string;
  readonly tool: string;
  readonly action?: string;
  readonly schema: PortableSchema;
  readonly inputs: Readonly<Record<string, PageInput>>;
  readonly examples: readonly JsonObject[];
  readonly runs: Runs;
  /** What is sent, of a group with its discriminator. */
  complete(given: JsonObject): JsonObject;
}

export function formOf(tool: PageTool, wanted: string | undefined): Form {
  const { listed, discriminator, actions } = tool;
  const chosen = actions.find(({ action }) => action === wanted) ?? actions[0];
  if (discriminator === undefined || chosen === undefined) {
    const { inputs, examples, runs } = tool;
    const schema = listed.inputSchema;
    return { key: listed.name, tool: listed.name, schema, inputs, examples, runs, complete: (given) => given };
  }
  const { action, inputSchema: schema, inputs, examples, runs } = chosen;
  return {
    key: `${listed.name}/${action}`,
    tool: listed.name,
    action,
    schema,
    inputs,
    examples,
    runs,
    complete: (given) => ({ [discriminator]: action, ...given }),
  };
}
