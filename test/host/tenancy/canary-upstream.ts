import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { canary, findCanaries, ownerOf } from "./canaries.ts";

export interface CanaryUpstream {
  readonly url: string;
  /** Requests that carried what is of several callers, or came over a connection of others. */
  readonly crossings: string[];
  readonly requests: () => number;
  /** Notes that were written, by caller. */
  readonly notes: ReadonlyMap<number, number>;
  close(): void;
}

type Json = Readonly<Record<string, unknown>>;

const ROWS = 9;
const SIZE = 3;

/** An API that knows callers by their credential, or where that is shared by their tenant, and repeats whatever it is sent. */
export async function startCanaryUpstream(): Promise<CanaryUpstream> {
  const crossings: string[] = [];
  const notes = new Map<number, number>();
  const shownOver = new WeakMap<Socket, string>();
  let requests = 0;
  const watch = (request: IncomingMessage, whole: string, token: string): void => {
    if (ownerOf(whole) === undefined) crossings.push(`a request of several: ${whole}`);
    const { "x-key": key = "", authorization = "", "x-client": client = "" } = request.headers;
    const shown = [key, authorization, client, token].join(" ");
    const before = shownOver.get(request.socket) ?? shown;
    shownOver.set(request.socket, shown);
    if (before !== shown) crossings.push(`one connection for ${before} and ${shown}`);
  };
  const server = createServer(async (request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(request.url ?? "", "http://upstream.test");
    const whole = JSON.stringify([request.url, request.headers, body]);
    watch(request, whole, url.pathname === "/token" ? body : "");
    if (url.pathname === "/token") return answer(200, exchange(body));
    const owner = ownerOf(whole) ?? {};
    const data =
      request.headers["x-key"] === "of-the-server"
        ? canary("share", { n: -1, pair: owner.pair ?? -1 })
        : canary("data", { n: owner.n ?? -1, pair: -1 });
    if (url.pathname.endsWith("/notes") && owner.n !== undefined) notes.set(owner.n, (notes.get(owner.n) ?? 0) + 1);
    return answer(url.pathname.endsWith("/fail") ? 400 : 200, write(url, data, whole, body));

    function answer(status: number, content: Json): void {
      // Answers come in another order than requests.
      const send = () =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
      if (requests % 3 === 0) setTimeout(send, requests % 5);
      else send();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    crossings,
    requests: () => requests,
    notes,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** RFC 8693 2.2: another token for each caller. */
function exchange(form: string): Json {
  const token = new URLSearchParams(form).get("subject_token") ?? "";
  // A JWT says it in its second part (RFC 7519 3).
  const [subject] = findCanaries(token + Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const n = subject?.number ?? -1;
  return {
    access_token: canary("tok", { n, pair: -1 }),
    issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
    token_type: "Bearer",
    expires_in: 3600,
  };
}

function write(url: URL, data: string, whole: string, body: string): Json {
  const kind = url.pathname.split("/").at(-1);
  const from = Number(url.searchParams.get("pageToken") ?? 0);
  const rows = Array.from({ length: ROWS }, (_, at) => ({ id: `i${at}`, name: `${data} ${at}` }));
  const isLast = from + SIZE >= ROWS;
  switch (kind) {
    case "items":
      return { items: rows.slice(from, from + SIZE), ...(!isLast && { next: String(from + SIZE) }) };
    case "kinds":
      return { kinds: [{ name: data }] };
    case "door":
      return { open: Number(/(\d{4})z$/.exec(data)?.[1]) % 2 === 1 };
    case "fail":
      return { code: "BAD", message: `Refused: ${whole}` };
    case "notes":
      return { id: data, text: (JSON.parse(body) as { text: string }).text };
    default:
      return { data, seen: whole };
  }
}
