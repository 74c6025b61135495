import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Upstream {
  readonly url: string;
  stop(): void;
}

type Answer = readonly [status: number, mediaType: string, body: string | Buffer];

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const SILENCE = Buffer.from("UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA=", "base64");
const DONE: Answer = [200, "application/json", '{"done":"yes"}'];

const ANSWERS: ReadonlyMap<string, Answer> = new Map([
  ["GET /text", [200, "text/plain", "This is a simple text response for testing."]],
  ["GET /image", [200, "image/png", PIXEL]],
  ["GET /audio", [200, "audio/wav", SILENCE]],
  ["GET /document", [200, "application/pdf", "%PDF-1.4"]],
  ["GET /refusal", [422, "application/json", '{"error":{"message":"This always fails."}}']],
]);

/** The API of `api.yaml`, on loopback. `changeTools` is done before `POST /tools` is answered. */
export async function startUpstream(changeTools: () => void): Promise<Upstream> {
  const server = createServer((request, response) => {
    const asked = `${request.method} ${request.url}`;
    if (asked === "POST /tools") changeTools();
    const [status, type, body] = ANSWERS.get(asked) ?? DONE;
    request.resume().once("end", () => response.writeHead(status, { "content-type": type }).end(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
