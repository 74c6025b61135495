import type { Severity } from "../model/problem.ts";
import type { PortableSchema } from "../model/schema.ts";

/** How much there is in the schema of one tool's inputs. */
export interface SchemaSize {
  /** At the root. */
  readonly inputs: number;
  /** At any depth. */
  readonly properties: number;
  /** At any depth, those that may be left out. */
  readonly optional: number;
  /** Levels of objects. */
  readonly depth: number;
  /** The longest enum. */
  readonly values: number;
}

export function sizeOf(schema: PortableSchema): SchemaSize {
  const named = Object.entries(schema.properties ?? {});
  const own = named.map(([, one]) => one);
  const inside = [...own, ...(schema.items === undefined ? [] : [schema.items])].map(sizeOf);
  const most = (read: (size: SchemaSize) => number) => Math.max(0, ...inside.map(read));
  const sum = (read: (size: SchemaSize) => number) => inside.reduce((total, one) => total + read(one), 0);
  return {
    inputs: own.length,
    properties: own.length + sum(({ properties }) => properties),
    optional:
      named.filter(([name]) => schema.required?.includes(name) !== true).length + sum(({ optional }) => optional),
    depth: most(({ depth }) => depth) + Number(schema.properties !== undefined),
    values: Math.max(
      schema.enum?.length ?? 0,
      most(({ values }) => values),
    ),
  };
}

/** Of the schemas of one tool: beyond the first a model does worse, beyond the second some clients refuse. */
const BOUNDS = {
  inputs: { code: "many_inputs", what: "inputs", warn: 15, most: 25 },
  depth: { code: "deep_schema", what: "levels of input", warn: 3, most: 5 },
  values: { code: "many_values", what: "values of one input", warn: 20, most: 50 },
} as const;

export interface SizeFinding {
  readonly severity: Severity;
  readonly code: "many_inputs" | "deep_schema" | "many_values";
  readonly message: string;
}

/** What is too much for any client. */
export function checkSize(size: SchemaSize): readonly SizeFinding[] {
  return (["inputs", "depth", "values"] as const).flatMap((key): readonly SizeFinding[] => {
    const { code, what, warn, most } = BOUNDS[key];
    if (size[key] > most)
      return [{ severity: "warning", code, message: `${size[key]} ${what}; some models and clients take ${most}.` }];
    if (size[key] <= warn) return [];
    return [{ severity: "note", code, message: `${size[key]} ${what}; over ${warn} a model does worse.` }];
  });
}
