import type { Literal } from "../model/filter.ts";
import { isWhole } from "./check-templates.ts";
import type { Dialect, Leaf } from "./dialect.ts";
import { templateOf, valuePathsOf, valuesOf } from "./dialect.ts";
import { NotExpressible } from "./refusal.ts";
import { siblingFault } from "./sibling-fault.ts";
import { templateFault } from "./template-fault.ts";

/** Why a dialect cannot write a leaf as it stands; undefined where it can. */
export function findFault(leaf: Leaf, dialect: Dialect): NotExpressible | undefined {
  if (!hasOperator(leaf, dialect)) return noOperator(leaf, dialect);
  if (!dialect.fieldNames.test(leaf.field.to)) {
    return new NotExpressible(leaf.path, `${dialect.name} cannot write the name of the field \`${leaf.field.name}\`.`);
  }
  const template = templateOf(leaf);
  const reason =
    (template === undefined ? dialect.refuse?.(leaf) : undefined) ??
    (dialect.plain ? siblingFault(leaf, dialect.plain) : undefined);
  if (reason !== undefined) return new NotExpressible(leaf.path, reason, leaf.kind !== "null");
  for (const [index, literal] of valuesOf(leaf).entries()) {
    const why = valueFault(literal, leaf, dialect);
    if (why !== undefined) return new NotExpressible(valuePathsOf(leaf)[index] ?? leaf.path, why, true);
  }
  return undefined;
}

function valueFault(literal: Literal, leaf: Leaf, dialect: Dialect): string | undefined {
  const template = templateOf(leaf);
  return (
    characterFault(literal, dialect) ??
    dialect.refuseValue?.(literal, leaf) ??
    (template === undefined ? undefined : templateFault(template, literal, leaf, dialect.insertion))
  );
}

function hasOperator(leaf: Leaf, dialect: Dialect): boolean {
  const template = templateOf(leaf);
  // Where the author wrote how a parameter is said, its plain form means something else.
  if (template === undefined && dialect.plain !== undefined && hasTemplates(leaf)) return false;
  if (template === undefined || leaf.op === "not_contains")
    return dialect.capabilities[leaf.op].includes(leaf.field.type);
  return isWhole(template, leaf.op);
}

function hasTemplates({ field: { templates = {} } }: Leaf): boolean {
  return Object.keys(templates).length > 0;
}

/** Half a character cannot be sent as UTF-8; a control character cannot be sent in a text that someone parses. */
function characterFault({ text }: Literal, dialect: Dialect): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return "It holds half a character (a lone surrogate).";
  if (!dialect.takesControls && /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text))
    return `A control character cannot be written in ${dialect.name}.`;
  return undefined;
}

export function noOperator(leaf: Leaf, dialect: Dialect): NotExpressible {
  const { op, field, path } = leaf;
  if (leaf.kind === "null" && leaf.completes !== undefined) {
    const reason = `\`${leaf.completes}\` also keeps rows without \`${field.name}\`, and ${dialect.name} cannot ask for them.`;
    return new NotExpressible(path, reason);
  }
  const what = op === "not_contains" ? "`none` over `contains`" : `\`${op}\``;
  return new NotExpressible(path, `${dialect.name} has no ${what} for the ${field.type} field \`${field.name}\`.`);
}
