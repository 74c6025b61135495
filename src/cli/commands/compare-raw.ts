import type { RunEvent, ToolReply } from "../../model/exchange.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { SecretHider } from "../../run/hide-secrets.ts";
import { openMeasure } from "../../surface/measure-cost.ts";
import { bodyText, showBody } from "./show-body.ts";
import { showRequest } from "./show-request.ts";

/** A reply beside the upstream's own answers, with the bytes and o200k_base tokens of both. */
export async function compareRaw(
  reply: ToolReply,
  events: readonly RunEvent[],
  hider: SecretHider,
): Promise<JsonObject> {
  const measure = await openMeasure();
  const own = measure(reply.text);
  const answers = events.filter((event) => event.type === "reply").map((event) => event.reply);
  const tokens = answers.map(({ body }) => measure(bodyText(body)).tokens);
  return {
    reply: parse(reply.text),
    upstream: events.filter((event) => event.type !== "request").map((event) => showExchange(event, hider)),
    bytes: { reply: own.bytes, upstream: sum(answers.map(({ bytes }) => bytes)) },
    tokens: { reply: own.tokens, upstream: sum(tokens) },
  };
}

function showExchange(event: Exclude<RunEvent, { type: "request" }>, hider: SecretHider): JsonObject {
  const request = showRequest(event.request, hider);
  if (event.type === "failure") return { request, failure: hider.text(messageOf(event.error)) };
  return { request, status: event.reply.status, body: hider.json(showBody(event.reply.body)) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
