import { bareSchema } from "../../model/bare-schema.ts";
import type { Call } from "../../model/call.ts";
import { compareTexts } from "../../model/compare-texts.ts";
import type { Json } from "../../model/json.ts";
import type { Input, Tool } from "../../model/tool.ts";
import type { ManifestInput } from "../manifest-format.ts";
import { beyondSchema, takenBeside, wireType } from "./bare-types.ts";
import { shortDigest } from "./canonical.ts";
import { checksBesideNull } from "./residual-checks.ts";
import { formText } from "./value-text.ts";

/** What counts where a caller leaves an input out: the author's, else what the upstream says that it takes. That of `limit` stands by itself. */
export function describeDefaults({ inputs, shape }: Tool): Readonly<Record<string, Json>> {
  const hasLimit = shape.kind === "list" && shape.limit !== undefined;
  return Object.fromEntries(
    inputs.flatMap((input): [string, Json][] => {
      const { default: own, type } = input;
      if (hasLimit && input.name === "limit") return [];
      if (own?.kind === "relative") return [[input.name, own.time.words]];
      const value = own?.value ?? type.preset;
      return value === undefined ? [] : [[input.name, value]];
    }),
  );
}

/** The inputs of which there is more to say than their schema; `keyOf` names a call's operation. */
export function describeInputs(tool: Tool, keyOf: (call: Call) => string): Readonly<Record<string, ManifestInput>> {
  const described = tool.inputs.map((input) => [input.name, describeInput(input, tool, keyOf)] as const);
  return Object.fromEntries(described.filter(([, one]) => Object.keys(one).length > 0));
}

function describeInput(input: Input, tool: Tool, keyOf: (call: Call) => string): ManifestInput {
  const { form, end, entity, valuesFrom } = input;
  const checks = checksOf(input, tool);
  const takes = takenBeside(input.type).toSorted(compareTexts);
  return {
    ...(form !== undefined && { form: formText(form) }),
    ...(end !== undefined && { end }),
    ...(entity !== undefined && { entity }),
    ...(valuesFrom !== undefined && { valuesFrom: keyOf(valuesFrom.call) }),
    ...(takes.length > 0 && { takes }),
    ...(checks !== undefined && { checks }),
  };
}

function checksOf({ name, type, residual: whole, identified }: Input, { inputSchema }: Tool): string | undefined {
  const residual = whole === undefined || type.nullable !== true ? whole : checksBesideNull(whole);
  const schema = new Map(Object.entries(inputSchema.properties ?? {})).get(name);
  const beyond = beyondSchema(type, schema);
  if (beyond === null && residual === undefined && identified === undefined) return undefined;
  return shortDigest({
    beyond,
    ...(residual !== undefined && { residual: bareSchema(residual) }),
    ...(identified !== undefined && {
      identified: [wireType(identified.type), beyondSchema(identified.type, undefined)],
      ...(identified.residual !== undefined && { identifiedResidual: bareSchema(identified.residual) }),
    }),
  });
}
