import { parsePlace } from "../../curation/place.ts";
import type { Call, FilledPlace } from "../../model/call.ts";
import { type Place, placeText } from "../../model/place.ts";
import type { CallDraft } from "../calls/draft-call.ts";
import type { Report } from "../open-report.ts";
import { findPlace } from "../places/find-place.ts";
import type { Target } from "../places/request-places.ts";
import { wirePlace } from "../places/wire-type.ts";

/**
 * The call with the place of its idempotency key (`api.idempotencyKey`). A call that only reads has none, nor one that fills the place itself. Few
 * specs name the header, and a server that does not know it passes over it; any other place the operation must have.
 */
export function placeKey(call: Call, { target, plan }: CallDraft, key: string | undefined): Call {
  const [found] = keyPlaces(key, target, plan.safe);
  if (found === undefined) return call;
  const text = placeText(found.place);
  const isTaken = call.bindings.some(({ place, value }) => {
    return placeText(place) === text && (value.kind !== "literal" || value.value !== null);
  });
  return isTaken ? call : { ...call, idempotencyKey: found };
}

/** The place that the key of a call to this operation fills; none of one that only reads. */
export function keyPlaces(key: string | undefined, target: Target, safe: boolean): FilledPlace[] {
  const found = key === undefined || safe ? undefined : findKey(key, target);
  return found === undefined ? [] : [found];
}

function findKey(key: string, target: Target): FilledPlace | undefined {
  const site = findPlace(key, target);
  if (site.kind === "site") return { place: site.place, type: wirePlace(site, target.reader).type };
  const parsed = parsePlace(key);
  const isHeader = "in" in parsed && parsed.in === "header" && site.code === "unknown_place";
  return isHeader ? { place: parsed as Place, type: "string" } : undefined;
}

/** Warns of writes that cannot carry the key, and so are sent once. */
export function checkKey(key: string | undefined, drafts: readonly CallDraft[], report: Report): void {
  if (key === undefined) return;
  const lacking = drafts.filter(({ plan, target }) => !plan.safe && findKey(key, target) === undefined);
  const names = [...new Set(lacking.map(({ target: { operation } }) => operation.id ?? operation.key))];
  if (names.length === 0) return;
  const message = `${names.map((name) => `\`${name}\``).join(", ")}: there is no place \`${key}\` in it, so it carries no idempotency key.`;
  report.add(
    "warning",
    "key_unplaced",
    ["api", "idempotencyKey"],
    message,
    "Such a request is sent once, whatever comes back.",
  );
}
