import { openAuthorizer } from "../../../src/auth/open-authorizer.ts";
import type { EgressRequest } from "../../../src/egress/open-egress.ts";
import { ToolError } from "../../../src/model/errors.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Shape } from "../../../src/model/shape.ts";
import type { Tool, Toolset } from "../../../src/model/tool.ts";
import { createRunner, type Runner } from "../../../src/run/run-tool.ts";
import { listingTool, TOOLSET } from "../pages/listing-tool.ts";
import { answerPage, planOf, type Script, type Style } from "../pages/scripted-list.ts";
import { column, list } from "../shape-fixture.ts";
import { NOW } from "../validate-fixture.ts";

type ListShape = Extract<Shape, { kind: "list" }>;

export interface Listing {
  readonly style?: Style;
  readonly script: Script;
  readonly shape?: Partial<ListShape>;
  readonly toolset?: Partial<Toolset>;
  readonly sizeMax?: number;
  readonly tool?: Partial<Tool>;
  readonly secrets?: readonly string[];
  readonly now?: () => Date;
}

export interface Listed {
  readonly call: (args?: JsonObject, key?: JsonObject) => Promise<JsonObject>;
  readonly sent: string[];
}

/** A runner of one list tool over an upstream that is scripted down to its bytes. */
export function startList({ style, script, shape, toolset, sizeMax, tool, secrets, now = () => NOW }: Listing): Listed {
  const sent: string[] = [];
  const plan = style && planOf(style, sizeMax === undefined ? {} : { sizeMax });
  const listing = listingTool(
    list({ fields: [column("id"), column("at")], limit: { default: 5, max: 50 }, ...shape }),
    plan,
    tool,
  );
  const runner: Runner = createRunner(
    { ...TOOLSET, ...toolset, tools: [listing] },
    { env: {}, ...(secrets && { secrets }) },
    {
      egress: {
        async request(request) {
          sent.push(request.url);
          return replyOf(style ?? "token", script, request);
        },
        close: async () => {},
      },
      authorize: openAuthorizer(),
      observe: () => {},
      report: (error) => {
        throw error;
      },
      now,
    },
  );
  const call = async (args: JsonObject = {}, key: JsonObject = {}) => {
    const reply = await runner.call(listing.name, args, { key, signal: new AbortController().signal });
    return JSON.parse(reply.text) as JsonObject;
  };
  return { call, sent };
}

function replyOf(style: Style, script: Script, { url, headers: asked }: EgressRequest) {
  const { status, headers, body } = answer(style, script, { url, headers: asked });
  const text = status === 204 ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  async function* chunks() {
    yield text;
  }
  return { status, url, headers: new Map([...headers, ["content-type", "application/json"]]), body: chunks() };
}

function answer(style: Style, script: Script, request: Pick<EgressRequest, "url" | "headers">) {
  try {
    const { status, headers, body } = answerPage(style, script, request);
    return { status, headers, body: body.kind === "json" ? body.value : null };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { status: error.detail.upstream?.status ?? 500, headers: new Map<string, string>(), body: {} };
  }
}

/** The replies of a walk by page tokens, each with the next of these limits. */
export async function walkTokens({ call }: Pick<Listed, "call">, limits: readonly number[], args: JsonObject = {}) {
  const replies: JsonObject[] = [];
  let token: Json | undefined;
  for (let step = 0; step < 1_000; step += 1) {
    const limit = limits[step % limits.length]!;
    const reply = await call({ ...args, limit, ...(token !== undefined && { pageToken: token }) });
    replies.push(reply);
    if (reply.error !== undefined) throw new Error(JSON.stringify(reply));
    token = reply.nextPageToken;
    if (token === undefined) return replies;
  }
  throw new Error("The walk does not end.");
}

export const rowsOf = (replies: readonly JsonObject[]) => replies.flatMap(({ data }) => data as readonly JsonObject[]);
