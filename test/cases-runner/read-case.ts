import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "../../src/model/json.ts";

/** Arguments by where in the request they go; null: the caller sent null, absent: nothing was sent. */
export interface CaseArgs {
  readonly path?: JsonObject;
  readonly query?: JsonObject;
  readonly header?: JsonObject;
  readonly cookie?: JsonObject;
  readonly querystring?: Json;
  readonly body?: Json;
}

/** What the fake API answers. */
export interface CaseAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly body_base64?: string;
  /** Chunks, each written by itself. */
  readonly stream?: readonly string[];
  /** In words. */
  readonly body_generator?: string;
}

export type CaseCredentials = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** One folder of `test/cases`: a public bug of another tool, and what is right. */
export interface Case {
  readonly name: string;
  readonly folder: string;
  readonly kind: "request" | "tool" | "name" | "load" | "response" | "auth";
  /** `METHOD /path/template` as in the spec. */
  readonly operation?: string;
  /** Where the spec is pretended to come from. */
  readonly spec_url?: string;
  readonly args?: CaseArgs;
  readonly credentials?: CaseCredentials;
  readonly upstream?: CaseAnswer;
  readonly expect: JsonObject;
  readonly then_request?: { readonly args: CaseArgs; readonly expect: JsonObject };
}

const FOLDER = join(import.meta.dirname, "..", "cases");
const KEYS = new Set(
  ["kind", "operation", "spec_url", "args", "credentials", "upstream", "expect", "then_request"].sort(),
);

/** Every case in the order of its number. Throws for a key that the runner does not know: nothing is skipped in silence. */
export function readCases(): Case[] {
  return readdirSync(FOLDER)
    .sort()
    .map((name) => {
      const folder = join(FOLDER, name);
      const read = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as Omit<Case, "name" | "folder">;
      for (const key of Object.keys(read)) if (!KEYS.has(key)) throw new Error(`${name}: unknown key ${key}`);
      return { ...read, name, folder };
    });
}

/** Looks up every key of an expectation in a table; one that is not there fails the test. */
export async function honour<C>(
  expected: JsonObject,
  table: Readonly<Record<string, (value: never, context: C) => void | Promise<void>>>,
  context: C,
): Promise<void> {
  for (const [key, value] of Object.entries(expected)) {
    const check = Object.hasOwn(table, key) ? table[key] : undefined;
    if (check === undefined) throw new Error(`The runner does not know the expectation "${key}".`);
    await check(value as never, context);
  }
}
