import type { Egress } from "../../src/egress/open-egress.ts";
import type { Api } from "../../src/model/api.ts";
import type { UpstreamRequest } from "../../src/model/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Schema } from "../../src/model/schema.ts";
import type { Tool, Toolset } from "../../src/model/tool.ts";
import type { ValueType } from "../../src/model/value.ts";
import { createRunner, type Runner } from "../../src/run/run-tool.ts";
import { preferredBody } from "./compile-operations.ts";
import { callerForm, Inexpressible } from "./draw/caller-form.ts";
import { throwDice } from "./draw/dice.ts";
import { type ArgumentDrawing, drawArgument } from "./draw/draw-argument.ts";
import type { TextPlace } from "./draw/draw-text.ts";
import { drawValue } from "./draw/draw-value.ts";
import { type Drawing, Undrawable } from "./draw/gather-parts.ts";
import type { WholeInput, WholeTool } from "./write-curation.ts";

export type Planned =
  | {
      readonly kind: "sent";
      readonly request: UpstreamRequest;
      readonly args: JsonObject;
      readonly body: Json | undefined;
    }
  | { readonly kind: "failed"; readonly stage: "draw" | "send"; readonly reason: string; readonly args?: JsonObject };

/** Runs tools as a server does and keeps what they would send; every request is answered with 204. */
export class RequestPlanner {
  readonly #runner: Runner;
  readonly #api: Api;
  readonly #tools: ReadonlyMap<string, Tool>;
  #last: UpstreamRequest | undefined;

  constructor(toolset: Toolset, api: Api) {
    const egress: Egress = {
      request: async ({ url }) => ({ status: 204, headers: new Map(), url, body: nothing() }),
      close: async () => {},
    };
    // Credentials are none of the document's parameters: what is kept is the request without them.
    const authorize = async (request: UpstreamRequest) => {
      this.#last = request;
      return { request, secrets: [] };
    };
    const outside = { egress, authorize, observe: () => {}, report: () => {}, now: () => new Date(0) };
    this.#runner = createRunner(toolset, { env: {} }, outside);
    this.#api = api;
    this.#tools = new Map(toolset.tools.map((tool) => [tool.name, tool]));
  }

  /**
   * One call with drawn arguments; the same seed draws the same. `from` says what is drawn from: what the spec allows (can a caller say it, and
   * does it arrive?), or what the tool's own types allow (does all that a caller may say make a request that the spec allows?).
   */
  async plan(whole: WholeTool, seed: string, from: "spec" | "types"): Promise<Planned> {
    let args: JsonObject;
    let body: Json | undefined;
    try {
      ({ args, body } = this.#draw(whole, seed, from));
    } catch (error) {
      if (error instanceof Undrawable) return { kind: "failed", stage: "draw", reason: error.message };
      if (error instanceof Inexpressible)
        return { kind: "failed", stage: "draw", reason: `cannot be written: ${error.message}` };
      throw error;
    }
    this.#last = undefined;
    const reply = await this.#runner.call(whole.name, args, { key: {}, signal: new AbortController().signal });
    if (this.#last !== undefined) return { kind: "sent", request: this.#last, args, body };
    return { kind: "failed", stage: "send", reason: reply.text, args };
  }

  #draw(
    { name, operation, inputs }: WholeTool,
    seed: string,
    from: "spec" | "types",
  ): { args: JsonObject; body: Json | undefined } {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const dice = throwDice(`${seed} ${operation.key}`);
    const drawing = (place: TextPlace): Drawing => ({ api: this.#api, dice, place, left: 120 });
    const args: [string, Json][] = [];
    const give = (input: WholeInput, place: TextPlace, draw: () => Json) => {
      const { type, residual } = tool.inputs.find((one) => one.name === input.name)!;
      const byType =
        from === "types" && residual === undefined ? drawOrNothing(type, { dice, place, left: 60 }) : undefined;
      args.push([input.name, byType ?? callerForm(type, draw(), input.name)]);
    };
    for (const input of inputs) {
      if (input.part.kind !== "parameter") continue;
      const parameter = operation.parameters[input.part.at]!;
      const place = parameter.in === "querystring" ? "query" : parameter.in;
      if (!parameter.required && !dice.chance(0.5)) continue;
      optional(parameter.required, () => give(input, place, () => drawFilled(parameter.schema, drawing(place))));
    }
    const ofBody = inputs.filter(({ part }) => part.kind === "body");
    const schema = preferredBody(operation)?.schema ?? {};
    let body: Json | undefined;
    if (ofBody.length > 0 && (operation.body?.required === true || dice.chance(0.8))) {
      const drawn = drawValue(schema, drawing("body"));
      body = drawn;
      for (const input of ofBody) {
        if (input.part.kind !== "body") continue;
        const { property } = input.part;
        if (property === undefined) give(input, "body", () => drawn);
        else if (isJsonObject(drawn) && Object.hasOwn(drawn, property)) give(input, "body", () => drawn[property]!);
      }
    }
    return { args: Object.fromEntries(args), body };
  }
}

/** An empty list or object has no spelling in a parameter, so one with something in it is drawn where there is one. */
function drawFilled(schema: Schema, drawing: Drawing): Json {
  for (let tries = 0; ; tries += 1) {
    const drawn = drawValue(schema, drawing);
    const isEmpty = typeof drawn === "object" && drawn !== null && Object.keys(drawn).length === 0;
    if (!isEmpty || tries > 8) return drawn;
  }
}

/** Undefined where the type does not say enough. */
function drawOrNothing(type: ValueType, drawing: ArgumentDrawing): Json | undefined {
  try {
    return drawArgument(type, drawing);
  } catch (error) {
    if (error instanceof Undrawable) return undefined;
    throw error;
  }
}

function optional(required: boolean, give: () => void): void {
  try {
    give();
  } catch (error) {
    if (required || !(error instanceof Undrawable)) throw error;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
