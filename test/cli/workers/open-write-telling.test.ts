import { expect, test } from "vitest";
import type { WorkerAnswers } from "../../../src/cli/workers/messages.ts";
import type { Channel } from "../../../src/cli/workers/open-channel.ts";
import { openWriteTelling } from "../../../src/cli/workers/open-write-telling.ts";

/** A worker that answers when it is told to. */
function openWorker() {
  const told: string[] = [];
  const answers: { resolve(): void; reject(error: Error): void }[] = [];
  const ask = (_: string, server: string) =>
    new Promise<void>((resolve, reject) => {
      told.push(server);
      answers.push({ resolve, reject });
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    told,
    channel: { ask } as unknown as Channel<WorkerAnswers>,
    hear: async () => {
      answers.shift()?.resolve();
      await settled();
    },
    end: async () => {
      answers.shift()?.reject(new Error("ended"));
      await settled();
    },
  };
}

test("a worker that hangs is told once of all that is written meanwhile, and others at once", async () => {
  const tell = openWriteTelling();
  const [hanging, other] = [openWorker(), openWorker()];
  for (let write = 0; write < 1_000; write += 1) tell(hanging.channel, "shop");
  tell(hanging.channel, "desk");
  tell(other.channel, "shop");
  expect([hanging.told, other.told]).toStrictEqual([["shop", "desk"], ["shop"]]);
  await hanging.hear();
  expect(hanging.told).toStrictEqual(["shop", "desk", "shop"]);
  await hanging.hear();
  await hanging.hear();
  tell(hanging.channel, "shop");
  expect(hanging.told).toStrictEqual(["shop", "desk", "shop", "shop"]);
});

test("one that has ended is told nothing more", async () => {
  const tell = openWriteTelling();
  const worker = openWorker();
  tell(worker.channel, "shop");
  tell(worker.channel, "shop");
  await worker.end();
  expect(worker.told).toStrictEqual(["shop"]);
});
