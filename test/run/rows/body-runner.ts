import { openAuthorizer } from "../../../src/auth/open-authorizer.ts";
import type { Call } from "../../../src/model/call.ts";
import type { ReplyBody, ToolReply } from "../../../src/model/exchange.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Shape } from "../../../src/model/shape.ts";
import type { Tool } from "../../../src/model/tool.ts";
import { createRunner } from "../../../src/run/run-tool.ts";
import { listingTool, TOOLSET } from "../pages/listing-tool.ts";
import { LISTING } from "../pages/scripted-list.ts";
import { column, list } from "../shape-fixture.ts";
import { NOW } from "../validate-fixture.ts";

type ListShape = Extract<Shape, { kind: "list" }>;

export interface Upstream {
  /** What it answers to a request of this address. */
  readonly answer: (url: URL) => Json;
  readonly shape?: Partial<ListShape>;
  readonly pages?: Call["pages"];
  readonly tool?: Partial<Tool>;
  /** It says how long its body is. */
  readonly saysLength?: boolean;
}

export interface Called {
  readonly reply: ToolReply;
  /** The text, without the page token, which is never the same. */
  readonly text: string;
  readonly data: JsonObject;
  readonly bodies: readonly ReplyBody[];
}

const CHUNK = 16_384;

/** A list tool over an upstream whose bodies may be large; `isWhole` has them read whole, as for somebody who looks at them. */
export function openUpstream({ answer, shape, pages, tool, saysLength = false }: Upstream) {
  const sent: { bytes: number; of: number }[] = [];
  const listing = listingTool(
    list({ rows: { jmespath: "items" }, fields: FIELDS, limit: { default: 20, max: 5_000 }, ...shape }),
    pages,
    tool,
  );
  const bodies: ReplyBody[] = [];
  const runner = createRunner(
    { ...TOOLSET, operations: OPERATIONS, tools: [listing] },
    { env: {} },
    {
      egress: {
        async request({ url }) {
          const bytes = Buffer.from(JSON.stringify(answer(new URL(url))));
          const told = { bytes: 0, of: bytes.length };
          sent.push(told);
          async function* chunks() {
            for (let at = 0; at < bytes.length; at += CHUNK) {
              told.bytes = Math.min(at + CHUNK, bytes.length);
              yield bytes.subarray(at, at + CHUNK);
            }
          }
          const length = saysLength ? [["content-length", String(bytes.length)] as const] : [];
          const headers = new Map([["content-type", "application/json"] as const, ...length]);
          return { status: 200, url, headers, body: chunks() };
        },
        close: async () => {},
      },
      authorize: openAuthorizer(),
      observe: (event) => {
        if (event.type === "reply") bodies.push(event.reply.body);
      },
      report: (error) => {
        throw error;
      },
      now: () => NOW,
    },
  );
  const call = async (args: JsonObject = {}, isWhole = false): Promise<Called> => {
    const before = bodies.length;
    const caller = { key: {}, signal: new AbortController().signal, ...(isWhole && { showsAnswers: true as const }) };
    const reply = await runner.call(listing.name, args, caller);
    const data = JSON.parse(reply.text) as JsonObject;
    return { reply, data, text: reply.text.replace(/"nextPageToken":"[^"]*",/, ""), bodies: bodies.slice(before) };
  };
  return { call, sent };
}

const FIELDS = [column("id"), column("name"), column("owner", { path: { jmespath: "owner.login" } }), column("amount")];

const OPERATIONS = [LISTING, { ...LISTING, key: "GET /sums", path: "/sums" }];
