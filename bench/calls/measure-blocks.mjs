// Calls servers in turns, in blocks of a fixed number of calls of one kind, in an order of chance.
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { shuffle } from "../measure.mjs";
import { connect } from "./connect.mjs";

/** Threads that compile or collect garbage have come to their end. */
const REST_MS = 15;

/**
 * `scenes` are `{ server, way, era, atOnce, calls, method, params, expect }`: `calls` requests, `atOnce` under way, each answered with a text that `expect`
 * stands in. Gives for each a list of blocks `{ spent, perSecond, times, bytes }` of the counted rounds: the milliseconds of the processor a call, calls a
 * second, how long each took, and the bytes of a response.
 */
export async function measureBlocks(scenes, { warmUp, rounds }) {
  const runs = scenes.map(() => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const at of shuffle(scenes.map((_, at) => at))) {
      const block = await callUnhindered(scenes[at]);
      if (round >= 0) runs[at].push(block);
    }
  }
  return runs;
}

const MOST_TRIES = 20;
const RETRY_MS = 1_000;

/** A host sheds load while others take the machine from it: such a block is made again. */
async function callUnhindered(scene) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await callBlock(scene);
    } catch (error) {
      if (error.code !== "busy" || tries === MOST_TRIES) throw error;
      await wait(RETRY_MS);
    }
  }
}

async function callBlock({ server, way, era, atOnce, calls, method, params, expect }) {
  const client = await connect(server, way, era, atOnce);
  const times = [];
  let bytes = 0;
  let left = calls;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const begin = performance.now();
      const text = await client.ask(method, params);
      times.push(performance.now() - begin);
      if (bytes === 0) bytes = Buffer.byteLength(text);
      if (!text.includes(expect)) throw new Error(`${server.name} failed: ${text.slice(0, 500)}`);
    }
  };
  const before = await server.spent();
  const begin = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  const seconds = (performance.now() - begin) / 1000;
  await wait(REST_MS);
  const after = await server.spent();
  await client.close();
  return { spent: (after - before) / calls, perSecond: calls / seconds, times, bytes };
}
