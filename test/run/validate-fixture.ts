import type { ToolError } from "../../src/model/errors.ts";
import type { Json } from "../../src/model/json.ts";
import type { Shape } from "../../src/model/shape.ts";
import type { Input, Tool } from "../../src/model/tool.ts";
import type { ValueType } from "../../src/model/value.ts";
import type { PinnedNames } from "../../src/run/arguments/pinned-names.ts";
import { type Arguments, validateArguments } from "../../src/run/arguments/validate-arguments.ts";

export const NOW = new Date("2026-11-29T12:34:56.789Z");
const NO_PINS: PinnedNames = { pins: new Set(), places: new Set(), inside: new Set() };

export function input(name: string, type: ValueType, more: Partial<Input> = {}): Input {
  return { name, required: false, type, ...more };
}

export function toolOf(inputs: readonly Input[], shape: Shape = { kind: "object", budget: 25_000 }): Tool {
  return {
    name: "ledger_test",
    title: "Test",
    description: "Test.",
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    inputSchema: { type: "object", properties: {} },
    inputs,
    plan: { kind: "call", call: { operation: 0, bindings: [] } },
    shape,
    errors: [],
    deadlineMs: 45_000,
    tags: [],
  };
}

export function validate(
  tool: Tool,
  raw: unknown,
  pinned: PinnedNames = NO_PINS,
  pins: { readonly [name: string]: Json } = {},
): Promise<Arguments> {
  return validateArguments(tool, pinned, raw, { now: NOW, pins });
}

/** What one input of this type becomes on the wire, or the error of the refusal. */
export async function send(type: ValueType, raw: Json, more: Partial<Input> = {}): Promise<Json | undefined> {
  const { wire } = await validate(toolOf([input("x", type, more)]), { x: raw });
  return wire.get("x");
}

export async function refusal(tool: Tool, raw: unknown, pinned?: PinnedNames): Promise<ToolError> {
  try {
    await validate(tool, raw, pinned);
  } catch (error) {
    return error as ToolError;
  }
  throw new Error("The arguments were accepted.");
}
