/** A name that tells nothing: one word. */
export function isPlainName(text: string): boolean {
  return /^[a-z]{1,12}$/i.test(text);
}

/** Of a path these stand in countless APIs: `api`, `v2`, `2024-01`. */
const COMMON_SEGMENT = /^(apis?|rest|odata|public|services?|base|v?\d[\d.-]{0,9}|.{0,3})$/i;
/** Words, as people name things; a key would be longer, or mix letters and digits. */
const WORDS = /^[A-Z]?[a-z]{1,16}([-_][a-z]{1,16}){0,3}$/;

/**
 * What must not be shown of a URL that was made with `parts`, the texts that were read from `env` or `key`. Scheme, host and port may be; so may
 * a path of common words (`/api/v2`). Anything else of a path that was read is secret: where it follows the host, and, if it may be a key, anywhere.
 * The values of a query are secret. A part that is no URL, inside the path, was read for that place alone and is secret whole.
 */
export function addressSecrets(url: URL, parts: readonly string[]): readonly string[] {
  return parts.flatMap((part) => {
    if (isOrigin(part, url)) return [];
    const read = URL.canParse(part) ? new URL(part) : undefined;
    return read?.origin === url.origin ? [...pathSecrets(read), ...read.searchParams.values()] : [part];
  });
}

function isOrigin(part: string, { host, origin }: URL): boolean {
  const bare = part.toLowerCase().replace(/\/$/, "");
  return host.includes(bare) || bare === origin;
}

function pathSecrets({ host, pathname }: URL): readonly string[] {
  const segments = pathname.split("/");
  const last = segments.findLastIndex((segment) => !COMMON_SEGMENT.test(segment));
  if (last < 0) return [];
  const keys = segments.filter((segment) => !COMMON_SEGMENT.test(segment) && !WORDS.test(segment));
  return [`${host}${segments.slice(0, last + 1).join("/")}`, ...keys, ...keys.map(decodeSafely)];
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
