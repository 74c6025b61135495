import type { Curation } from "../../curation/format.ts";
import { loadCuration, readMade } from "../../curation/load-curation.ts";
import type { JsonObject } from "../../model/json.ts";

/** A curation in which what people wrote stands beside what was drafted. */
export function readJoined(content: JsonObject): Curation {
  const curation = readMade("draft", content);
  if (curation !== undefined) return curation;
  const [problem] = loadCuration("draft", JSON.stringify(content)).problems;
  throw new Error(`The draft is no curation: ${problem?.code}: ${problem?.message}`);
}
