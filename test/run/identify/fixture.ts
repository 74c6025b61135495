import type { JsonObject } from "../../../src/model/json.ts";
import type { Alias, Entity, Input, Tool } from "../../../src/model/tool.ts";
import type { ValueType } from "../../../src/model/value.ts";
import { identifyArguments } from "../../../src/run/identify/identify-arguments.ts";
import type { Access } from "../../../src/run/open-access.ts";
import {
  argumentsOf,
  askingOf,
  bind,
  dimensions,
  expression,
  type Given,
  input,
  operation,
  query,
  type Script,
  scripted,
  value,
} from "../filter/fixture.ts";

/** Operation 1 lists, 2 looks up. */
export const OPERATIONS = [operation("/tasks/{id}"), operation("/tasks"), operation("/search")];

export const rewriting = (pattern: string, to: string): Alias => ({ pattern, kind: "rewrite", to: value(to) });
export const text = (...parts: (string | { readonly jmespath: string })[]) => ({ kind: "text", parts }) as const;

/** Looks up at `/search?q=…` by the first group. */
export const looking = (pattern: string, ids = "items[].id", from = "captures[1]"): Alias => ({
  pattern,
  kind: "look-up",
  call: {
    operation: 2,
    bindings: [bind(query("q"), from), bind(query("tenant"), "pins.tenant", { pinned: true })],
  },
  ids: expression(ids),
});

export const entityOf = (aliases: readonly Alias[], more: Partial<Entity> = {}): Entity => ({
  name: "task",
  tool: "ledger_list_dimensions",
  field: "name",
  aliases,
  ...more,
});

/** The list at `GET /tasks`: rows with an `id`. */
export const SOURCE = dimensions({ rows: expression("tasks"), field: expression("id") });

export const naming = (name: string, type: ValueType = { kind: "string" }, more: Partial<Input> = {}): Input =>
  input(name, type.kind === "array" ? { kind: "array", items: { kind: "string" } } : { kind: "string" }, {
    entity: "task",
    identified: { type },
    ...more,
  });

export interface Naming {
  readonly aliases?: readonly Alias[];
  readonly entity?: Partial<Entity>;
  readonly inputs?: readonly Input[];
  readonly script?: Script;
  readonly given?: Given;
  readonly tool?: Partial<Tool>;
  readonly access?: Access;
}

/** Resolves arguments over a scripted upstream; `run` gives those in both forms. */
export function identify(values: JsonObject, { aliases = [], entity, inputs, script, given, tool, access }: Naming) {
  const { egress, sent } = scripted(script ?? (async () => ({ items: [] })));
  const asking = askingOf(
    {
      operations: OPERATIONS,
      pins: { tenant: "t-1" },
      toolset: { entities: [entityOf(aliases, entity)] },
      tool: { inputs: inputs ?? [naming("task")], ...tool },
      ...(access !== undefined && { access }),
      ...given,
    },
    egress,
  );
  const run = async () => {
    const { values: caller, wire } = await identifyArguments(argumentsOf(values), asking);
    return { caller: Object.fromEntries(caller), wire: Object.fromEntries(wire) };
  };
  const asked = () => sent.map(({ url }) => url.slice(new URL(url).origin.length));
  return { run, asked, asking };
}
