import type { Json, JsonObject } from "../../model/json.ts";
import type { Entity, Input } from "../../model/tool.ts";
import { type ArgumentFault, refuseArguments } from "../arguments/argument-faults.ts";
import { checkResidual } from "../arguments/check-residual.ts";
import { loadPatternMatcher } from "../arguments/match-pattern.ts";
import { startReading } from "../arguments/read-argument.ts";
import { type Argument, type Reading, refuse } from "../arguments/reading.ts";
import { sendInForm } from "../arguments/send-in-form.ts";
import type { Arguments } from "../arguments/validate-arguments.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { loadAliasMatcher, type MatchAlias } from "./match-alias.ts";
import { type Misnomer, refuseAmbiguous, refuseUnknown } from "./refuse-identifier.ts";
import { type Identity, resolveIdentifier } from "./resolve-identifier.ts";

type NamingInput = Input & Required<Pick<Input, "identified">>;
type Calling = Omit<Asking, "roots" | "wire">;

/** One value of an input that names things. */
interface Named extends Misnomer {
  readonly identity: Identity;
}

/**
 * The arguments with the identifiers that their aliases stand for, in both forms; each value is looked up once. Throws ToolError `ambiguous_id`,
 * `unknown_id` that names all values which stand for nothing, and what looking up throws.
 */
export async function identifyArguments(given: Arguments, calling: Calling): Promise<Arguments> {
  const inputs = calling.tool.inputs.filter(
    (input): input is NamingInput => input.identified !== undefined && given.values.get(input.name) != null,
  );
  if (inputs.length === 0) return given;
  const resolve = resolveOnce(await loadAliasMatcher(), calling);
  const named = await Promise.all(inputs.map((input) => nameValues(input, given, calling, resolve)));
  for (const one of named.flat())
    if (one.identity.kind === "several") throw refuseAmbiguous(one, one.identity.candidates, calling);
  const unknown = named.flat().filter(({ identity }) => identity.kind === "none");
  if (unknown.length > 0) throw await refuseUnknown(unknown, calling);
  return replaceValues(given, inputs, named, calling);
}

type Resolve = (text: string, entity: Entity) => Promise<Identity>;

function resolveOnce(match: MatchAlias, calling: Calling): Resolve {
  const known = new Map<string, Promise<Identity>>();
  return (text, entity) => {
    const key = JSON.stringify([entity.name, text]);
    const found = known.get(key) ?? resolveIdentifier(text, entity, match, calling);
    known.set(key, found);
    return found;
  };
}

function nameValues({ name, entity }: NamingInput, given: Arguments, calling: Calling, resolve: Resolve) {
  const found = calling.toolset.entities.find((one) => one.name === entity);
  if (found === undefined) throw new Error(`The toolset has no entity ${entity}.`);
  const value = given.values.get(name)!;
  const texts = Array.isArray(value) ? value.map(String) : [String(value)];
  return Promise.all(
    texts.map(async (text, index): Promise<Named> => {
      const path = Array.isArray(value) ? `${name}[${index}]` : name;
      return { entity: found, text, path, identity: await resolve(text, found) };
    }),
  );
}

async function replaceValues(
  given: Arguments,
  inputs: readonly NamingInput[],
  named: readonly (readonly Named[])[],
  calling: Calling,
): Promise<Arguments> {
  const reading = startReading(await loadPatternMatcher(), new Set());
  const read = new Map<string, Argument>();
  for (const [index, input] of inputs.entries()) {
    const isList = Array.isArray(given.values.get(input.name));
    const { type } = input.identified;
    for (const one of named[index]!) await checkFit(one, type.kind === "array" ? type.items : type, reading, calling);
    const ids = named[index]!.map(({ identity }) => (identity.kind === "one" ? identity.id : ""));
    const distinct = type.kind === "array" && type.uniqueItems === true ? [...new Set(ids)] : ids;
    const argument = reading.read(type, isList ? distinct : ids[0]!, input.name);
    if (argument !== undefined) read.set(input.name, argument);
  }
  throwFaults(reading.faults);
  const values = new Map([...given.values, ...[...read].map(([name, { caller }]) => [name, caller] as const)]);
  const wire = new Map(given.wire);
  const roots = { input: Object.fromEntries(values) as JsonObject, pins: calling.access.pins };
  for (const input of inputs) {
    const { name, identified } = input;
    const argument = read.get(name)!;
    const sent = sendInForm({ ...input, ...identified }, argument, roots);
    if ("fault" in sent) refuse(reading, name, `one that the upstream can take: ${sent.fault}`, argument.caller);
    else wire.set(name, await checkWire(identified, sent.value, name, reading));
  }
  throwFaults(reading.faults);
  return { ...given, values, wire };
}

/** What the place cannot hold is the identifier of nothing. */
async function checkFit(one: Named, type: Input["type"], reading: Reading, calling: Calling): Promise<void> {
  const id = one.identity.kind === "one" ? one.identity.id : "";
  const before = reading.faults.length;
  reading.read(type, id, one.path);
  const [fault] = reading.faults.splice(before);
  if (fault !== undefined) throw await refuseUnknown([one], calling, { why: fault.message });
}

async function checkWire({ residual }: NamingInput["identified"], value: Json, name: string, reading: Reading) {
  const fault = residual === undefined ? undefined : await checkResidual(residual, value);
  if (fault !== undefined) refuse(reading, `${name}${fault.inside}`, fault.mustBe, value);
  return value;
}

function throwFaults(faults: readonly ArgumentFault[]): void {
  if (faults.length > 0) throw refuseArguments(faults);
}
