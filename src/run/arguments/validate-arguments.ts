import { isJsonObject, type Json, type JsonObject, ownValue } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Input, Tool } from "../../model/tool.ts";
import type { ValueType } from "../../model/value.ts";
import { exactDigits, withoutExact } from "../request/exact-number.ts";
import { type ArgumentFault, refuseArguments } from "./argument-faults.ts";
import { boundArguments } from "./bound-arguments.ts";
import { checkResiduals } from "./check-residuals.ts";
import { loadPatternMatcher } from "./match-pattern.ts";
import { parseExactly } from "./parse-exactly.ts";
import type { PinnedNames } from "./pinned-names.ts";
import { startReading } from "./read-argument.ts";
import { type Argument, pinnedFault, type Reading, refuse } from "./reading.ts";
import { resolveDefault } from "./resolve-default.ts";
import { type FormRoots, sendInForm } from "./send-in-form.ts";

/** The caller's arguments, checked, defaults applied. An argument that is not given and has no default is in neither map. */
export interface Arguments {
  /** In the caller's form: what `$.input.x` is while a reply is shaped. */
  readonly values: ReadonlyMap<string, Json>;
  /** In the upstream's form: what `input.x` is while a request is built. */
  readonly wire: ReadonlyMap<string, Json>;
  /** The built-in `limit`, where the tool has one. */
  readonly limit?: number;
  /** The built-in `filter` as it was given, where the tool has one: `resolve-filter` reads it. */
  readonly filter?: unknown;
}

export interface ValidationContext {
  readonly now: Date;
  readonly pins: JsonObject;
  /** Of an action of a group: the arguments that it does not take, with the actions that do. */
  readonly elsewhere?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Checks the arguments of a call and brings them into the upstream's form. Refuses what the tool does not have, what a pin sets and what
 * is lossy; coerces only what has one meaning. Throws one ToolError that names everything that is wrong.
 */
export async function validateArguments(
  tool: Tool,
  pinned: PinnedNames,
  raw: unknown,
  context: ValidationContext,
): Promise<Arguments> {
  const given = readWhole(raw);
  const reading = startReading(await loadPatternMatcher(), pinned.inside);
  reading.faults.push(...refuseNames(tool, pinned, given, context.elsewhere));
  const read = new Map<string, Argument>();
  for (const input of takenBy(tool).inputs) {
    const argument = readInput(
      input,
      ownValue(given, input.name) ?? null,
      Object.hasOwn(given, input.name),
      reading,
      context.now,
    );
    if (argument) read.set(input.name, argument);
  }
  throwFaults(reading.faults);
  const filter = readFilterArgument(tool, given, reading);
  const sent = sendForms(tool, read, context.pins, reading);
  const settled = await checkResiduals(tool, given, sent, reading);
  throwFaults(reading.faults);
  return { ...sent, ...settled, ...(filter !== undefined && { filter }) };
}

function throwFaults(faults: readonly ArgumentFault[]): void {
  if (faults.length > 0) throw refuseArguments(faults);
}

/** The arguments as one object, within bounds; some clients send them as JSON text, or nothing where there are none. */
export function readWhole(raw: unknown): JsonObject {
  const fault = boundArguments(raw);
  if (fault) throw refuseArguments([fault]);
  const parsed = typeof raw === "string" ? parseExactly(raw) : (raw ?? {});
  const faultInside = typeof raw === "string" ? boundArguments(parsed) : undefined;
  if (faultInside) throw refuseArguments([faultInside]);
  if (isJsonObject(parsed) && exactDigits(parsed) === undefined) return parsed;
  const message = "The arguments must be an object with the tool's inputs by name.";
  throw refuseArguments([{ code: "invalid_arguments", path: "", message }]);
}

function refuseNames(
  tool: Tool,
  pinned: PinnedNames,
  given: JsonObject,
  elsewhere: ValidationContext["elsewhere"],
): ArgumentFault[] {
  const { names } = takenBy(tool);
  const faults: ArgumentFault[] = [];
  for (const name of Object.keys(given)) {
    const folded = name.toLowerCase();
    if (pinned.pins.has(folded)) faults.push(pinnedFault(name));
    else if (names.has(name)) continue;
    else if (pinned.places.has(folded)) faults.push(pinnedFault(name));
    else faults.push(foreignFault(name, names, tool, elsewhere) ?? unknownFault(name, names));
  }
  return faults;
}

/** It belongs to other actions of the same group. */
function foreignFault(
  name: string,
  names: ReadonlySet<string>,
  { group }: Tool,
  elsewhere: ValidationContext["elsewhere"],
): ArgumentFault | undefined {
  const actions = elsewhere?.get(name);
  if (actions === undefined || group === undefined) return undefined;
  const { discriminator, action } = group;
  const list = names.size > 0 ? `takes ${[...names].slice(0, 30).join(", ")}` : "takes no arguments";
  const owners = actions.map((one) => `\`${one}\``).join(", ");
  return {
    code: "unknown_argument",
    path: name,
    message: `\`${name}\` is an argument of ${discriminator} ${owners}, not of \`${action}\`, which ${list}.`,
  };
}

function unknownFault(name: string, names: ReadonlySet<string>): ArgumentFault {
  const list = names.size > 0 ? `It has: ${[...names].slice(0, 30).join(", ")}.` : "It has none.";
  return {
    code: "unknown_argument",
    path: name.slice(0, 64),
    message: `The tool has no argument \`${name.slice(0, 64)}\`. ${list}`,
    nearest: nearestNames(name, names),
  };
}

/** What a tool takes, the same in each call. */
interface Taken {
  readonly inputs: readonly Input[];
  readonly names: ReadonlySet<string>;
}

const takenBy = onceFor((tool: Tool): Taken => {
  const inputs = listInputs(tool);
  return { inputs, names: new Set([...inputs.map(({ name }) => name), ...builtIns(tool)]) };
});

/** The tool's inputs, and the built-in `limit` where rows are counted. */
function listInputs(tool: Tool): Input[] {
  const limit = tool.shape.kind === "list" ? tool.shape.limit : undefined;
  const inputs = tool.inputs.filter((input) => !(limit && input.name === "limit"));
  if (!limit) return inputs;
  const type: ValueType = { kind: "integer", minimum: 1, maximum: limit.max };
  return [...inputs, { name: "limit", required: false, type, default: { kind: "literal", value: limit.default } }];
}

/** The built-in inputs that are read elsewhere: `pageToken` by `cursor/`, `confirm` by `confirm/`, `filter` by `filter/`. */
function builtIns({ filter, inputSchema }: Tool): string[] {
  const tokens = ["pageToken", "confirm"].filter((name) => Object.hasOwn(inputSchema.properties ?? {}, name));
  return [...(filter?.offered ? ["filter"] : []), ...tokens];
}

/** The filter, also where a client sent it as its JSON text; undefined where there is none. */
function readFilterArgument({ filter }: Tool, given: JsonObject, reading: Reading): Json | undefined {
  if (!filter?.offered) return undefined;
  const raw = ownValue(given, "filter") ?? undefined;
  const parsed = typeof raw === "string" ? (parseExactly(raw) ?? raw) : raw;
  const fault = boundArguments(parsed, "filter");
  if (fault) reading.faults.push(fault);
  // A filter takes a number's digits as text, just as they were written.
  return fault || parsed === undefined ? undefined : withoutExact(parsed);
}

function readInput(input: Input, given: Json, isGiven: boolean, reading: Reading, now: Date): Argument | undefined {
  // A null that the upstream does not accept means "not set": clients send it so.
  const raw = given === null && !(isGiven && input.type.nullable) ? resolveDefault(input, now) : given;
  if (raw !== undefined) return reading.read(input.type, raw, input.name);
  if (input.required) {
    const message = `\`${input.name}\` is required${input.type.description ? `: ${input.type.description}` : "."}`;
    reading.faults.push({ code: "invalid_arguments", path: input.name, message });
  }
  return undefined;
}

function sendForms(tool: Tool, read: ReadonlyMap<string, Argument>, pins: JsonObject, reading: Reading): Arguments {
  const values = new Map([...read].map(([name, argument]) => [name, argument.caller]));
  const wire = new Map([...read].map(([name, argument]) => [name, argument.wire]));
  const roots: FormRoots = { input: Object.fromEntries(values), pins };
  for (const input of tool.inputs) {
    const argument = read.get(input.name);
    if (!argument) continue;
    const sent = sendInForm(input, argument, roots);
    if ("fault" in sent) refuse(reading, input.name, `one that the upstream can take: ${sent.fault}`, argument.caller);
    else wire.set(input.name, sent.value);
  }
  const limit = tool.shape.kind === "list" && tool.shape.limit ? values.get("limit") : undefined;
  return { values, wire, ...(typeof limit === "number" && { limit }) };
}
