import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { JsonObject } from "../model/json.ts";

export type Verdict = { readonly messages: readonly string[] } | { readonly unable: string };

// In a thread of its own, as it can neither be stopped nor bounded otherwise: on small specs with shared schemas it may take for ever.
const SCRIPT = `
const { parentPort, workerData } = require("node:worker_threads");
const options = { resolve: { external: false, file: false }, validate: { errors: { colorize: false } } };
import(workerData.parser)
  .then(({ validate }) => validate(workerData.root, options))
  .then((result) => ({ messages: [...(result.errors ?? []), ...result.warnings].map((found) => found.message) }))
  .catch((error) => ({ unable: String(error?.message ?? error) }))
  .then((verdict) => parentPort.postMessage(verdict));
`;
const MEMORY_MB = 1024;

/** What @readme/openapi-parser says of a copy of the document. No file and no address is opened for it. Never throws. */
export async function validateDocument(root: JsonObject, deadlineMs: number): Promise<Verdict> {
  const parser = findParser();
  if (parser === undefined) return { unable: "the package @readme/openapi-parser is not installed." };
  const worker = new Worker(SCRIPT, {
    eval: true,
    workerData: { parser, root },
    stdout: true,
    stderr: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Verdict>((settle) => {
      timer = setTimeout(() => settle({ unable: `validation was stopped after ${deadlineMs} ms.` }), deadlineMs);
      worker.once("message", (verdict: Verdict) => settle(withoutRefs(verdict)));
      worker.once("error", (error) => settle({ unable: error.message }));
      worker.once("exit", () => settle({ unable: "the validator ended without an answer." }));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

// It takes `$ref` in examples for references and stops at the first one that fails; broken references are told by `findBrokenRefs`.
function withoutRefs(verdict: Verdict): Verdict {
  const stopped =
    "messages" in verdict ? verdict.messages.find((message) => message.startsWith("Missing $ref pointer")) : undefined;
  return stopped === undefined ? verdict : { unable: `the validator stopped at a reference. ${stopped}` };
}

function findParser(): string | undefined {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve("@readme/openapi-parser")).href;
  } catch {
    return undefined;
  }
}
