import { ToolError } from "../../model/errors.ts";
import type { UpstreamReply } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import type { ErrorRule, Upstream } from "../../model/tool.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { explainStatus } from "./explain-status.ts";
import { holds } from "./holds.ts";
import { readChallenge } from "./read-challenge.ts";
import { readUpstreamWords, type UpstreamWords } from "./upstream-words.ts";

export interface Failure {
  readonly reply: UpstreamReply;
  /** The operation may be repeated without effect. */
  readonly safe: boolean;
  readonly rules: readonly ErrorRule[];
  readonly errors: Upstream["errors"];
  /** In the caller's form. */
  readonly roots: Roots;
  readonly now: Date;
}

/**
 * The tool error of an upstream's answer of status 300 or more. The curation's first rule that fits gives code and `recover`; what
 * remains comes from the status. The upstream's own words are readable and cut, but may still hold a secret: see `write-error`.
 */
export function explainError(failure: Failure): ToolError {
  const { reply, errors, roots } = failure;
  const words = { ...readChallenge(reply.headers), ...readUpstreamWords(reply.body, errors, roots) };
  const usual = explainStatus(failure, words.message !== undefined);
  const rule = findRule(failure, words, failure.rules);
  return new ToolError(rule?.error ?? usual.code, {
    message: `${usual.message} (${reply.status})${words.message ? `: ${words.message}` : "."}`,
    recover: rule?.recover ?? usual.recover,
    retryable: usual.retryable,
    ...(usual.retryAfterMs !== undefined && { retryAfterMs: usual.retryAfterMs }),
    upstream: { status: reply.status, ...words },
  });
}

/** A rule that names the status of an answer which is no failure by itself: some APIs answer 200 and say in the body that they failed. */
export function explainSuccess(failure: Failure): ToolError | undefined {
  const rules = ruleSuccesses(failure.rules);
  if (rules.length === 0) return undefined;
  const words = readUpstreamWords(failure.reply.body, failure.errors, failure.roots);
  const rule = findRule(failure, words, rules);
  if (!rule) return undefined;
  return new ToolError(rule.error, {
    message: `The upstream reports a failure${words.message ? `: ${words.message}` : "."}`,
    recover: rule.recover,
    retryable: false,
    upstream: { status: failure.reply.status, ...words },
  });
}

/** The rules that may read the body of an answer that is no failure by itself. */
export function ruleSuccesses(rules: readonly ErrorRule[]): readonly ErrorRule[] {
  return rules.filter((rule) => rule.status?.startsWith("2") && rule.when !== undefined);
}

function findRule({ reply, roots }: Failure, words: UpstreamWords, rules: readonly ErrorRule[]): ErrorRule | undefined {
  const body: Json =
    reply.body.kind === "json" ? reply.body.value : reply.body.kind === "text" ? reply.body.text : null;
  const current = { status: reply.status, code: words.code ?? null, message: words.message ?? null, body };
  return rules.find(({ status, when }) => fitsStatus(status, reply.status) && (!when || holds(when, current, roots)));
}

/** `404`, `4XX` or nothing, which fits every failure. */
function fitsStatus(wanted: string | undefined, status: number): boolean {
  if (wanted === undefined) return true;
  return /^\dXX$/i.test(wanted) ? wanted[0] === String(status)[0] : wanted === String(status);
}
