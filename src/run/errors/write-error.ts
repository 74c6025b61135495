import type { ToolError, ToolErrorDetail } from "../../model/errors.ts";
import type { ToolReply } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import { clipCharacters } from "../clip-characters.ts";
import { stripInvisible } from "./readable-text.ts";

/** Bytes of the error's JSON text (contract section 7). */
const MOST_BYTES = 2_000;
const RETRYABLE = new Set(["rate_limited", "upstream_rate_limited", "upstream_unavailable", "upstream_timeout"]);

/** How much is kept of what has no natural bound, from step to step less, until the whole is small enough. */
const STEPS = [
  { message: 700, recover: 400, words: 400, values: 50, got: 200 },
  { message: 400, recover: 300, words: 200, values: 20, got: 100 },
  { message: 250, recover: 200, words: 100, values: 10, got: 60 },
  { message: 120, recover: 120, words: 40, values: 3, got: 30 },
  { message: 60, recover: 60, words: 0, values: 0, got: 0 },
] as const;

/** The error as callers get it: one JSON object of at most 2 kB. `hide` takes secrets out of a text, before it is cut. */
export function writeError(error: ToolError, hide: (text: string) => string): ToolReply {
  const code = clipCharacters(error.code, 64);
  const texts = STEPS.map((step) => () => JSON.stringify(cutDetail(code, error.detail, step, hide)));
  for (const text of texts) {
    const written = text();
    if (Buffer.byteLength(written) <= MOST_BYTES) return { isError: true, text: written, error: code };
  }
  return { isError: true, text: texts.at(-1)!(), error: code };
}

function cutDetail(
  code: string,
  detail: ToolErrorDetail,
  step: (typeof STEPS)[number],
  hide: (text: string) => string,
) {
  const cut = (text: string, most: number) => clipCharacters(stripInvisible(hide(text)), most);
  const { path, got, allowed, nearest, upstream } = detail;
  return {
    error: code,
    message: cut(detail.message, step.message),
    recover: cut(detail.recover, step.recover),
    ...(path !== undefined && { path: cut(path, Math.min(120, step.message)) }),
    ...(got !== undefined && step.got > 0 && { got: cutJson(got, step.got, hide) }),
    ...(allowed && step.values > 0 && { allowed: allowed.slice(0, step.values).map((one) => cutJson(one, 100, hide)) }),
    ...(nearest && step.values > 0 && { nearest: nearest.slice(0, 5).map((name) => cut(name, 80)) }),
    retryable: detail.retryable ?? RETRYABLE.has(code),
    ...(detail.retryAfterMs !== undefined && { retryAfterMs: detail.retryAfterMs }),
    ...(upstream && {
      upstream: {
        ...(upstream.status !== undefined && { status: upstream.status }),
        ...(upstream.code !== undefined && { code: cut(upstream.code, Math.min(60, step.message)) }),
        ...(upstream.message !== undefined && step.words > 0 && { message: cut(upstream.message, step.words) }),
        ...(upstream.step !== undefined && { step: cut(upstream.step, 60) }),
      },
    }),
  };
}

/** A short value stays what it is; a longer one becomes the beginning of its text. */
function cutJson(value: Json, most: number, hide: (text: string) => string): Json {
  if (typeof value === "string") return clipCharacters(stripInvisible(hide(value)), most);
  const text = JSON.stringify(value);
  const hidden = hide(text);
  return hidden === text && text.length <= most ? value : clipCharacters(hidden, most);
}
