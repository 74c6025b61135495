import type { Json } from "../../model/json.ts";
import type { Input } from "../../model/tool.ts";
import { resolveTime } from "./resolve-time.ts";
import { writeInstant } from "./write-moment.ts";

/** What an input is where the caller does not say; undefined where it has no default. */
export function resolveDefault(input: Input, now: Date): Json | undefined {
  if (!input.default) return undefined;
  if (input.default.kind === "literal") return input.default.value;
  const { time } = input.default;
  const instant = resolveTime(time, now).getTime();
  // An end such as `today` names a day, and so includes it whole; `start of today` names an instant.
  const isDay = input.end !== undefined && time.startOf === "day" && !/^start of\b/i.test(time.words);
  const text = writeInstant(instant);
  return itemKind(input) === "date" || isDay ? text.slice(0, 10) : text;
}

function itemKind(input: Input): string {
  return input.type.kind === "array" ? input.type.items.kind : input.type.kind;
}
