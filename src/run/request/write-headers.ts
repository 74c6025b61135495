import type { OperationPlan } from "../../model/call.ts";
import type { UpstreamRequest } from "../../model/exchange.ts";
import type { Assigned } from "./assign-bindings.ts";
import { Unsendable } from "./unsendable.ts";
import { parameterFor, writeParameter } from "./write-parameter.ts";

const LONGEST = 8192;

/** The headers of a request. The author's own win over a caller's, pins win over both; Content-Type is the body's. */
export function writeHeaders(
  operation: OperationPlan,
  assigned: Assigned,
  own: readonly (readonly [name: string, value: string])[],
  contentType: string | undefined,
): UpstreamRequest["headers"] {
  const pinned = new Set(
    assigned.pinned.flatMap(({ binding: { place } }) => (place.in === "header" ? place.name.toLowerCase() : [])),
  );
  const headers = new Map([
    ["accept", operation.accept],
    ["user-agent", "vitrine"],
  ]);
  const given = [...assigned.values.values()].flatMap((one) =>
    one.place.in === "header" ? [{ ...one, name: one.place.name }] : [],
  );
  const write = (isPinned: boolean) => {
    for (const one of given) {
      const name = one.name.toLowerCase();
      if (pinned.has(name) !== isPinned) continue;
      const [text] = writeParameter(parameterFor(operation, "header", one.name), one, assigned, ([piece = ""]) =>
        checkHeader(piece),
      );
      if (text !== undefined) headers.set(name, text);
    }
  };
  write(false);
  for (const [name, value] of own) headers.set(name.toLowerCase(), value);
  write(true);
  if (contentType !== undefined) headers.set("content-type", contentType);
  const cookie = writeCookie(operation, assigned);
  if (cookie !== "") headers.set("cookie", cookie);
  return [...headers];
}

/**
 * A header value is printable ASCII and tabs, without outer spaces, which HTTP takes off (RFC 9110 5.5). Other characters are refused and not
 * encoded: there is no encoding that every server reads. Throws `Unsendable`.
 */
function checkHeader(text: string): void {
  if (text.length > LONGEST) throw new Unsendable(`a header holds at most ${LONGEST} characters`);
  if (!/^[\t\x20-\x7e]*$/.test(text)) throw new Unsendable("a header holds printable ASCII characters only");
  if (text.trim() !== text) throw new Unsendable("a header cannot begin or end with a space");
}

function writeCookie(operation: OperationPlan, assigned: Assigned): string {
  const cookies = [...assigned.values.values()].filter(({ place }) => place.in === "cookie");
  return cookies
    .flatMap((one) =>
      writeParameter(parameterFor(operation, "cookie", "name" in one.place ? one.place.name : ""), one, assigned),
    )
    .join("; ");
}
