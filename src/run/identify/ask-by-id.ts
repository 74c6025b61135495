import type { Call } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import { type Json, ownValue } from "../../model/json.ts";
import type { Expression, Value } from "../../model/value.ts";
import { type Ask, type Asking, openAsk } from "../exchange/ask-upstream.ts";
import { type Misnomer, refuseUnknown } from "./refuse-identifier.ts";

/**
 * Sends calls as `openAsk` does; where the upstream has nothing there (404) and the path was made of an argument that names a thing, or where the
 * author's own rule says so, the error is `unknown_id` with the tool that lists such things and the nearest of them. `each` is what `item` goes over,
 * where it is sent for each of a list.
 */
export function askById(asking: Asking, each?: Expression): Ask {
  const ask = openAsk(asking);
  const names = asking.tool.inputs.some(({ entity }) => entity !== undefined);
  if (!names) return ask;
  return async (call, rows) => {
    try {
      return await ask(call, rows);
    } catch (error) {
      throw await explainAbsence(error, call, asking, each);
    }
  };
}

async function explainAbsence(error: unknown, call: Call, asking: Asking, each?: Expression): Promise<unknown> {
  if (!(error instanceof ToolError)) return error;
  const isRuled = asking.tool.errors.some((rule) => rule.error === error.code);
  const isAbsent = error.code === "unknown_id" ? isRuled : isPlainAbsence(error) && !isRuled;
  if (!isAbsent) return error;
  // The author's word holds for whatever the call was made of; a status alone, for what the path leads to.
  const [named, ...others] = namedBy(call, asking, error.code !== "unknown_id", each);
  if (named === undefined) return error;
  const { message, recover, upstream } = error.detail;
  const why = others.map(({ path, text }) => `Or \`${path}\` is wrong: \`${text.slice(0, MOST_SHOWN)}\`.`).join(" ");
  const detail = { ...(upstream !== undefined && { upstream }), ...(isRuled && { message, recover }) };
  return refuseUnknown([named], asking, { detail, ...(why !== "" && { why }) });
}

const MOST_SHOWN = 64;

function isPlainAbsence({ code, detail }: ToolError): boolean {
  return code === "upstream_not_found" && detail.upstream?.status === 404;
}

/** The arguments that name things and of which a call is made, the last of its path first: that is most likely what was not found. */
function namedBy(call: Call, { tool, toolset, roots }: Asking, pathOnly: boolean, each?: Expression): Misnomer[] {
  const { path } = toolset.operations[call.operation]!;
  const positionOf = ({ place }: Call["bindings"][number]) =>
    place.in === "path" ? path.indexOf(`{${place.name}}`) : Number.POSITIVE_INFINITY;
  const made = call.bindings
    .filter(({ place, pinned }) => !pinned && (!pathOnly || place.in === "path"))
    .toSorted((a, b) => positionOf(b) - positionOf(a));
  const list = each && inputIn(each);
  const names = new Set(
    made.flatMap(({ value }) => partsOf(value).flatMap((one) => inputIn(one) ?? (isItem(one) ? (list ?? []) : []))),
  );
  return [...names].flatMap((name): Misnomer[] => {
    const kind = tool.inputs.find((input) => input.name === name)?.entity;
    const entity = toolset.entities.find((one) => one.name === kind);
    const value: Json = name === list ? (roots.item ?? null) : (ownValue(roots.input, name) ?? null);
    if (entity === undefined || value === null || typeof value === "object") return [];
    return [{ entity, text: String(value), path: name }];
  });
}

function partsOf(value: Value): readonly Expression[] {
  if (value.kind === "expression") return [value.expression];
  return value.kind === "text" ? value.parts.filter((part) => typeof part !== "string") : [];
}

/** The argument that an expression is. */
function inputIn({ jmespath }: Expression): string | undefined {
  return /^(?:\$\.)?input\.("?)([A-Za-z_]\w*)\1$/.exec(jmespath.trim())?.[2];
}

function isItem({ jmespath }: Expression): boolean {
  return /^(?:\$\.)?item$/.test(jmespath.trim());
}
