import { ToolError } from "../../model/errors.ts";
import type { ExploredOperation, Explorer, OpenedOperation } from "../../model/explorer.ts";
import { nearestNames } from "../../model/nearest.ts";

export interface FoundOperation {
  readonly operation: ExploredOperation;
  readonly opened: OpenedOperation;
}

const MOST_NEAREST = 3;
const MOST_TRIED = 12;

/** The operation of this name, or `METHOD /path`. Throws ToolError `unknown_id`, the same for one that does not exist and one that cannot be sent. */
export async function findOperation(explorer: Explorer, asked: string): Promise<FoundOperation> {
  const name = asked.trim();
  const found = explorer.operations.find((one) => one.name === name) ?? byPath(explorer, name);
  const opened = found && (await explorer.open(found));
  if (found !== undefined && opened !== undefined) return { operation: found, opened };
  throw await unknownOperation(explorer, asked);
}

/** `get  /v1/things` is meant for `GET /v1/things`. */
function byPath(explorer: Explorer, name: string): ExploredOperation | undefined {
  const [, method, path] = /^([A-Za-z]+)\s+(\/\S*)$/.exec(name) ?? [];
  return explorer.operations.find((one) => one.path === path && one.method === method?.toUpperCase());
}

async function unknownOperation(explorer: Explorer, asked: string): Promise<ToolError> {
  const got = asked.slice(0, 200);
  const byName = new Map(explorer.operations.map((one) => [one.name, one]));
  const near = nearestNames(got, byName.keys(), MOST_TRIED);
  const sendable = await Promise.all(near.map((name) => explorer.has(byName.get(name)!)));
  const nearest = near.filter((_, at) => sendable[at]).slice(0, MOST_NEAREST);
  return new ToolError("unknown_id", {
    message: "There is no such read-only operation here.",
    recover: `Give \`operation\` exactly as the search names it.${nearest.length > 0 ? " See `nearest`." : ""}`,
    path: "operation",
    got,
    ...(nearest.length > 0 && { nearest }),
    retryable: false,
  });
}
