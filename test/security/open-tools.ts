import { openAuthorizer } from "../../src/auth/open-authorizer.ts";
import type { CompileResult } from "../../src/compile/compile-toolset.ts";
import type { EgressReply, EgressRequest } from "../../src/egress/open-egress.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { createRunner } from "../../src/run/run-tool.ts";
import { apiOfText, type CurationParts, compileText, curationText, shown } from "../compile/compile-text.ts";

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Json;
}

export interface Tools {
  readonly compiled: CompileResult;
  /** What left for the upstream. */
  readonly sent: readonly EgressRequest[];
  /** What the caller reads: the reply's JSON, or the error's. */
  call(name: string, args: unknown, key?: JsonObject): Promise<JsonObject>;
}

/** The tools of a curation over a spec, both as written, and an upstream that answers so: from the text of an argument to the bytes that are sent. */
export async function openTools(
  spec: string,
  tools: string,
  answer: (request: EgressRequest) => Answer,
  more: CurationParts & { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Tools> {
  const compiled = compileText(await apiOfText(spec), curationText(tools, more));
  const { toolset } = compiled;
  if (toolset === undefined) throw new Error(`There are no tools: ${shown(compiled.problems).join("; ")}`);
  const sent: EgressRequest[] = [];
  const runner = createRunner(
    toolset,
    { env: more.env ?? {} },
    {
      egress: {
        request: async (request) => {
          sent.push(request);
          return replyOf(answer(request), request.url);
        },
        close: async () => {},
      },
      authorize: openAuthorizer(),
      observe: () => {},
      report: () => {},
      now: () => new Date("2026-11-29T12:00:00Z"),
    },
  );
  return {
    compiled,
    sent,
    call: async (name, args, key = {}) => {
      const reply = await runner.call(name, args, { key, signal: new AbortController().signal });
      return reply.isError ? JSON.parse(reply.text) : (reply.structured ?? {});
    },
  };
}

function replyOf({ status = 200, headers = {}, body }: Answer, url: string): EgressReply {
  async function* chunks() {
    yield Buffer.from(JSON.stringify(body));
  }
  return {
    status,
    headers: new Map(Object.entries({ "content-type": "application/json", ...headers })),
    url,
    body: chunks(),
  };
}
