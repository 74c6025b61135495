import type { ToolErrorDetail } from "../../model/errors.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Entity } from "../../model/tool.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { readSource } from "../filter/read-source.ts";

/** A hint is not worth a long wait. */
const PATIENCE_MS = 5_000;
const MOST_ALLOWED = 10;

/** The nearest identifiers that there are, or all where they are few; nothing where they cannot be listed, soon, without arguments. */
export async function nearIdentifiers(
  text: string,
  { name, source }: Entity,
  asking: Omit<Asking, "roots" | "wire">,
): Promise<Pick<ToolErrorDetail, "nearest" | "allowed">> {
  if (source === undefined) return {};
  const roots = { input: {}, pins: asking.access.pins };
  const deadlineAt = Math.min(asking.deadlineAt, performance.now() + PATIENCE_MS);
  try {
    const list = await readSource(source, `\`${name}\``, {
      ...asking,
      roots,
      wire: roots,
      deadlineAt,
      reach: () => {},
    });
    const names = list.values.map((value) => value.text);
    const nearest = nearestNames(text, names);
    const isShort = list.complete && names.length > 0 && names.length <= MOST_ALLOWED;
    return { ...(nearest.length > 0 && { nearest }), ...(isShort && nearest.length === 0 && { allowed: names }) };
  } catch {
    return {};
  }
}
