import type { EgressReply } from "../egress/open-egress.ts";
import { TokenRefused } from "../model/errors.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../model/json.ts";

/** What a token endpoint answered. */
export interface TokenAnswer {
  readonly host: string;
  readonly status: number;
  readonly mediaType: string;
  /** Undefined where the body is no JSON object. */
  readonly body?: JsonObject;
  /** RFC 6749 5.2: its own code for what is wrong. */
  readonly error?: string;
}

/** Reads an answer whole; throws what reading the body throws. */
export async function readAnswer(reply: EgressReply, host: string): Promise<TokenAnswer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.body) chunks.push(chunk);
  const body = parseObject(Buffer.concat(chunks).toString("utf8"));
  const error = body && ownValue(body, "error");
  const mediaType = (reply.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  return {
    host,
    status: reply.status,
    mediaType: /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType.slice(0, 80) : "a body of no type",
    ...(body !== undefined && { body }),
    ...(typeof error === "string" && /^[\w.:/-]{1,64}$/.test(error) && { error }),
  };
}

/**
 * The access token of a good answer, and how long it holds where that is said. Throws `TokenRefused` for an answer that has none for us, among
 * them `subjectToken` itself, which must not go upstream.
 */
export function readToken(
  answer: TokenAnswer,
  subjectToken?: string,
): { readonly value: string; readonly lifeMs?: number } {
  const { body, host, status } = answer;
  if (body === undefined || status < 200 || status > 299) throw refuseAnswer(answer, subjectToken !== undefined);
  const refuse = (why: string) => new TokenRefused(`The token endpoint at ${host} answered ${why}.`, false);
  const value = ownValue(body, "access_token");
  const type = ownValue(body, "token_type");
  if (typeof value !== "string" || value === "") throw refuse("without an access_token");
  if (value === subjectToken) throw refuse("with the very token that was to be exchanged");
  if (!/^[\x21-\x7e]+$/.test(value)) throw refuse("with an access_token that no header can carry");
  // RFC 6749 7.1: a token of a type that is not understood must not be used.
  if (!isBearer(type)) throw refuse(`with a token_type that is not Bearer${nameType(type)}`);
  const seconds = Number(ownValue(body, "expires_in") ?? Number.NaN);
  return { value, ...(seconds >= 0 && { lifeMs: seconds * 1000 }) };
}

/** Some servers leave the type out, or name the token's format in its place; both are then shown as bearer tokens. */
function isBearer(type: Json | undefined): boolean {
  return (type ?? null) === null || (typeof type === "string" && /^(|bearer|jwt)$/i.test(type.trim()));
}

function nameType(type: Json | undefined): string {
  return typeof type === "string" && /^[\w.:/-]{1,64}$/.test(type) ? `: ${type}` : "";
}

/** An answer that is no token, in words for the operator; of an exchange without the endpoint's own, which may hold a part of the caller's token. */
function refuseAnswer({ host, status, mediaType, body, error }: TokenAnswer, isExchange: boolean): TokenRefused {
  const description = body === undefined || isExchange ? undefined : ownValue(body, "error_description");
  const words = typeof description === "string" ? ` (${plainWords(description)})` : "";
  const what =
    body === undefined ? ` with ${mediaType} and no JSON object` : ` ${error ?? "without an error code"}${words}`;
  return new TokenRefused(`The token endpoint at ${host} answered ${status}${what}.`, status >= 500 || status === 429, {
    ...(error !== undefined && { error }),
  });
}

// RFC 6749 5.2 keeps control characters out of it; in a log they could write lines of their own.
function plainWords(text: string): string {
  return text
    .replace(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, 200);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
