interface Link {
  readonly target: string;
  /** Lower-case names; of a repeated one the first counts (RFC 8288 3.3). */
  readonly params: ReadonlyMap<string, string>;
}

/** Stands in where nobody says what was asked: no absolute link has its origin. */
export const NOWHERE = "http://nowhere.invalid/";

/** A link that is not followed: it is no URL, leads to another origin, or back to the page that it stands on. */
export const NOT_FOLLOWED = Symbol("not followed");

/** Path and query of the next page by a Link header (RFC 8288), undefined where it names none. `asked` is the URL that was answered. */
export function nextByLink(header: string | undefined, asked = NOWHERE): string | typeof NOT_FOLLOWED | undefined {
  const link = parseLinks(header ?? "").find((one) => isNext(one) && isAboutThis(one, asked));
  return link === undefined ? undefined : nextAt(link.target, asked);
}

/** Path and query of a next page that is named by its address. */
export function nextAt(address: string, asked = NOWHERE): string | typeof NOT_FOLLOWED {
  if (!URL.canParse(address, asked)) return NOT_FOLLOWED;
  const [to, from] = [new URL(address, asked), new URL(asked)];
  const target = `${to.pathname}${to.search}`;
  return to.origin !== from.origin || target === `${from.pathname}${from.search}` ? NOT_FOLLOWED : target;
}

function isNext({ params }: Link): boolean {
  return (params.get("rel") ?? "").toLowerCase().split(/\s+/).includes("next");
}

/** With another `anchor` a link is not about the resource that was answered (RFC 8288 3.2). */
function isAboutThis({ params }: Link, asked: string): boolean {
  const anchor = params.get("anchor");
  if (anchor === undefined) return true;
  return URL.canParse(anchor, asked) && new URL(anchor, asked).href === new URL(asked).href;
}

/** The links of a field value (RFC 8288, appendix B.2), up to the first that cannot be read. */
function parseLinks(header: string): Link[] {
  const links: Link[] = [];
  const rest = { text: header };
  for (;;) {
    take(rest, /^[\s,]*/);
    const target = take(rest, /^<([^>]*)>/);
    if (target === undefined) return links;
    links.push({ target: target.trim(), params: parseParams(rest) });
  }
}

interface Rest {
  text: string;
}

function parseParams(rest: Rest): Map<string, string> {
  const params = new Map<string, string>();
  while (take(rest, /^\s*;\s*/) !== undefined) {
    const name = take(rest, /^([^\s=;,]+)/)?.toLowerCase();
    if (name === undefined) continue;
    const hasValue = take(rest, /^\s*=\s*/) !== undefined;
    const quoted = hasValue ? take(rest, /^"((?:[^"\\]|\\.)*)"?/s) : undefined;
    const value = quoted?.replace(/\\(.)/gs, "$1") ?? (hasValue ? take(rest, /^([^;,]*)/)?.trim() : "") ?? "";
    if (!params.has(name)) params.set(name, value);
  }
  return params;
}

/** Takes what the pattern matches off the beginning, and gives its group, or the whole where it has none. */
function take(rest: Rest, pattern: RegExp): string | undefined {
  const found = pattern.exec(rest.text);
  if (found === null) return undefined;
  rest.text = rest.text.slice(found[0].length);
  return found[1] ?? found[0];
}
