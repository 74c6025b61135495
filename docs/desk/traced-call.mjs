// Calls a tool of a curation as a client that traces would, and shows what a collector gets of it:
//   node docs/desk/traced-call.mjs CURATION TOOL [JSON]
import { spawn } from "node:child_process";
import { createServer } from "node:http";

const [curation = "", tool = "", args = "{}"] = process.argv.slice(2);
const spans = [];
const collector = createServer(async (request, response) => {
  let text = "";
  for await (const part of request) text += part;
  for (const { scopeSpans } of JSON.parse(text).resourceSpans ?? []) spans.push(...scopeSpans[0].spans);
  response.setHeader("content-type", "application/json");
  response.end("{}");
});
collector.listen(0, "127.0.0.1", () => {
  const server = spawn("vitrine", ["serve", curation], {
    env: {
      ...process.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "traced-call", version: "1" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  send({ method: "notifications/initialized" });
  const _meta = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
  send({ id: 2, method: "tools/call", params: { name: tool, arguments: JSON.parse(args), _meta } });
  // Whatever waits to be sent is sent when the server ends.
  server.stdout.on("data", (data) => {
    if (String(data).includes('"id":2')) server.stdin.end();
  });
  server.on("exit", () => {
    collector.close();
    show("00f067aa0ba902b7", "");
  });
});

function show(parent, indent) {
  for (const span of spans.filter(({ parentSpanId }) => parentSpanId === parent)) {
    process.stdout.write(`${indent}${span.name}\n`);
    for (const { key, value } of span.attributes)
      process.stdout.write(`${indent}  ${key} = ${Object.values(value)[0]}\n`);
    show(span.spanId, `${indent}  `);
  }
}
