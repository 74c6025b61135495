import type { CallBegun, CallRecord, CallWatcher } from "../model/call-watch.ts";
import type { ContentBlock, RunEvent, ToolReply, UpstreamRequest } from "../model/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import type { Generation } from "./make-generation.ts";
import { openTally } from "./tally-upstream.ts";

/** One `tools/call` that is watched. What it is told of first is its end; of what comes later nobody hears. */
export interface OpenCall {
  observe(event: RunEvent): void;
  /** Absent where nobody traces. */
  headers?(request: UpstreamRequest): UpstreamRequest["headers"];
  /** Absent: no reply goes out yet, but a question for a person. Where it gives anything, the answer waits for that. Never rejects. */
  reply(reply?: ToolReply): Promise<void> | undefined;
  fail(channel: "protocol" | "crash", error: string): void;
}

export interface Watching {
  readonly current: () => Pick<Generation, "identity" | "toolsSha" | "knows">;
  readonly watcher: CallWatcher;
  /** A watcher that fails is the operator's to mend, and no caller's. */
  report(error: unknown): void;
}

/** Opens the call that a message is; undefined where it is another one. */
export function openCall(
  body: unknown,
  transport: CallBegun["transport"],
  { current, watcher, report }: Watching,
): OpenCall | undefined {
  const params = paramsOf(body);
  if (params === undefined) return undefined;
  const start = performance.now();
  const tally = openTally();
  const { identity, toolsSha, knows } = current();
  const { _meta: meta, arguments: args } = params;
  const tool = toolName(params["name"]);
  const begun = {
    server: identity.name,
    tool,
    known: tool !== null && knows(tool),
    transport,
    meta: isJsonObject(meta) ? meta : {},
    ...(toolsSha !== undefined && { toolsSha }),
  };
  const watch = guard(() => watcher.begin(begun), report);
  let ended = false;
  const end = (how: End): Promise<void> | undefined => {
    if (ended) return undefined;
    ended = true;
    const ms = performance.now() - start;
    return guard(() => watch?.end({ ms, bytesIn: jsonBytes(args), ...how, upstream: tally.read() }), report)?.catch(
      report,
    );
  };
  return {
    observe: (event) => {
      if (ended) return;
      tally.add(event);
      guard(() => watch?.observe?.(event), report);
    },
    ...(watch?.headers && { headers: (request) => guard(() => watch.headers?.(request), report) ?? [] }),
    reply: (reply) => end(endOf(reply)),
    fail: (channel, error) => void end({ channel, error, bytesOut: 0, rowsOmitted: 0 }),
  };
}

type End = Pick<CallRecord, "channel" | "error" | "bytesOut" | "rowsOmitted">;

/** A defect of ours ends as a tool error for the caller, who can do something then, and is none of the tool's. What was cancelled is not answered. */
function endOf(reply: ToolReply | undefined): End {
  if (reply === undefined) return { channel: null, error: null, bytesOut: 0, rowsOmitted: 0 };
  if (!reply.isError) {
    return { channel: null, error: null, bytesOut: replyBytes(reply), rowsOmitted: reply.rowsOmitted ?? 0 };
  }
  const { error } = reply;
  if (error === "internal") return { channel: "crash", error, bytesOut: 0, rowsOmitted: 0 };
  return { channel: "tool_result", error, bytesOut: error === "cancelled" ? 0 : replyBytes(reply), rowsOmitted: 0 };
}

function paramsOf(body: unknown): JsonObject | undefined {
  const message = body as Json | undefined;
  // Without an id it is a notification, which nobody answers.
  if (!isJsonObject(message) || message["method"] !== "tools/call" || message["id"] === undefined) return undefined;
  const { params } = message;
  return isJsonObject(params) ? params : {};
}

/** What MCP says of names of tools (2025-11-25, Tools, Tool Names): whatever else stands in its place is a caller's text, and not written down. */
function toolName(name: Json | undefined): string | null {
  return typeof name === "string" && /^[\w.-]{1,128}$/.test(name) ? name : null;
}

/** What was refused for its depth may be too deep to be written. */
function jsonBytes(value: Json | undefined): number {
  try {
    return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
  } catch {
    return 0;
  }
}

function replyBytes(reply: ToolReply): number {
  const blocks = reply.isError ? [] : (reply.blocks ?? []);
  return blocks.reduce((bytes, block) => bytes + blockBytes(block), Buffer.byteLength(reply.text));
}

/** Base64, so a character is a byte. */
function blockBytes(block: ContentBlock): number {
  return block.type === "image" ? block.data.length : block.blob.length;
}

function guard<T>(tell: () => T, report: (error: unknown) => void): T | undefined {
  try {
    return tell();
  } catch (error) {
    report(error);
    return undefined;
  }
}
