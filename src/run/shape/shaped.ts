import type { ContentBlock } from "../../model/exchange.ts";
import type { JsonObject } from "../../model/json.ts";

/** A reply that is complete: its object, that object's JSON text where it was made already, and further content. */
export interface Shaped {
  readonly structured: JsonObject;
  readonly text?: string;
  readonly blocks?: readonly ContentBlock[];
  /** Nothing was done yet: what is asked, in words for a person. */
  readonly confirmation?: { readonly question: string; readonly token: string };
  /** Matching rows that are known of and not in the reply; absent where there are none. */
  readonly rowsOmitted?: number;
}
