// The server by hand over HTTP: node:http and undici.
import { createServer } from "node:http";
import { answerByHand } from "./answer-by-hand.mjs";

const server = createServer((request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", async () => {
    const answer = await answerByHand(JSON.parse(Buffer.concat(chunks).toString("utf8")));
    if (answer === undefined) return response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
});
server.listen(0, "127.0.0.1", () => console.error(`Serving at http://127.0.0.1:${server.address().port}/mcp`));
