import {
  CLIENT_CAPABILITIES_META_KEY as CAPABILITIES,
  classifyInboundRequest,
  CLIENT_INFO_META_KEY as INFO,
  PROTOCOL_VERSION_META_KEY as VERSION,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../../model/json.ts";

export { CAPABILITIES, INFO, VERSION };

/** The one revision of which requests carry an envelope. */
export const MODERN = "2026-07-28";
/** A client says the same with each request, and a server has few kinds of clients. */
const MOST = 256;
const LONGEST = 2_048;

const good = new Set<string>();

/** Whether the SDK finds an envelope good, by what it has said of the same words before. */
export function isKnownEnvelope({
  [VERSION]: version,
  [INFO]: info,
  [CAPABILITIES]: capabilities,
}: JsonObject): boolean {
  if (version !== MODERN) return false;
  // What is absent is absent here too, and not null.
  const text = JSON.stringify({ info, capabilities });
  if (good.has(text)) return true;
  if (text.length > LONGEST) return false;
  const meta = { [VERSION]: version, ...(info !== undefined && { [INFO]: info }), [CAPABILITIES]: capabilities };
  const body = { jsonrpc: "2.0", id: 0, method: "tools/list", params: { _meta: meta } };
  if (classifyInboundRequest({ httpMethod: "POST", body }).kind !== "modern") return false;
  if (good.size >= MOST) good.clear();
  good.add(text);
  return true;
}
