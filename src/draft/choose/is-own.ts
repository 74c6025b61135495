import { perFact } from "./per-fact.ts";

/** What the caller has is nearer than all that there is: `/me/drives`, `/user/repos`. */
export const isOwn = perFact(({ resource: { nouns } }) => nouns.length > 1 && /^(me|user)$/.test(nouns[0]!));
