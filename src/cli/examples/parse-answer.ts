import { extname } from "node:path";

/** What the upstream is taken to answer. */
export interface Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** By the file's extension; without one the body is looked at, as that of any answer. */
const MEDIA_TYPES = new Map([
  [".json", "application/json"],
  [".ndjson", "application/x-ndjson"],
  [".jsonl", "application/x-ndjson"],
  [".txt", "text/plain"],
  [".log", "text/plain"],
  [".csv", "text/csv"],
  [".xml", "application/xml"],
  [".html", "text/html"],
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".pdf", "application/pdf"],
]);

/** RFC 9112 4; HTTP/2 as `curl -i` writes it has no minor version. */
const STATUS_LINE = /^HTTP\/\d(?:\.\d)? (\d{3})\b/;
/** They say how the bytes came, and a file holds what was made of them. */
const OF_THE_WIRE = ["content-encoding", "transfer-encoding", "content-length"];

/**
 * A file that begins with a status line is a whole answer, as `curl -i` prints one (of several, for example after redirects, the last); any other
 * is a body, answered with 200.
 */
export function parseAnswer(bytes: Uint8Array, name: string): Answer {
  const type = MEDIA_TYPES.get(extname(name).toLowerCase());
  let answer: Answer = {
    status: 200,
    headers: new Map(type === undefined ? [] : [["content-type", type]]),
    body: bytes,
  };
  for (let next = readHead(answer.body); next !== undefined; next = readHead(answer.body)) answer = next;
  return answer;
}

function readHead(bytes: Uint8Array): Answer | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const [, status] = STATUS_LINE.exec(text) ?? [];
  if (status === undefined) return undefined;
  const end = /\r?\n\r?\n/.exec(text);
  const [, ...lines] = text.slice(0, end?.index ?? text.length).split(/\r?\n/);
  const body = end === null ? new Uint8Array() : bytes.subarray(end.index + end[0].length);
  return { status: Number(status), headers: readHeaders(lines), body };
}

function readHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^:\s]+):\s*(.*?)\s*$/.exec(line) ?? [];
    const key = name.toLowerCase();
    if (key === "" || OF_THE_WIRE.includes(key)) continue;
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}
