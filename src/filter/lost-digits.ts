import type { Literal } from "../model/filter.ts";

/** Why a number cannot be written in JSON: it has more digits than its readers keep, and stayed a text. */
export function lostDigits({ type, wire }: Literal): string | undefined {
  return (type === "integer" || type === "decimal") && typeof wire === "string"
    ? "The number has more digits than the upstream would keep."
    : undefined;
}
