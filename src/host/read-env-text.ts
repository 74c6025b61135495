import type { Finding } from "../curation/read-settings.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Reads texts of the host file; what is wrong with them is found, and nothing of them is shown. */
export interface EnvReading {
  /** The text with each `${env.NAME}` read; `$${` is a literal `${`. */
  read(text: string, path: Finding["path"]): string;
  readonly findings: readonly Finding[];
}

/** The code of a variable that is not set. */
export const UNSET = "unset_variable";
/** In place of what cannot be read, so that it passes for something until all mistakes are told. */
const STAND_IN = "unset";
const PART = /\$\$\{|\$\{([^}]*)(\}?)/g;
const VARIABLE = /^\s*(?:\$\.)?env\.([A-Za-z_]\w*)\s*$/;

export function openEnvReading(env: Env): EnvReading {
  const findings: Finding[] = [];
  const refuse = (path: Finding["path"], code: string, message: string, hint: string): string => {
    findings.push({ code, path, at: "value", message, hint });
    return STAND_IN;
  };
  return {
    findings,
    read: (text, path) =>
      text.replace(PART, (whole, inner: string | undefined, end: string) => {
        if (whole === "$${") return "${";
        const [, name] = (end === "" ? null : VARIABLE.exec(inner ?? "")) ?? [];
        if (name === undefined)
          return refuse(
            path,
            "bad_expression",
            "The host file reads `${env.NAME}` and nothing else.",
            "Write $${ for the characters themselves.",
          );
        const value = env[name];
        if (value !== undefined && value !== "") return value;
        return refuse(path, UNSET, `The environment variable \`${name}\` is not set.`, "Set it, or name another one.");
      }),
  };
}

/** An object with each text in it read, at any depth. */
export function readTexts(object: JsonObject, path: Finding["path"], reading: EnvReading): JsonObject {
  const readOne = (value: Json, at: Finding["path"]): Json => {
    if (typeof value === "string") return reading.read(value, at);
    if (Array.isArray(value)) return value.map((one: Json, index) => readOne(one, [...at, index]));
    return isJsonObject(value) ? readTexts(value, at, reading) : value;
  };
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, readOne(value, [...path, name])]));
}
