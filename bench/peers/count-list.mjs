// What a server's list of tools weighs.
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { openServer } from "../measure.mjs";

const MOST_MS = 60_000;

/** Number of tools, bytes and tokens (o200k) of their compact JSON. Rejects where the server does not list them. */
export async function countList({ args, env }) {
  const server = openServer(args, env, "ignore");
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`No list within ${MOST_MS} ms.`)), MOST_MS).unref();
  });
  try {
    const { result, error } = await Promise.race([server.list(), late]);
    if (result === undefined) throw new Error(`tools/list is answered with ${JSON.stringify(error)}.`);
    const text = JSON.stringify(result.tools);
    return { tools: result.tools.length, bytes: Buffer.byteLength(text), tokens: countTokens(text), text };
  } finally {
    await server.kill();
  }
}

/** Of o200k; what looks like a special token is text. */
export function countTokens(text) {
  return encode(text, { disallowedSpecial: new Set() }).length;
}
