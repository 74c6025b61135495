import type { ReplyBody, ToldByHead } from "../../model/exchange.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ShapeLimits } from "../../model/shape.ts";
import { cutCharacters, cutLines } from "./cut-text.ts";
import { SMALLEST_BUDGET } from "./cut-to-fit.ts";
import { jsonBytes } from "./json-bytes.ts";
import { mergeOmissions, type Omission } from "./omit.ts";
import { shapeObject } from "./shape-object.ts";
import type { Shaped } from "./shaped.ts";

/** Clients show images and do not read them as text, so these have a bound of their own. */
const MOST_IMAGE_BYTES = 1_000_000;
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const ACCEPTED = { accepted: true, note: "The upstream has accepted this and not completed it yet." } as const;

/** An answer without a body, whatever was promised; with the way to what it made, or will make, where its head tells one. */
export function shapeEmpty({ told }: Extract<ReplyBody, { kind: "empty" }>, { budget }: ShapeLimits): Shaped {
  const { accepted, ...ways } = told ?? {};
  return shapeObject(undefined, { ...(accepted ? ACCEPTED : { done: true }), ...ways }, NO_ROOTS, { budget });
}

/** Says of an answer with a body that it was accepted only, before what it says itself. */
export function tellAccepted<S extends ShapeLimits>(
  { accepted: _, ...ways }: ToldByHead,
  shape: S,
  shapeWith: (shape: S) => Shaped,
): Shaped {
  const all: JsonObject = { ...ACCEPTED, ...ways };
  const facts = jsonBytes(all) <= shape.budget / 2 ? all : ACCEPTED;
  const budget = Math.max(0, shape.budget - jsonBytes(facts));
  const { structured, text: _made, ...further } = shapeWith({ ...shape, budget });
  const { omitted, ...rest } = structured;
  return { ...further, structured: { ...(omitted !== undefined && { omitted }), ...facts, ...rest } };
}

const NO_ROOTS = { input: {}, pins: {} };

/** A text body: cut by lines where the curation says so, then by characters to the budget, from the side that is kept. */
export function shapeText(body: Extract<ReplyBody, { kind: "text" }>, limits: ShapeLimits): Shaped {
  const budget = Math.max(limits.budget, SMALLEST_BUDGET);
  const lines = cutLines(body.text, limits.text);
  const note = /^text\/html\b/i.test(body.mediaType) ? { note: "The upstream answered an HTML page." } : {};
  const build = (text: string, omitted: readonly Omission[]): JsonObject => ({
    ...note,
    ...(omitted.length > 0 && { omitted: mergeOmissions(omitted).map((one) => ({ ...one })) }),
    text,
  });
  const keep = limits.text && "tail" in limits.text ? "tail" : "head";
  let room = budget;
  for (;;) {
    const cut = cutCharacters(lines.text, room, keep, "text");
    const reply = build(cut.text, [...lines.omitted, ...cut.omitted]);
    const over = jsonBytes(reply) - budget;
    if (over <= 0 || room <= 0) return { structured: reply };
    room = Math.max(0, room - over);
  }
}

/** An image as an image, anything else as an embedded resource; what is too large is left out, and said. */
export function shapeBinary(body: Extract<ReplyBody, { kind: "binary" }>, name: string, limits: ShapeLimits): Shaped {
  const mimeType = readMediaType(body.mediaType);
  const bytes = body.data.byteLength;
  const facts = { mediaType: mimeType, bytes };
  const isImage = IMAGES.has(mimeType);
  const most = isImage ? MOST_IMAGE_BYTES : Math.floor((Math.max(limits.budget, SMALLEST_BUDGET) * 3) / 4);
  if (bytes > most)
    return { structured: { omitted: [{ what: "binary", kept: `nothing of ${bytes} bytes` }], ...facts } };
  const data = Buffer.from(body.data).toString("base64");
  const block = isImage
    ? ({ type: "image", data, mimeType } as const)
    : ({ type: "resource", uri: `reply://${name}/body`, mimeType, blob: data } as const);
  return { structured: facts, blocks: [block] };
}

/** The media type in lower case; what is none (RFC 9110 8.3.1), or longer than any that is registered (RFC 6838 4.2), is data of no known type. */
function readMediaType(text: string): string {
  const type = text.split(";", 1)[0]!.trim().toLowerCase();
  return /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/.test(type) ? type : "application/octet-stream";
}
