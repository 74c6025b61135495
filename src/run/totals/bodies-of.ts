import type { Json } from "../../model/json.ts";
import type { ListRead } from "../list/list-read.ts";

/** The bodies of all pages that were read of a list: what one of them says of the list may be missing in the others. A page that is none has null. */
export function bodiesOf({
  body,
  laterBodies = [],
}: Pick<ListRead, "body" | "laterBodies">): readonly [Json, ...Json[]] {
  return [body, ...laterBodies.filter((one) => one !== null)];
}
