import { timingSafeEqual } from "node:crypto";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { Refusal, type RefusalCode, writeEnvelope } from "./refusal.ts";
import { createRoutes, type Ledger } from "./routes.ts";

const MAX_BODY = "64kb";

/** The API as an express application. Whatever goes wrong is answered with the JSON envelope. */
export function createApp(ledger: Ledger, key: string): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  app.use(requireKey(key));
  app.use(requireJson, express.json({ limit: MAX_BODY }));
  app.use("/v1", createRoutes(ledger));
  app.use((request) => {
    throw new Refusal("UNKNOWN_ROUTE", `There is no ${request.method} ${request.path}.`);
  });
  app.use(answerError);
  return app;
}

const requireKey = (key: string): RequestHandler => {
  const wanted = Buffer.from(key);
  return (request, _response, next) => {
    const given = Buffer.from(request.get("X-Ledger-Key") ?? "");
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
      throw new Refusal("UNAUTHENTICATED", "The header X-Ledger-Key is missing or wrong.");
    next();
  };
};

const requireJson: RequestHandler = (request, _response, next) => {
  if (request.method === "POST" && !request.is("application/json"))
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", "The body must be application/json.");
  next();
};

/** What express and its body parser call their errors, and what we call them. */
const CODES: ReadonlyMap<string, RefusalCode> = new Map([
  ["entity.too.large", "BODY_TOO_LARGE"],
  ["entity.parse.failed", "INVALID_JSON"],
  ["encoding.unsupported", "UNSUPPORTED_MEDIA_TYPE"],
  ["charset.unsupported", "UNSUPPORTED_MEDIA_TYPE"],
]);

const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const refusal = error instanceof Refusal ? error : explain(error);
  response.status(refusal.status).json(writeEnvelope(refusal));
};

function explain(error: unknown): Refusal {
  const { type, status } = error as { type?: unknown; status?: unknown };
  const code = CODES.get(String(type));
  if (code !== undefined) return new Refusal(code, `The body was refused: ${(error as Error).message}.`);
  if (typeof status === "number" && status < 500) return new Refusal("INVALID_REQUEST", "The request is malformed.");
  return new Refusal("INTERNAL", "The ledger failed.");
}
