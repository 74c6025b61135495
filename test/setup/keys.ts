import { createHash } from "node:crypto";

/** A key, in the clear, by its name. */
export const keyOf = (name: string): string => `vtr_${name}_secret-of-${name}`;

/** What a host file holds of it. */
export const hashOf = (name: string): string => `sha256:${createHash("sha256").update(keyOf(name)).digest("hex")}`;
