import { readExpiry } from "../host/read-host-values.ts";
import { UsageError } from "./command.ts";

/** When something ends that is still to come: a day's end, or a moment. Throws `UsageError`, which names the option. */
export function readEnd(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const end = readExpiry(text);
  if (end === undefined) throw new UsageError(`${option} is no date: ${JSON.stringify(text)}. For example 2027-06-30`);
  if (end.getTime() <= Date.now()) throw new UsageError(`${option} is over: ${text}.`);
  return end;
}
