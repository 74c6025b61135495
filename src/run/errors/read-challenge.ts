import { readableText } from "./readable-text.ts";
import type { UpstreamWords } from "./upstream-words.ts";

const MOST_MESSAGE = 300;

/** What a `WWW-Authenticate` says of a token that was refused (RFC 6750 3): many servers say it there and send no body. */
export function readChallenge(headers: ReadonlyMap<string, string>): UpstreamWords {
  const challenge = headers.get("www-authenticate") ?? "";
  const code = /\berror\s*=\s*"?([\w.-]{1,100})/i.exec(challenge)?.[1];
  const quoted = /\berror_description\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(challenge)?.[1] ?? "";
  const message = readableText(quoted.replace(/\\(.)/g, "$1"), MOST_MESSAGE);
  return { ...(code !== undefined && { code }), ...(message !== "" && { message }) };
}
