import { openUsedOnce, type UsedOnce } from "../../model/used-once.ts";

export type { UsedOnce } from "../../model/used-once.ts";

/** For every runner of this process, so that a reload forgets none. */
export const OWN_MEMORY: UsedOnce = openUsedOnce();
