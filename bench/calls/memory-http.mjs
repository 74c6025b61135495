// The least that sending bytes costs: whatever is asked is answered with the bytes of a file, from memory.
// node memory-http.mjs FILE CONTENT_TYPE
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [file, type] = process.argv.slice(2);
const bytes = readFileSync(file);

const server = createServer((request, response) => {
  request
    .on("end", () => response.writeHead(200, { "content-type": type, "content-length": bytes.length }).end(bytes))
    .resume();
});
server.listen(0, "127.0.0.1", () => console.error(`Serving at http://127.0.0.1:${server.address().port}/mcp`));
