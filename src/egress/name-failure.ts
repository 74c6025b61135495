import { DestinationBlocked, type UnreachableCause, UpstreamMalformed, UpstreamUnreachable } from "../model/errors.ts";

/** Of what was tried. */
type TriedCause = Exclude<UnreachableCause, "resting">;

const CAUSES: ReadonlyMap<string, TriedCause> = new Map([
  ["ECONNREFUSED", "refused"],
  ["EHOSTUNREACH", "refused"],
  ["ENETUNREACH", "refused"],
  ["EHOSTDOWN", "refused"],
  ["ENETDOWN", "refused"],
  ["EADDRNOTAVAIL", "refused"],
  ["EADDRINUSE", "refused"],
  ["EACCES", "refused"],
  ["EPERM", "refused"],
  ["ETIMEDOUT", "connect-timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "connect-timeout"],
  ["ENOTFOUND", "dns"],
  ["ECONNRESET", "reset"],
  ["ECONNABORTED", "reset"],
  ["EPIPE", "reset"],
  ["UND_ERR_SOCKET", "reset"],
  ["UND_ERR_DESTROYED", "reset"],
  ["UND_ERR_CLOSED", "reset"],
  ["UND_ERR_ABORTED", "reset"],
  ["ERR_STREAM_PREMATURE_CLOSE", "reset"],
  ["EMFILE", "exhausted"],
  ["ENFILE", "exhausted"],
  ["ENOBUFS", "exhausted"],
  ["ENOMEM", "exhausted"],
]);

const WORDS: Readonly<Record<TriedCause, string>> = {
  refused: "refused the connection",
  "connect-timeout": "did not take the connection in time",
  dns: "has no address that can be found",
  tls: "could not prove who it is, or refused our TLS",
  reset: "broke the connection",
  exhausted: "could not be connected to, as this machine has no files or memory left for it",
};

/** Of getaddrinfo (RFC 3493 6.1), by the names that Node leaves them. */
const DNS_CODE = /^EAI_/;
/** Node's codes of a certificate that does not hold (X509_V_ERR_*), and OpenSSL's own. */
const TLS_CODE =
  /^(CERT_|CRL_|ERROR_IN_C|ERR_TLS_|ERR_SSL_|ERR_OSSL_|DEPTH_ZERO_|UNABLE_TO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_|UNSPECIFIED|EPROTO)/;
/** Of a body that ends before its head says. In a head the same is said of two lengths. */
const CUT_CODE = /^(UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HPE_INVALID_EOF_STATE)$/;
/** Of one that ends before its coding does. */
const UNFINISHED_CODE = "Z_BUF_ERROR";
/** Among them the assertions of undici's parser, which an impossible answer (status 000) does not hold. */
const MALFORMED_CODE =
  /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|Z_|ERR__ERROR_|ERR_BROTLI|ERR_ZLIB|ERR_ASSERTION)/;

/** One error class a cause, for what undici, node:net, node:tls, node:dns and node:zlib throw. */
export function nameFailure(error: unknown, host: string): unknown {
  const known = unwrap(error);
  if (known instanceof DestinationBlocked) return known;
  const code = codeOf(known);
  if (MALFORMED_CODE.test(code) || isParserError(known)) {
    return new UpstreamMalformed(`${host} sent what is not HTTP or not its stated encoding (${code}).`, {
      cause: error,
    });
  }
  const reason = CAUSES.get(code) ?? byPattern(code);
  if (reason === undefined) return error;
  return new UpstreamUnreachable(reason, `${host} ${WORDS[reason]} (${code}).`, { cause: error });
}

/**
 * The same behind the head: a body that was cut is as lost as one whose connection broke (RFC 9112 8). `endsByClose`: nothing but the end of the
 * connection ends it.
 */
export function nameBodyFailure(error: unknown, host: string, endsByClose: boolean): unknown {
  const code = codeOf(error);
  const isCut = CUT_CODE.test(code) || isCutOff(error) || (endsByClose && code === UNFINISHED_CODE);
  if (!isCut) return nameFailure(error, host);
  return new UpstreamUnreachable("reset", `${host} sent less than it promised (${code}).`, { cause: error });
}

function byPattern(code: string): TriedCause | undefined {
  if (DNS_CODE.test(code)) return "dns";
  return TLS_CODE.test(code) ? "tls" : undefined;
}

// Node tries all addresses of a host and throws one AggregateError; its parts say the cause.
function unwrap(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}

// undici's parser errors have no code for some faults of a status line.
function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === "HTTPParserError";
}

// Of chunks without an end.
function isCutOff(error: unknown): boolean {
  return isParserError(error) && (error as Error).message.includes("Invalid EOF state");
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === "string") return code;
  return cause === undefined || cause === error ? "" : codeOf(cause);
}
