import type { Json } from "../../model/json.ts";

/** A row while it is made. */
export type RowMade = { [name: string]: Json };

/** Sets an own property, whatever it is called: a column may have any name. */
export function setOwn(row: RowMade, name: string, value: Json): void {
  if (name !== "__proto__") row[name] = value;
  else Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
}
