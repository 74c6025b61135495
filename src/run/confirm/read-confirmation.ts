import { ToolError } from "../../model/errors.ts";
import type { Caller } from "../../model/exchange.ts";
import { sayTool } from "../../model/group/say-tool.ts";
import type { Tool } from "../../model/tool.ts";
import { rawArgument } from "../arguments/raw-argument.ts";
import type { CursorKeys } from "../cursor/cursor-keys.ts";
import type { Outside } from "../outside.ts";
import { type Confirmation, expiryOf, unsealConfirmation } from "./confirm-token.ts";

/** What a call says of an earlier question. It counts only once it was found to be about this very call. */
export type Answered =
  | { readonly kind: "nothing" }
  | { readonly kind: "bad"; readonly why: string }
  | { readonly kind: "yes"; readonly confirmation: Confirmation };

interface ConfirmedCall {
  readonly tool: Tool;
  readonly caller: Caller;
  readonly outside: Pick<Outside, "now">;
  readonly confirmKeys: () => CursorKeys;
}

/**
 * The confirmation that comes with a call: a person's, or the token among its arguments. Throws ToolError `confirmation_required` where only a
 * person's yes counts and there is a token, or nobody to ask.
 */
export function readConfirmation(call: ConfirmedCall, raw: unknown): Answered {
  const { tool, caller, outside } = call;
  if (tool.confirm === undefined) return { kind: "nothing" };
  const argument = rawArgument(raw, "confirm");
  if (tool.confirm.human && argument !== undefined) throw refuseToken();
  if (tool.confirm.human && caller.canAsk !== true) throw refuseCaller(tool);
  const [asked, token] = caller.confirmed === undefined ? ["caller", argument] : ["person", caller.confirmed];
  if (token === undefined) return { kind: "nothing" };
  const confirmation = typeof token === "string" ? unsealConfirmation(call.confirmKeys(), token) : undefined;
  if (confirmation === undefined || confirmation.asked !== asked)
    return {
      kind: "bad",
      why: "The given `confirm` is not one that this server gave for it: it was changed, cut or made up.",
    };
  if (expiryOf(confirmation) <= outside.now()) return { kind: "bad", why: "The confirmation came too late." };
  return { kind: "yes", confirmation };
}

/** The moment at which relative defaults were resolved when it was asked: what was agreed to is about the same times. */
export function confirmedAt(answered: Answered): Date | undefined {
  return answered.kind === "yes" ? answered.confirmation.now : undefined;
}

function refuseToken(): ToolError {
  return new ToolError("confirmation_required", {
    message: "Nothing was done: a person must say yes to this, and no argument can say it for them.",
    recover: "Call again without `confirm`; the client then asks the person.",
    path: "confirm",
    retryable: false,
  });
}

function refuseCaller(tool: Tool): ToolError {
  return new ToolError("confirmation_required", {
    message: `Nothing was done: ${sayTool(tool)} asks a person before it acts, and this client cannot ask one (it has no elicitation).`,
    recover: "Tell the user to do this in a client that can ask them, or by hand.",
    retryable: false,
  });
}
