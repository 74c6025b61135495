import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { beginListening } from "../../src/host/begin-listening.ts";
import type { Listening } from "../../src/host/follow-states.ts";
import type { DoorAnswer } from "../../src/host/hosting.ts";
import { makeCaller } from "./make-caller.ts";

/** Begins to listen at a door that answers so from then on; gives what is done for whoever listens, and what that asked for. */
function listenAt(answer: DoorAnswer) {
  const asked: string[] = [];
  let listening: Listening | undefined;
  const caller = makeCaller({ id: "ann" });
  const view = { options: {}, current: () => ({ caller: { seenBy: async () => void asked.push("seen") } }) };
  const hold = () => {
    asked.push("held");
    return { viewOf: () => view, done: () => asked.push("done") };
  };
  const serving = {
    streams: { mayOpen: () => true, opened: () => {} },
    following: {
      began: (one: Listening) => {
        listening = one;
      },
    },
    held: { hold },
    door: { verify: async () => answer },
    now: () => new Date(0),
  } as unknown as Parameters<typeof beginListening>[0]["serving"];
  const request = { headers: {} } as IncomingMessage;
  expect(beginListening({ name: "one", caller, request, response: {} as ServerResponse, serving })).toBe(true);
  return { look: () => listening!.look(), asked };
}

test("what whoever listens sees is asked for as they are let in by then", async () => {
  const { look, asked } = listenAt({ kind: "caller", caller: makeCaller({ id: "ann" }) });
  await look();
  expect(asked).toStrictEqual(["held", "seen", "done"]);
});

test("for one whose key has ended nothing is asked any more", async () => {
  const { look, asked } = listenAt({ kind: "refused", status: 401, headers: [], code: -32000, message: "no" });
  await look();
  expect(asked).toStrictEqual([]);
});
