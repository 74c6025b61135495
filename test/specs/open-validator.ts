import { once } from "node:events";
import { Agent, createServer, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type ErrorRequestHandler, type Express, type Response } from "express";
import * as openApiValidator from "express-openapi-validator";
import type { UpstreamRequest } from "../../src/model/exchange.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { bracketNames, decodeForm, formatNames } from "./decode-form.ts";
import { parseMultipart } from "./parse-multipart.ts";

/** What a server that was written for the document says to a request. */
export interface Verdict {
  readonly valid: boolean;
  /** One a fault. */
  readonly faults: readonly string[];
}

export interface Validator {
  /** Takes up another document; `isForm` where bodies are texts, whose numbers and booleans have to be read from text. */
  use(document: JsonObject, isForm: boolean): void;
  /** Sends the request over a socket, under `prefix`, to the server. */
  check(request: UpstreamRequest, prefix: string): Promise<Verdict>;
  close(): void;
}

/** express with express-openapi-validator on a loopback port: the request is parsed by them from its bytes. */
export async function openValidator(): Promise<Validator> {
  let app: Express = express();
  const server: Server = createServer((incoming, outgoing) => app(incoming, outgoing)).listen(0, "127.0.0.1");
  // Between two slices a connection may rest for long.
  server.keepAliveTimeout = 0;
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    use(document, isForm) {
      app = serverOf(document, isForm);
    },
    check: (request, prefix) => exchange(request, prefix, port, agent),
    close: () => {
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

const LIMIT = "20mb";

/** Formats that the validator knows by itself; of all others it would complain. */
const KNOWN_FORMATS = new Set(
  "date time date-time duration uri uri-reference uri-template url email hostname ipv4 ipv6 regex uuid json-pointer relative-json-pointer byte int32 int64 float double password binary iso-time iso-date-time json-pointer-uri-fragment".split(
    " ",
  ),
);

let slices = 0;

function serverOf(document: JsonObject, isForm: boolean): Express {
  const app = express();
  const literal = bracketNames(document);
  const unknown = [...formatNames(document)].filter((name) => !KNOWN_FORMATS.has(name));
  app.set("query parser", readQuery(literal));
  app.set("case sensitive routing", true);
  app.set("strict routing", true);
  app.use(express.json({ type: ["application/json", "+json", "text/json"], strict: false, limit: LIMIT }));
  app.use(express.text({ type: ({ headers }) => !/^multipart\//i.test(headers["content-type"] ?? ""), limit: LIMIT }));
  app.use((request, _response, next) => {
    if (request.is("application/x-www-form-urlencoded") && typeof request.body === "string")
      request.body = decodeForm(request.body, literal);
    next();
  });
  app.use(parseMultipart(literal));
  app.use(
    openApiValidator.middleware({
      apiSpec: document as never,
      validateApiSpec: false,
      validateRequests: { coerceTypes: isForm ? "array" : false, allowUnknownQueryParameters: false } as never,
      validateResponses: false,
      validateSecurity: false,
      fileUploader: false,
      formats: Object.fromEntries(unknown.map((name) => [name, { validate: () => true }])) as never,
    }),
  );
  app.use((_request, response) => {
    answer(response, []);
  });
  const refuse: ErrorRequestHandler = (error, _request, response, _next) => {
    const { errors, message, stack } = error as {
      errors?: { path?: string; message?: string }[];
      message: string;
      stack: string;
    };
    const faults = errors?.map((one) => `${one.path ?? ""} ${one.message ?? ""}`) ?? [
      error.status === undefined ? stack : message,
    ];
    answer(response, faults.length > 0 ? faults : [message]);
  };
  app.use(refuse);
  return app;
}

/** In a header, since an answer to HEAD has no body. */
function answer(response: Response, faults: readonly string[]): void {
  response.set("x-faults", encodeURIComponent(JSON.stringify(faults).slice(0, 4_000))).end();
}

/** The validator means to leave names with brackets alone, but looks for them where it never put them: `_openapi` of the query. */
function readQuery(literal: ReadonlySet<string>): (text: string) => object {
  slices += 1;
  const parameters = [...literal].map((name) => ({ in: "query", name }));
  const schema = { path: String(slices), method: "any", operationId: String(slices), parameters };
  return (text) =>
    Object.defineProperty(decodeForm(text ?? "", literal), "_openapi", { value: { schema }, enumerable: false });
}

async function exchange(
  { method, url, headers, body }: UpstreamRequest,
  prefix: string,
  port: number,
  agent: Agent,
): Promise<Verdict> {
  const path = url.replace(/^https?:\/\/[^/]+/, "");
  const bytes = body === undefined ? undefined : Buffer.from(body as Uint8Array);
  const length = bytes === undefined ? {} : { "content-length": bytes.length };
  const outgoing = send({
    host: "127.0.0.1",
    port,
    agent,
    method,
    path: `${prefix}${path}`,
    headers: { ...Object.fromEntries(headers), ...length },
  });
  outgoing.end(bytes);
  const [reply] = await once(outgoing, "response");
  for await (const _ of reply);
  const said = reply.headers["x-faults"];
  if (typeof said !== "string")
    return { valid: false, faults: [`the server answers ${reply.statusCode} and says nothing`] };
  const text = decodeURIComponent(said);
  return { valid: text === "[]", faults: text === "[]" ? [] : [text] };
}
