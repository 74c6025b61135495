import { openAuthorizer } from "../../../src/auth/open-authorizer.ts";
import type { EgressReply } from "../../../src/egress/open-egress.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Shape } from "../../../src/model/shape.ts";
import { createRunner } from "../../../src/run/run-tool.ts";
import { value } from "../shape-fixture.ts";
import { NOW, toolOf } from "../validate-fixture.ts";

export interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The reply of a tool of this shape whose upstream answers so; the credential is `sk-live-0123456789`. */
export async function startCall(shape: Shape, { status = 200, headers = {}, body }: Answered): Promise<JsonObject> {
  const tool = { ...toolOf([], shape), plan: { kind: "call", call: { operation: 0, bindings: [] } } } as const;
  const request = async ({ url }: { readonly url: string }): Promise<EgressReply> => ({
    status,
    url,
    headers: new Map(Object.entries({ "content-type": "application/json", ...headers })),
    body: (async function* () {
      yield typeof body === "string" ? Buffer.from(body) : body;
    })(),
  });
  const runner = createRunner(
    {
      version: 1,
      server: { name: "t", instructions: "", structured: true },
      upstream: {
        headers: [],
        credentials: [
          { scheme: "key", credential: { kind: "apiKey", in: "header", name: "X-Key", value: value("env.KEY") } },
        ],
        timeoutMs: 20_000,
        retries: 0,
        maxResponseBytes: 100_000_000,
        concurrency: 4,
        redirects: [],
        errors: {},
      },
      operations: [
        {
          key: "GET /things",
          method: "GET",
          path: "/things",
          server: "https://api.example.com",
          parameters: [],
          accept: "application/json",
          security: [[{ scheme: "key", scopes: [] }]],
          safe: true,
        },
      ],
      pins: [],
      entities: [],
      tools: [tool],
    },
    { env: { KEY: "sk-live-0123456789" } },
    {
      egress: { request, close: async () => {} },
      authorize: openAuthorizer(),
      observe: () => {},
      report: () => {},
      now: () => NOW,
    },
  );
  const reply = await runner.call(tool.name, {}, { key: {}, signal: new AbortController().signal });
  return JSON.parse(reply.text) as JsonObject;
}
