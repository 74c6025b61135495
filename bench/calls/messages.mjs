// What the clients of the two eras send.
export const ERAS = ["2025-11-25", "2026-07-28"];

const CLIENT = { name: "bench", version: "1" };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const ACCEPT = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const isModern = (era) => era === "2026-07-28";

/** A request in the way of an era, as text. */
export function messageOf(era, id, method, params = {}) {
  const whole = { ...params, ...(isModern(era) && { _meta: META }) };
  return JSON.stringify({ jsonrpc: "2.0", id, method, params: whole });
}

/** The headers that go with it over HTTP. */
export function headersOf(era, method, { name } = {}) {
  const modern = { "mcp-method": method, ...(name !== undefined && { "mcp-name": name }) };
  return { ...ACCEPT, "mcp-protocol-version": era, ...(isModern(era) && modern) };
}

/** What a connection over stdio begins with. */
export function greetingOf(era) {
  if (isModern(era)) return [];
  const hello = { protocolVersion: era, capabilities: {}, clientInfo: CLIENT };
  return [
    JSON.stringify({ jsonrpc: "2.0", id: "hello", method: "initialize", params: hello }),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
  ];
}
