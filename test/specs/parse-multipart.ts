import { text } from "node:stream/consumers";
import type { RequestHandler } from "express";
import { decodeForm } from "./decode-form.ts";

/**
 * Reads a multipart body with Node's own reader: a part by its name, several of a name as a list, `a[b]` as a property inside, and JSON where a
 * part is a list or an object. The validator's own reader leaves such parts as texts.
 */
export function parseMultipart(literal: ReadonlySet<string>): RequestHandler {
  return async (request, _response, next) => {
    const contentType = request.headers["content-type"] ?? "";
    if (!/^multipart\//i.test(contentType)) {
      next();
      return;
    }
    try {
      // The parts of other multipart types look the same.
      const asForm = contentType.replace(/^multipart\/[\w.+-]+/i, "multipart/form-data");
      const form = await new Response(await text(request), { headers: { "content-type": asForm } }).formData();
      const pairs = new URLSearchParams();
      const structured: Record<string, unknown> = {};
      for (const [name, value] of form) {
        const plain = typeof value === "string" ? value : "";
        const parsed = /^[[{]/.test(plain) ? readJson(plain) : undefined;
        if (parsed === undefined) pairs.append(name, plain);
        else structured[name] = name in structured ? [structured[name], parsed].flat() : parsed;
      }
      request.body = { ...decodeForm(pairs.toString(), literal), ...structured };
      next();
    } catch (error) {
      next(error);
    }
  };
}

function readJson(plain: string): unknown {
  try {
    return JSON.parse(plain);
  } catch {
    return undefined;
  }
}
