import type { Api, Operation } from "../../../model/api.ts";
import { onceFor } from "../../../model/once-for.ts";
import type { Schema } from "../../../model/schema.ts";
import type { Field } from "../../../model/shape.ts";
import type { Tool, Toolset } from "../../../model/tool.ts";
import type { Expression } from "../../../model/value.ts";
import type { LintSubject } from "../lint-rule.ts";
import { operationOf } from "../operation-of.ts";
import { schemaAt } from "./schema-at.ts";

export interface Column extends Omit<Extract<Field, { kind: "column" }>, "kind"> {
  /** What the spec says of the value, where the column is a plain path into a row and the spec says one thing. */
  readonly schema?: Schema;
}

/** The columns of a list's rows, or of an object, that have names of their own. Several rules ask for them. */
export function columnsOf(tool: Tool, subject: LintSubject): readonly Column[] {
  return columnsIn(subject)(tool);
}

const columnsIn = onceFor((subject: LintSubject) => onceFor((tool: Tool) => listColumns(tool, subject)));

function listColumns(tool: Tool, { api, toolset }: LintSubject): readonly Column[] {
  const { shape } = tool;
  if (shape.kind === "value") return [];
  const body = bodyOf(tool, toolset, api);
  const root = body && (shape.kind === "list" ? schemaOf(body, shape.rows, api, "*") : body);
  return (shape.fields ?? []).flatMap((field) => {
    if (field.kind !== "column") return [];
    const schema = root && schemaOf(root, field.path, api);
    return [{ ...field, ...(schema !== undefined && { schema }) }];
  });
}

/** The schema of the JSON body that the tool's one operation answers with. */
export function bodyOf(tool: Tool, { operations }: Toolset, api: Api): Schema | undefined {
  if (tool.plan.kind !== "call") return undefined;
  const operation = operationOf(operations[tool.plan.call.operation]?.key ?? "", api);
  return operation && jsonAnswer(operation);
}

function jsonAnswer({ responses }: Operation): Schema | undefined {
  const good = responses.filter(({ status }) => status.startsWith("2"));
  const content = (good.length > 0 ? good : responses.filter(({ status }) => status === "default")).flatMap(
    (one) => one.content,
  );
  return content.find(({ mediaType }) => /json/i.test(mediaType))?.schema;
}

/** Names joined by dots; anything else is a computation. */
const PLAIN_PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

function schemaOf(root: Schema, { jmespath }: Expression, api: Api, ...further: string[]): Schema | undefined {
  if (jmespath === "@") return schemaAt(root, further, api);
  return PLAIN_PATH.test(jmespath) ? schemaAt(root, [...jmespath.split("."), ...further], api) : undefined;
}

/** `type` without null; undefined where there are several. */
export function typeOf({ type }: Schema): string | undefined {
  const types = (typeof type === "string" ? [type] : (type ?? [])).filter((one) => one !== "null");
  return types.length === 1 ? types[0] : undefined;
}
