// fastmcp is a library: the least that serves a document with it. It is run where fastmcp is installed.
// node serve-fastmcp.mjs SPEC BASE_URL [PORT]
import { fromOpenAPI } from "fastmcp/openapi";

const [spec, baseUrl, port] = process.argv.slice(2);
const server = await fromOpenAPI({ spec, baseUrl, maxTools: 5_000 });
await server.start(
  port === undefined
    ? { transportType: "stdio" }
    : { transportType: "httpStream", httpStream: { port: Number(port), host: "127.0.0.1", stateless: true } },
);
