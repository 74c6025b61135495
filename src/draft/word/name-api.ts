import { plainText } from "../../compile/words/plain-text.ts";
import { capitalize } from "../../model/capitalize.ts";

/** What an API is called in a curation. */
export interface ApiName {
  /** `server.name`: at most 15 letters, digits and dashes. */
  readonly server: string;
  /** Before every tool's name, with its underscore. */
  readonly prefix: string;
  /** In capitals, with which environment variables begin. */
  readonly env: string;
  readonly title: string;
}

const EMPTY = new Set(
  "a an and api apis rest http https web swagger openapi odata the for of in official definition description with specification spec document public service services namespace v0 v1 v2 v3 v4 json server platform s preview admin management overview example".split(
    " ",
  ),
);

/** A short name of the title's first telling words, else of the address. */
export function nameApi(title: string, address: string): ApiName {
  // `PowerDNS` is one name.
  const words = title
    .replace(/['’]s\b/g, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !EMPTY.has(word) && /^[a-z][a-z0-9]*$/.test(word));
  const host = /^https?:\/\/([^/:{}]+)/i.exec(address)?.[1] ?? "";
  const hosted = host
    .toLowerCase()
    .split(".")
    .filter((part) => !/^(api|www|com|org|net|io|app|dev|cloud|rest)$/.test(part) && /^[a-z][a-z0-9]*$/.test(part));
  const isLong = words.length > 3 && hosted.length > 0;
  const [first = "api", second] = isLong ? hosted : words.length > 0 ? words : hosted;
  const both = second !== undefined && first.length < 4 ? `${first}_${second}` : first;
  const short = both.slice(0, 12).replace(/_+$/, "");
  return {
    server: short.replaceAll("_", "-"),
    prefix: `${short}_`,
    env: short.toUpperCase(),
    title: /openapi|swagger|\bspec\b|definition|odata/i.test(title)
      ? capitalize(short.replaceAll("_", " "))
      : plainText(title).slice(0, 80) || short,
  };
}
