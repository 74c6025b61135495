import type { ToolEntry } from "../../curation/format.ts";
import type { Operation } from "../../model/api.ts";
import { nearestNames } from "../../model/nearest.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import { pinnedNames } from "../pins/plan-pins.ts";
import { answers, chooseBody, successTypes } from "../places/choose-media.ts";
import { mediaKind, openMedia } from "../places/open-media.ts";
import type { Target } from "../places/request-places.ts";
import type { ToolContext } from "../tool-context.ts";

type MediaChoice = Pick<ToolEntry, "accept" | "contentType" | "unchecked">;

/** An operation as searches for places need it, with the media types that were asked for. */
export function openTarget(
  entry: MediaChoice,
  at: EntryPath,
  operation: Operation,
  context: ToolContext,
  report: Report,
): Target {
  const unchecked = entry.unchecked === true;
  const chosen = chooseBody(operation, entry.contentType) ?? (unchecked ? undefined : chooseBody(operation));
  if (!unchecked) checkMedia(entry, at, operation, report);
  const pinned = pinnedNames(context.pins);
  const plain = { api: context.api, faults: [], pinned, unenforced: new Set<string>() };
  const media = chosen && openMedia(chosen, plain);
  const files = media !== undefined && ["multipart", "text", "bytes"].includes(mediaKind(media.mediaType));
  const reader = { ...plain, files };
  return { api: context.api, operation, media, reader, credentials: context.credentials, unchecked };
}

/** What is asked for beyond the spec may still be answered; what is sent beyond it has no schema. */
function checkMedia({ accept, contentType }: MediaChoice, at: EntryPath, operation: Operation, report: Report): void {
  const hintOf = (wanted: string, known: readonly string[]) =>
    hintFor(nearestNames(wanted, known), known) ?? "Set `unchecked: true` where the spec is wrong.";
  if (contentType !== undefined && chooseBody(operation, contentType) === undefined) {
    const known = operation.body?.content.map(({ mediaType }) => mediaType) ?? [];
    const message = `The operation does not take \`${contentType}\`.`;
    report.add("error", "unknown_media_type", [...at, "contentType"], message, hintOf(contentType, known));
  }
  if (accept === undefined || answers(operation, accept)) return;
  const known = successTypes(operation);
  const message = `The spec does not say that the operation answers with \`${accept}\`.`;
  report.add("warning", "unknown_media_type", [...at, "accept"], message, hintOf(accept, known));
}
