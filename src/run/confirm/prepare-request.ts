import type { Binding, Call, OperationPlan } from "../../model/call.ts";
import type { UpstreamRequest } from "../../model/exchange.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { planRequest } from "../request/plan-request.ts";
import { newKey } from "./open-writes.ts";

/**
 * The request of a call. One that writes is held against what was agreed to, where the tool asks first, and gets its idempotency key, where the
 * upstream takes one. Throws what `planRequest` throws, and an Error where a write was not agreed to.
 */
export function prepareRequest(
  call: Call,
  operation: OperationPlan,
  { tool, access, wire, writes, masked }: Pick<Asking, "tool" | "access" | "wire" | "writes" | "masked">,
): UpstreamRequest {
  const plan = (one: Call) => planRequest(one, operation, access.upstream, wire);
  const request = plan(call);
  if (operation.safe) return request;
  masked?.check(request);
  if (tool.confirm !== undefined && writes === undefined) throw new Error(`${operation.key} was never asked about.`);
  writes?.permit(request);
  if (call.idempotencyKey === undefined) return request;
  const key = writes?.keyFor(request) ?? newKey();
  return { ...plan({ ...call, bindings: [bindKey(call.idempotencyKey, key), ...call.bindings] }), keyed: true };
}

function bindKey({ place, type }: NonNullable<Call["idempotencyKey"]>, key: string): Binding {
  const value = { kind: "literal", value: key } as const;
  return { place, type, value, pinned: false, required: false, nullable: true };
}
