#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { type KeptCode, openKeptCode } from "./start/kept-code.ts";
import { findShippedCode } from "./start/shipped-code.ts";

/** The script that the program begins in. Put in by build.mjs. */
declare const VITRINE_START: string;

/** After this what a server needs is compiled. */
const SETTLED_MS = 2_000;
/** How many times more there must be to keep before it is written again. */
const GROWN = 1.1;

interface Loaded {
  readonly script: Script;
  readonly code: KeptCode | undefined;
  /** Bytes that are kept for the user and that V8 takes. */
  kept: number;
}

// The program is in scripts (join-chunks.mjs): V8's compiled form of them can be kept, which takes a third off the start.
const parts = new Map<string, () => object>();
const loaded: Loaded[] = [];

/** A chunk of the program; the modules that were left beside the scripts ask for it. */
function partOf(name: string, script: string): object {
  if (!parts.has(name)) loaded.push(load(script));
  const part = parts.get(name);
  if (part === undefined) throw new Error(`There is no ${name} in ${script}.`);
  return part();
}

function load(name: string): Loaded {
  const url = new URL(`./${name}`, import.meta.url);
  const path = fileURLToPath(url);
  const code = openKeptCode(process.env, process.argv[2], name);
  const own = code?.find();
  const cachedData = own ?? findShippedCode(dirname(path), name);
  // V8 keeps the name with the code, and what was built elsewhere must not tell of a folder that is not here.
  const script = new Script(readFileSync(path, "latin1"), { filename: name, ...(cachedData && { cachedData }) });
  script.runInThisContext()(createRequire(url), (other: string) => import(other), url.href, parts);
  return { script, code, kept: script.cachedDataRejected === false ? (own?.length ?? 0) : 0 };
}

/** What was compiled since the start as well, as V8 compiles a function when it is first called. */
function keepCode(one: Loaded): void {
  const compiled = one.code && one.script.createCachedData();
  if (compiled === undefined || compiled.length <= one.kept * GROWN) return;
  one.code?.store(compiled);
  one.kept = compiled.length;
}

Object.assign(globalThis, { [Symbol.for("vitrine.part")]: partOf });
partOf("program.js", VITRINE_START);

setTimeout(() => loaded.forEach(keepCode), SETTLED_MS).unref();
process.once("exit", (status) => {
  if (status < 2) for (const one of loaded) if (one.kept === 0) keepCode(one);
});
