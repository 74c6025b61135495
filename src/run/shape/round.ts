import { Decimal } from "decimal.js";
import type { Json } from "../../model/json.ts";

const Exact = Decimal.clone({ precision: 100, rounding: Decimal.ROUND_HALF_UP });
const DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * A number, or a number as text, to so many decimal places, half away from zero (2.675 becomes 2.68, unlike in binary arithmetic); a
 * text stays a text. Anything else is left alone.
 */
export function roundCell(cell: Json, places: number): Json {
  if (typeof cell === "number") return new Exact(cell).toDecimalPlaces(places).toNumber() + 0;
  if (typeof cell === "string" && cell.length <= 80 && DECIMAL.test(cell))
    return new Exact(cell).toDecimalPlaces(places).toFixed();
  return cell;
}
