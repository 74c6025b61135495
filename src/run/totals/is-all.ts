import type { ListRead } from "../list/list-read.ts";

/** Whether these rows are all that the list has. */
export function isAll(read: ListRead): boolean {
  if (read.unreachable || read.cut !== undefined || read.stopped !== undefined) return false;
  return read.kind === "whole" || read.complete;
}
