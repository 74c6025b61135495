import { NotExpressible } from "../../filter/refusal.ts";
import type { ToolFilter } from "../../model/tool.ts";
import { refuseArguments } from "../arguments/argument-faults.ts";

type Always = ToolFilter["always"];

/** Runs what reads the values of `always`, and tells of a value that is not of its field's type. */
export function explainAlways<T>(always: Always, read: () => T): T {
  return explain(read, (error) => refuseValue(error, always, "invalid_arguments") ?? faultOfAlways(error));
}

/** Runs a writer of filters, and tells of what the upstream's language cannot say. */
export function explainWriting<T>(always: Always, write: () => T): T {
  return explain(write, (error) => {
    const { path, message, isOfValue } = error;
    if (!isOfAlways(path)) return refuseArguments([{ code: "filter_not_expressible", path, message }]);
    return (isOfValue ? refuseValue(error, always, "filter_not_expressible") : undefined) ?? faultOfAlways(error);
  });
}

function explain<T>(run: () => T, make: (error: NotExpressible) => Error): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof NotExpressible ? make(error) : error;
  }
}

function isOfAlways(path: string): boolean {
  return /^always\b/.test(path);
}

/** Where one argument alone makes the value, its caller can correct it, and is told in words of that argument. */
function refuseValue(
  { path, message }: NotExpressible,
  always: Always,
  code: "invalid_arguments" | "filter_not_expressible",
): Error | undefined {
  const entry = always.find(([key]) => path === `always.${key}` || path.startsWith(`always.${key}.value`));
  const value = entry?.[1];
  if (value?.kind !== "expression") return undefined;
  const name = /^(?:\$\.)?input\.("?)([A-Za-z_]\w*)\1$/.exec(value.expression.jmespath)?.[2];
  if (name === undefined) return undefined;
  return refuseArguments([{ code, path: name, message: message.replaceAll(`\`${path}\``, `\`${name}\``) }]);
}

/** Callers learn nothing of a condition that they do not see: an Error is the operator's. */
function faultOfAlways(error: NotExpressible): Error {
  return new Error(`A condition of \`filter.always\` cannot be asked for: ${error.message}`, { cause: error });
}
