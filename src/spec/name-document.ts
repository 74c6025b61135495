import type { Refusal } from "./further-documents.ts";

/** Where a spec is at home. */
export interface Home {
  /** `file:` or `http(s):`, without fragment. */
  readonly root: URL;
  /** OAS 3.2 `$self`: what other documents may call the root; never an address to fetch. */
  readonly self: URL | undefined;
}

/** The URL of a document, from its id. */
export function urlOf(id: string, home: Home): URL {
  return id === "" ? home.root : new URL(id, home.root);
}

/**
 * Resolves a reference without its fragment against the document that it stands in (RFC 3986 5), and keeps it at home: files inside the root's
 * folder, URLs of the root's origin. Nothing is opened.
 */
export function nameDocument(reference: string, base: string, home: Home): string | Refusal {
  const local = fromSelf(reference, home.self);
  return home.root.protocol === "file:"
    ? nameFile(local, local === reference ? base : "", home)
    : nameUrl(local, local === reference ? base : "", home);
}

// What `$self` says of the root holds for its neighbours as well: they are found where the root was found.
function fromSelf(reference: string, self: URL | undefined): string {
  if (self === undefined || !URL.canParse(reference)) return reference;
  const { href } = new URL(reference);
  if (href === self.href) return "";
  const folder = new URL(".", self).href;
  return href.startsWith(folder) ? href.slice(folder.length) : reference;
}

function nameFile(reference: string, base: string, home: Home): string | Refusal {
  if (reference === "") return base;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(reference))
    return { refused: "leads to a URL, and a spec of files is read from its own folder only" };
  if (/^[/\\]/.test(reference)) return { refused: "is an absolute path, and only relative ones are read" };
  const folder = new URL(".", home.root).pathname;
  const url = parse(reference, urlOf(base, home));
  if (url === undefined || url.search !== "") return { refused: "is not the name of a file" };
  if (!url.pathname.startsWith(folder) || url.pathname === folder)
    return { refused: "leads out of the folder of the spec, where nothing is read" };
  return url.pathname === home.root.pathname ? "" : url.pathname.slice(folder.length);
}

function nameUrl(reference: string, base: string, home: Home): string | Refusal {
  const url = parse(reference, urlOf(base, home));
  if (url === undefined) return { refused: "is not a URL" };
  url.hash = "";
  if (url.origin !== home.root.origin || url.username !== "" || url.password !== "")
    return { refused: `leads away from ${home.root.origin}, where nothing is read` };
  return url.href === home.root.href ? "" : url.href;
}

function parse(reference: string, base: URL): URL | undefined {
  return URL.canParse(reference, base.href) ? new URL(reference, base) : undefined;
}
