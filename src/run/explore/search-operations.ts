import type { ExploredOperation, Explorer } from "../../model/explorer.ts";
import type { JsonObject } from "../../model/json.ts";
import { clipCharacters } from "../clip-characters.ts";
import { jsonBytes } from "../shape/json-bytes.ts";
import { rankOperations } from "./rank-operations.ts";

export interface OperationSearch {
  readonly query: string;
  readonly limit: number;
  /** Position among the ranked operations where this page begins. */
  readonly from: number;
  /** Bytes of the rows' JSON text. */
  readonly budget: number;
}

export interface OperationPage {
  readonly rows: readonly JsonObject[];
  /** Position where the next page begins; absent where nothing follows. */
  readonly next?: number;
}

const PATH_CHARACTERS = 200;
const MOST_TAGS = 3;
/** Operations that one page looks at: each may have to be compiled to know whether it can be sent. */
const MOST_LOOKED_AT = 400;

/** One page of the operations that fit a query, those that cannot be sent left out. */
export async function searchOperations(
  explorer: Explorer,
  { query, limit, from, budget }: OperationSearch,
): Promise<OperationPage> {
  const ranked = rankOperations(explorer.operations, query);
  const rows: JsonObject[] = [];
  let bytes = 0;
  for (let at = from; at < ranked.length; at += 1) {
    if (at - from >= MOST_LOOKED_AT) return { rows, next: at };
    const operation = ranked[at]!;
    if (!(await explorer.has(operation))) continue;
    const row = rowOf(operation);
    bytes += jsonBytes(row) + 1;
    if (rows.length === limit || (bytes > budget && rows.length > 0)) return { rows, next: at };
    rows.push(row);
  }
  return { rows };
}

function rowOf({ name, method, path, tags, summary }: ExploredOperation): JsonObject {
  const sends = clipCharacters(`${method} ${path}`, PATH_CHARACTERS);
  return {
    operation: name,
    ...(sends !== name && { sends }),
    ...(summary !== "" && { does: summary }),
    ...(tags.length > 0 && { tags: tags.slice(0, MOST_TAGS).map((tag) => clipCharacters(tag, 40)) }),
  };
}
