import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CanaryCaller, canary } from "./canaries.ts";

const text = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const rows = (name: string) => ({
  type: "object",
  properties: { [name]: { type: "array", items: text("id", "name") }, next: { type: "string" } },
});
const query = (name: string) => ({ name, in: "query", schema: { type: "string" } });

function get(operationId: string, schema: object, ...parameters: object[]) {
  return { get: { operationId, parameters, responses: { 200: { description: "Ok.", ...json(schema) } } } };
}

function json(schema: object) {
  return { content: { "application/json": { schema } } };
}

const NOTE = {
  post: {
    operationId: "addNote",
    requestBody: { required: true, ...json({ ...text("text"), required: ["text"] }) },
    responses: { 200: { description: "Ok.", ...json(text("id", "text")) } },
  },
};
const PATHS = {
  items: get("listItems", rows("items"), query("q"), query("kind"), query("pageToken")),
  kinds: get("listKinds", rows("kinds")),
  door: get("getDoor", { type: "object", properties: { open: { type: "boolean" } } }),
  echo: get("echo", text("data", "seen"), query("q")),
  fail: get("fail", text("data"), query("q")),
  notes: NOTE,
};
const SPEC = {
  openapi: "3.1.0",
  info: { title: "Canaries", version: "1" },
  security: [{ shopKey: [] }],
  paths: Object.fromEntries(
    Object.entries(PATHS).map(([name, methods]) => [
      `/{tenant}/${name}`,
      { parameters: [{ name: "tenant", in: "path", required: true, schema: { type: "string" } }], ...methods },
    ]),
  ),
  components: {
    securitySchemes: {
      shopKey: { type: "apiKey", in: "header", name: "X-Key" },
      login: { type: "http", scheme: "bearer" },
    },
  },
};

const API_KEY = 'shopKey: { apiKey: "${env.SHOP_KEY}" }';
const EXCHANGE = 'login: { tokenExchange: { tokenUrl: "${env.SHOP_URL}/token" } }';

const curationOf = (auth: string, spec: string) => `vitrine: 1
api:
  spec: ./${spec}
  baseUrl: \${env.SHOP_URL}
  auth: { ${auth} }
  headers: { X-Client: "\${key.client}" }
  errors: { message: message, code: code }
  pages: [{ style: token, send: query.pageToken, next: next }]
server: { name: shop, writes: true }
pins: { tenant: "\${key.tenant}" }
states: { open: { operation: getDoor, when: open } }
tools:
  list_items:
    operation: listItems
    use: List items.
    input: { q: {}, kind: { valuesFrom: { operation: listKinds, rows: kinds, field: name } } }
    result: { rows: items, fields: { id: id, name: name }, limit: { default: 3, max: 5 } }
  echo: { operation: echo, use: Say what was sent., input: { q: {} } }
  fail: { operation: fail, use: Fail., input: { q: {} } }
  enter: { operation: echo, use: Enter., states: [open] }
  add_note: { operation: addNote, use: Add a note., confirm: "Add \${input.text}?", input: { text: {} } }
`;

export const keyOf = ({ n }: CanaryCaller): string => `vtr_k${n}_secret`;

/** A host file with three servers: their callers have credentials of their own, one together, or their token's exchange. Its first lines end with `more`. Gives its name and environment. */
export function writeCanaryFiles(folder: string, url: string, callers: readonly CanaryCaller[], more = "") {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  write("shop.json", JSON.stringify(SPEC));
  write("login.json", JSON.stringify({ ...SPEC, security: [{ login: [] }] }));
  for (const name of ["own", "shared"]) write(`${name}.yaml`, curationOf(API_KEY, "shop.json"));
  write("behalf.yaml", curationOf(EXCHANGE, "login.json"));
  const servers = ["own", "shared", "behalf"].map(
    (name) =>
      `  ${name}: { curation: ./${name}.yaml, root: ., env: [SHOP_URL, SHOP_KEY], allowPrivate: [127.0.0.0/8] }`,
  );
  const keys = callers
    .filter(({ server }) => server !== "behalf")
    .map((caller) => {
      const sha256 = createHash("sha256").update(keyOf(caller)).digest("hex");
      const claims = `{ tenant: ${canary("tenant", caller)}, client: ${canary("client", caller)} }`;
      const own = `, credentials: { shopKey: { apiKey: "\${env.CRED_${caller.n}}" } }`;
      return `  k${caller.n}: { hash: "sha256:${sha256}", server: ${caller.server}, writes: true, claims: ${claims}${caller.server === "own" ? own : ""} }`;
    });
  const head = `listen: 127.0.0.1:0\npublicUrl: http://127.0.0.1\n${more}`;
  write("host.yaml", `${head}servers:\n${servers.join("\n")}\nkeys:\n${keys.join("\n")}\n`);
  const credentials = callers.map((caller) => [`CRED_${caller.n}`, canary("cred", caller)]);
  const env = { SHOP_URL: url, SHOP_KEY: "of-the-server", ...Object.fromEntries(credentials) };
  return { file: join(folder, "host.yaml"), env: env as Record<string, string> };
}
