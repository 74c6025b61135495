import { type Served, serve } from "../egress/serve.ts";

// A collector of OTLP over HTTP, in JSON and in protobuf, whose reader is written after opentelemetry-proto alone.

export interface Received {
  readonly trace: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly kind: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface Receiver extends Served {
  readonly spans: Received[];
  /** Of the resource that sent last. */
  resource: Readonly<Record<string, string | number | boolean>>;
  /** Of each metric what its last points say: their attributes, and how many were counted. */
  readonly metrics: Map<string, { readonly attributes: Received["attributes"]; readonly count: number }[]>;
  /** Everything that came, as texts. */
  readonly bodies: string[];
  readonly headers: Readonly<Record<string, unknown>>[];
}

export async function openReceiver(): Promise<Receiver> {
  const state = {
    spans: [] as Received[],
    resource: {},
    metrics: new Map(),
    bodies: [] as string[],
    headers: [] as object[],
  };
  const served = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    state.headers.push(request.headers);
    state.bodies.push(body.toString("latin1"));
    const type = request.headers["content-type"] ?? "";
    const message =
      type === "application/json"
        ? JSON.parse(body.toString("utf8"))
        : readMessage(body, REQUESTS.get(request.url ?? "")!);
    for (const { resource, scopeSpans = [], scopeMetrics = [] } of [
      ...(message.resourceSpans ?? []),
      ...(message.resourceMetrics ?? []),
    ]) {
      state.resource = attributesOf(resource.attributes);
      for (const span of scopeSpans.flatMap((scope: Node) => scope["spans"] as Node[])) state.spans.push(spanOf(span));
      for (const metric of scopeMetrics.flatMap((scope: Node) => scope["metrics"] as Node[]))
        state.metrics.set(metric.name, pointsOf(metric));
    }
    response.setHeader("content-type", type);
    response.end(type === "application/json" ? "{}" : "");
  });
  return Object.assign(state, served) as unknown as Receiver;
}

// What a message holds is only known when it is read.
// biome-ignore lint/suspicious/noExplicitAny: as above
type Node = any;

function spanOf({ traceId, spanId, parentSpanId = "", name, kind, status, attributes }: Node): Received {
  return {
    trace: traceId,
    id: spanId,
    parent: parentSpanId,
    name,
    kind: Number(kind),
    failed: Number(status?.code ?? 0) === 2,
    attributes: attributesOf(attributes),
  };
}

function pointsOf({ sum, histogram }: Node) {
  return ((sum ?? histogram).dataPoints as Node[]).map((point) => ({
    attributes: attributesOf(point.attributes),
    count: Number(point.count ?? point.asInt ?? point.asDouble),
  }));
}

function attributesOf(list: Node[] = []): Record<string, string | number | boolean> {
  return Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.intValue === undefined ? Object.values(value)[0] : Number(value.intValue),
    ]),
  );
}

/** Of each message the fields that are looked at, by number; of the others nothing is kept. */
type Shape = Readonly<
  Record<number, readonly [name: string, kind: Shape | "text" | "hex" | "number" | "double", many?: "many"]>
>;

const VALUE: Shape = {
  1: ["stringValue", "text"],
  2: ["boolValue", "number"],
  3: ["intValue", "number"],
  4: ["doubleValue", "double"],
};
const PAIR: Shape = { 1: ["key", "text"], 2: ["value", VALUE] };
const RESOURCE: Shape = { 1: ["attributes", PAIR, "many"] };
const SPAN: Shape = {
  1: ["traceId", "hex"],
  2: ["spanId", "hex"],
  4: ["parentSpanId", "hex"],
  5: ["name", "text"],
  6: ["kind", "number"],
  9: ["attributes", PAIR, "many"],
  15: ["status", { 3: ["code", "number"] }],
};
const NUMBER_POINT: Shape = { 4: ["asDouble", "double"], 6: ["asInt", "number"], 7: ["attributes", PAIR, "many"] };
const HISTOGRAM_POINT: Shape = { 4: ["count", "number"], 9: ["attributes", PAIR, "many"] };
const METRIC: Shape = {
  1: ["name", "text"],
  7: ["sum", { 1: ["dataPoints", NUMBER_POINT, "many"] }],
  9: ["histogram", { 1: ["dataPoints", HISTOGRAM_POINT, "many"] }],
};
const REQUESTS = new Map<string, Shape>([
  [
    "/v1/traces",
    {
      1: [
        "resourceSpans",
        { 1: ["resource", RESOURCE], 2: ["scopeSpans", { 2: ["spans", SPAN, "many"] }, "many"] },
        "many",
      ],
    },
  ],
  [
    "/v1/metrics",
    {
      1: [
        "resourceMetrics",
        { 1: ["resource", RESOURCE], 2: ["scopeMetrics", { 2: ["metrics", METRIC, "many"] }, "many"] },
        "many",
      ],
    },
  ],
]);

/** Protocol Buffers, Encoding: tags of number and wire type; 0 is a varint, 1 eight bytes, 2 a length and as many bytes, 5 four. */
function readMessage(bytes: Buffer, shape: Shape): Node {
  const message: Record<string, Node> = {};
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    let value: Node;
    if (wire === 0) value = Number(varint());
    else {
      const length = wire === 1 ? 8 : wire === 5 ? 4 : Number(varint());
      value = bytes.subarray(at, at + length);
      at += length;
    }
    const field = shape[tag >> 3];
    if (field === undefined) continue;
    const [name, kind, many] = field;
    const read = readValue(value, kind);
    message[name] = many ? [...(message[name] ?? []), read] : read;
  }
  return message;
}

function readValue(value: Node, kind: Shape | "text" | "hex" | "number" | "double"): Node {
  if (typeof kind === "object") return readMessage(value, kind);
  if (kind === "text") return value.toString("utf8");
  if (kind === "hex") return value.toString("hex");
  if (typeof value === "number") return value;
  return kind === "double" ? value.readDoubleLE() : Number(value.readBigUInt64LE());
}
