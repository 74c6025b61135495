import type { Call } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import type { Step } from "../../model/step.ts";
import type { Entity, Input, Plan, Tool, ToolFilter, Toolset, ValueSource } from "../../model/tool.ts";
import type { ManifestPart } from "../manifest-format.ts";
import { isPlainWire, wireType } from "./bare-types.ts";
import { digestCall } from "./digest-call.ts";
import { makePart, type NamedPart, partsByName } from "./make-part.ts";
import { valueJson } from "./value-text.ts";

/**
 * How arguments become requests, piece by piece: what is sent where, in which form and under which conditions. What is only said is not in it, nor
 * what `Conduct` tells by itself, nor anything of `api` in the curation (which may be secret).
 */
export function digestRequests(tool: Tool, toolset: Toolset): Readonly<Record<string, ManifestPart>> {
  const tell: Tell = (call, of) => digestCall(call, toolset, of);
  const { shape, filter, inputs, states = [] } = tool;
  const totals = shape.kind === "list" ? shape.totals : undefined;
  return partsByName([
    ...tellPlan(tool.plan, tell),
    ...(totals?.kind === "aggregate" ? tell(totals.call, "totals: ") : []),
    ...inputs.flatMap((input) => tellInput(input, tell)),
    ...(filter === undefined ? [] : tellFilter(filter, tell)),
    ...entitiesOf(tool, toolset).flatMap((entity) => tellEntity(entity, tell)),
    ...toolset.pins.map(({ name, value }): NamedPart => [`pinned ${name}`, makePart(valueJson(value))]),
    ...(toolset.states ?? [])
      .filter(({ name }) => states.includes(name))
      .flatMap(({ name, call, when }): readonly NamedPart[] => [
        [`state ${name}: when`, makePart(when.jmespath)],
        ...tell(call, `state ${name}: `),
      ]),
  ]);
}

/** The kinds of thing that its inputs name. */
export function entitiesOf({ inputs }: Tool, { entities }: Toolset): readonly Entity[] {
  return entities.filter(({ name }) => inputs.some(({ entity }) => entity === name));
}

type Tell = (call: Call, of: string) => readonly NamedPart[];

function tellPlan(plan: Plan, tell: Tell): readonly NamedPart[] {
  switch (plan.kind) {
    case "call":
      return tell(plan.call, "");
    case "steps": {
      const writes = plan.steps.flatMap((step) => (step.kind === "call" && !step.safe ? [step.id] : []));
      return [
        ...(writes.length > 1 ? [["order of writes", makePart(writes)] as const] : []),
        ...plan.steps.flatMap((step) => tellStep(step, tell)),
      ];
    }
    case "access":
      return [];
    case "explore":
      return [["explore", makePart(plan.does)]];
    case "group":
      return [];
    default:
      return plan satisfies never;
  }
}

function tellStep(step: Step, tell: Tell): readonly NamedPart[] {
  const { id } = step;
  const when = step.when?.jmespath ?? null;
  if (step.kind === "value") return [[`${id}: gives`, makePart([when, step.value.jmespath])]];
  const { forEach, all, optional, text = null } = step;
  const told: Json = [
    when,
    optional,
    forEach === undefined ? null : [forEach.list.jmespath, forEach.max],
    all === undefined ? null : [all.rows?.jmespath ?? null, all.max],
    text as Json,
  ];
  return [[`${id}: runs`, makePart(told)], ...tell(step.call, `${id}: `)];
}

function tellInput(
  { name, type, form, identified, valuesFrom, default: own }: Input,
  tell: Tell,
): readonly NamedPart[] {
  // The unit of a form stands by itself, and may read another input; plain types are those of the schema.
  const wire = wireType(type);
  const told: Json = [wire, form?.as ?? null, identified === undefined ? null : wireType(identified.type)];
  const isPlain = isPlainWire(wire) && form === undefined && identified === undefined;
  return [
    ...(isPlain ? [] : [[`input ${name}`, makePart(told, { inputs: [name] })] as const]),
    // Unlike what the upstream takes by itself, it is sent.
    ...(own === undefined ? [] : [[`default ${name}`, makePart(null, { inputs: [name] })] as const]),
    ...(valuesFrom === undefined ? [] : tellSource(valuesFrom, `values of ${name}: `, tell)),
  ];
}

function tellSource({ call, rows, field }: ValueSource, of: string, tell: Tell): readonly NamedPart[] {
  return [[`${of}read`, makePart([rows.jmespath, field.jmespath])], ...tell(call, of)];
}

function tellFilter({ always, fields, from }: ToolFilter, tell: Tell): readonly NamedPart[] {
  return [
    ...always.map(([key, value]): NamedPart => [`always ${key}`, makePart(valueJson(value))]),
    ...fields.map(({ name, to, templates = null, values, as = null }): NamedPart => {
      // A value that is its own word needs none.
      const odd = (values ?? []).filter(({ text, wire }) => text !== wire).map(({ text, wire }) => [text, wire]);
      return [`filter field ${name}`, makePart([to, templates as Json, odd, as as unknown as Json])];
    }),
    ...(from === undefined ? [] : tellSource(from, "filter fields: ", tell)),
    ...(from?.type === undefined ? [] : [["filter fields: type", makePart(from.type.jmespath)] as const]),
  ];
}

/** Without the list of candidates, which is only asked for what an error says. */
function tellEntity({ name, aliases }: Entity, tell: Tell): readonly NamedPart[] {
  const told: Json = aliases.map((one) => [one.pattern, one.kind === "rewrite" ? valueJson(one.to) : one.ids.jmespath]);
  return [
    [`identifiers of ${name}`, makePart(told)],
    ...aliases.flatMap((one, at) =>
      one.kind === "rewrite" ? [] : tell(one.call, `identifiers of ${name} ${at + 1}: `),
    ),
  ];
}
