import { expect } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { expectLoad, openLoad } from "./expect-load.ts";
import { expectNames } from "./expect-names.ts";
import { expectRequest, type RequestContext } from "./expect-request.ts";
import { expectResponse } from "./expect-response.ts";
import { expectTool } from "./expect-tool.ts";
import { hasProperties, type Mode } from "./expose-operation.ts";
import { loadCase, type OpenCase, openCase } from "./open-case.ts";
import type { Case, CaseCredentials } from "./read-case.ts";

/** The ways in which a case is exposed: a body with properties as inputs of their own, and as one. */
export async function modesOf(given: Case): Promise<readonly Mode[]> {
  if (given.operation === undefined || given.kind === "load" || given.kind === "name") return ["whole"];
  return hasProperties(await loadCase(given), given.operation) ? ["apart", "whole"] : ["whole"];
}

export async function runCase(given: Case, mode: Mode): Promise<void> {
  switch (given.kind) {
    case "load":
      return expectLoad(given.expect, await openLoad(given));
    case "name":
      return expectNames(given.expect, given);
    case "tool":
      return withCase(given, mode, {}, async (opened) => {
        await expectTool(given.expect, { opened, given });
        if (given.then_request !== undefined) {
          const { args, expect: expected } = given.then_request;
          await expectRequest(expected, await calling({ ...given, args }, mode, opened));
        }
      });
    case "request":
    case "auth":
      return withCase(given, mode, {}, async (opened) =>
        expectRequest(given.expect, await calling(given, mode, opened)),
      );
    case "response":
      return withCase(given, mode, {}, async (opened) => {
        const ran = await opened.call(given.args ?? {}, given.upstream);
        await expectResponse(given.expect, { given, opened, ran });
      });
    default:
      throw new Error(`The runner does not know the kind "${given.kind satisfies never}".`);
  }
}

interface Fresh {
  readonly operation?: string;
  readonly credentials?: CaseCredentials;
}

async function withCase<T>(given: Case, mode: Mode, fresh: Fresh, use: (opened: OpenCase) => Promise<T>): Promise<T> {
  const operation = fresh.operation ?? given.operation;
  expect(operation).toBeDefined();
  const opened = await openCase(given, operation!, mode, fresh.credentials ?? given.credentials);
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

async function calling(given: Case, mode: Mode, opened: OpenCase): Promise<RequestContext> {
  const args = given.args ?? {};
  const ran = await opened.call(args, given.upstream);
  return { given, opened, args, ran, fresh: (options, use) => withCase(given, mode, options, use) };
}

/** `instead` laid over what a case expects; null takes a key away. */
export function layOver(expected: JsonObject, instead: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...expected, ...instead }).filter(([, value]) => value !== null));
}
