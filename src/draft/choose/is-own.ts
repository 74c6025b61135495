import { onceFor } from "../../model/once-for.ts";
import type { Fact } from "../survey/read-fact.ts";

/** What the caller has is nearer than all that there is: `/me/drives`, `/user/repos`. */
export const isOwn = onceFor(({ resource: { nouns } }: Fact) => nouns.length > 1 && /^(me|user)$/.test(nouns[0]!));
