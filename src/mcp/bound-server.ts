import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What one client may take of a server; times in milliseconds. */
export interface ServerBounds {
  /** For the head of a request, counted from the connection's first moment where nothing comes at all. */
  readonly headersMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** For a connection that asks nothing. */
  readonly idleMs: number;
  /** For taking what was written; a stream that takes all of it begins anew. */
  readonly takeMs: number;
  /** How often it is looked whether one of these has passed. */
  readonly checkMs: number;
  /** At once; whoever comes beyond them is not taken. */
  readonly connections: number;
}

const BOUNDS: Omit<ServerBounds, "connections"> = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 5_000,
  takeMs: 60_000,
  checkMs: 5_000,
};

const MOST_CONNECTIONS = 10_000;
/** From this share of them on, those that ask nothing make room. */
const CROWDED = 0.9;

/** Connections, each with the answers on it that wait behind another (RFC 9112 9.3.2). Node tells these of nothing that happens to the connection. */
type Open = Map<Socket, Set<ServerResponse>>;

/** How often it is told that connections are not taken. */
const TELL_MS = 60_000;

/**
 * An HTTP server whose connections are given back, however slowly a client sends, asks or takes. `refused` hears, at most once a minute, why some were
 * not taken.
 */
export function createBoundServer(
  listener: RequestListener,
  bounds: Partial<ServerBounds> = {},
  refused: (why: string) => void = () => {},
): Server {
  const { headersMs, requestMs, idleMs, takeMs, checkMs, connections } = {
    ...BOUNDS,
    connections: mostConnections(openFiles()),
    ...bounds,
  };
  const times = { headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: idleMs };
  // Said, so that no option of the process makes it otherwise: what one reader forgives, another reads as another request (RFC 9112 11.2).
  const options = { ...times, connectionsCheckingInterval: checkMs, insecureHTTPParser: false };
  const open: Open = new Map();
  const server = createServer(options, (request, response) => {
    noteQueued(open, response);
    listener(request, response);
  });
  // Otherwise Node leaves out the last of very many, and what must be there once could be there twice; their bytes are bounded.
  server.maxHeadersCount = 0;
  server.maxConnections = connections;
  const endSlow = watchTaking(open, takeMs);
  const timer = setInterval(endSlow, checkMs).unref();
  server.on("connection", (socket: Socket) => {
    open.set(socket, new Set());
    socket.once("close", () => endConnection(open, socket));
    if (open.size > connections * CROWDED) server.closeIdleConnections();
  });
  server.once("close", () => clearInterval(timer));
  const tell = seldom(refused);
  server.on("drop", () => tell(`There are ${connections} connections.`));
  // Where the system has no more files, Node says so here, and to nobody listening it would be the end.
  server.on("error", ({ message }) => server.listening && tell(message));
  return server;
}

function seldom(tell: (why: string) => void): (why: string) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (why) => {
    if (performance.now() - toldAt < TELL_MS) return;
    toldAt = performance.now();
    tell(why);
  };
}

/** Half of the files that this process may open: the rest is for upstreams, and for reading files. */
export function mostConnections(files: number): number {
  return Math.max(1, Math.min(MOST_CONNECTIONS, Math.floor(files / 2)));
}

/** Where the system does not tell, as many as matter. */
function openFiles(): number {
  try {
    const [, soft = ""] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === "" ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function noteQueued(open: Open, response: ServerResponse): void {
  if (response.socket !== null) return;
  const queued = open.get(response.req.socket);
  queued?.add(response);
  response.once("close", () => queued?.delete(response));
}

/** What Node does for the answer whose turn it is. */
function endConnection(open: Open, socket: Socket): void {
  const queued = open.get(socket) ?? [];
  open.delete(socket);
  for (const response of queued) {
    if (!isQueued(response)) continue;
    response.destroy();
    response.emit("close");
  }
}

function isQueued({ socket }: ServerResponse): boolean {
  return socket === null;
}

/** Node has no bound for this: an answer that is not taken keeps its memory, and its call its place. */
function watchTaking(open: Open, takeMs: number): () => void {
  const behind = new WeakMap<Socket | ServerResponse, number>();
  const isLate = (one: Socket | ServerResponse, isTaken: boolean, now: number): boolean => {
    const since = behind.get(one);
    if (isTaken) behind.delete(one);
    else if (since === undefined) behind.set(one, now);
    return !isTaken && since !== undefined && now - since >= takeMs;
  };
  return () => {
    const now = performance.now();
    for (const [socket, queued] of open) {
      const isStuck = [...queued].some((response) => isLate(response, !isQueued(response) || !isFull(response), now));
      if (isLate(socket, socket.writableLength === 0, now) || isStuck) socket.destroy();
    }
  };
}

/** Whoever writes more waits for `drain`. */
function isFull({ writableLength, writableHighWaterMark }: ServerResponse): boolean {
  return writableLength >= writableHighWaterMark;
}
