import { type Api, isFault, type Operation } from "../../model/api.ts";

/** What the spec says of an operation, by its id or `METHOD /path`; undefined where it has none, or a broken one. */
export function operationOf(name: string, api: Api): Operation | undefined {
  const entry = api.find(name);
  const operation = entry && api.read(entry);
  return operation === undefined || isFault(operation) ? undefined : operation;
}
