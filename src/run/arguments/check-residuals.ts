import { type Json, type JsonObject, ownValue } from "../../model/json.ts";
import type { Input, Tool } from "../../model/tool.ts";
import { checkResidual, type ResidualFault } from "./check-residual.ts";
import { loadPatternMatcher } from "./match-pattern.ts";
import { startReading } from "./read-argument.ts";
import { type Argument, type Reading, refuse } from "./reading.ts";

interface Sent {
  readonly values: ReadonlyMap<string, Json>;
  readonly wire: ReadonlyMap<string, Json>;
}

/**
 * Checks each argument against what the upstream's own schema asks beyond its type, and notes what it is not. A text that could have been a number
 * is read as one where only that fits (`{type: "b", v: "5"}` where `b` has an integer): gives the arguments so settled.
 */
export async function checkResiduals({ inputs }: Tool, given: JsonObject, sent: Sent, reading: Reading): Promise<Sent> {
  const values = new Map(sent.values);
  const wire = new Map(sent.wire);
  for (const input of inputs) {
    const value = wire.get(input.name);
    const fault = await faultOf(input, value);
    if (fault === undefined) continue;
    const other = await readOtherwise(input, ownValue(given, input.name), reading);
    if (other === undefined) refuse(reading, `${input.name}${fault.inside}`, fault.mustBe, value!);
    else {
      values.set(input.name, other.caller);
      wire.set(input.name, other.wire);
    }
  }
  return { values, wire };
}

async function faultOf({ residual }: Input, value: Json | undefined): Promise<ResidualFault | undefined> {
  return residual === undefined || value === undefined || value === null ? undefined : checkResidual(residual, value);
}

/** The argument with its texts read as the JSON that they may be; undefined where that does not fit either. */
async function readOtherwise(
  input: Input,
  raw: Json | undefined,
  { pinnedInside }: Reading,
): Promise<Argument | undefined> {
  if (raw === undefined || input.form !== undefined || input.end !== undefined) return undefined;
  const again = startReading(await loadPatternMatcher(), pinnedInside, true);
  const other = again.read(input.type, raw, input.name);
  return other !== undefined && (await faultOf(input, other.wire)) === undefined ? other : undefined;
}
