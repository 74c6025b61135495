import type { Call, OperationPlan } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { assignBindings } from "../request/assign-bindings.ts";
import { checkResidual } from "./check-residual.ts";

/**
 * Checks a body that is put together from several arguments against what the upstream's schema asks of it as a whole. Throws ToolError
 * `invalid_arguments`.
 */
export async function checkBody(call: Call, operation: OperationPlan, roots: Roots): Promise<void> {
  const { body: plan } = operation;
  if (plan?.check === undefined) return;
  const { body: assigned } = assignBindings(call.bindings, roots);
  const body = assigned === undefined && plan.required ? {} : assigned;
  const fault = body === undefined ? undefined : await checkResidual(plan.check, body);
  if (fault === undefined) return;
  const where = fault.inside === "" ? "What is sent" : `\`${fault.inside.replace(/^\./, "")}\``;
  throw new ToolError("invalid_arguments", {
    message: `${where} must be ${fault.mustBe}.`,
    recover: "Give the arguments that belong together, and call the tool again.",
    retryable: false,
  });
}
