import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { ToolReply } from "../../model/exchange.ts";
import type { Generation } from "../make-generation.ts";
import type { ToldFault } from "../tell-fault.ts";
import { writeBlock } from "../write-result.ts";

// The texts that the SDK makes of the same answers: the order of the keys is its own.

type Id = string | number;

/** The response to a call. The text of a reply is JSON already, so it stands as it is where the reply is structured content too. */
export function writeReply(reply: ToolReply, id: Id, isModern: boolean, of: Generation): string {
  const text = `{"type":"text","text":${JSON.stringify(reply.text)}}`;
  const stamp = isModern ? `,"resultType":"complete",${writeStamp(of)}` : "";
  if (reply.isError) return writeResponse(`"content":[${text}],"isError":true${stamp}`, id);
  const blocks = (reply.blocks ?? []).map((block) => `,${JSON.stringify(writeBlock(block))}`).join("");
  return writeResponse(
    `"content":[${text}${blocks}]${of.structured ? writeStructured(reply, isModern) : ""}${stamp}`,
    id,
  );
}

/** The error that a call ended with. */
export function writeFault({ code, message }: ToldFault, id: Id): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

/** A result by its members. */
function writeResponse(members: string, id: Id): string {
  return `{"result":{${members}${closeResponse(id)}`;
}

/** All that stands behind the members of a result. */
export function closeResponse(id: Id): string {
  return `},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

/** In every result of 2026-07-28 the software that answers is named. */
export function writeStamp({ identity }: Pick<Generation, "identity">): string {
  return `"_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: identity })}`;
}

function writeStructured({ text, structured }: Extract<ToolReply, { isError: false }>, isModern: boolean): string {
  if (structured === undefined) return "";
  if (isModern || !Object.hasOwn(structured, "__proto__")) return `,"structuredContent":${text}`;
  // The SDK reads results of 2025-11-25 once more, and loses a field of this name at their top.
  const others = Object.entries(structured).filter(([name]) => name !== "__proto__");
  return `,"structuredContent":${JSON.stringify(Object.fromEntries(others))}`;
}
