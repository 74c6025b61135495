import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../../egress/serve.ts";
import { hashOf } from "../../setup/keys.ts";

// An API with a list, with notes that are written once they were confirmed, and with a door, and the files of a host that serves it.

const text = { type: "string" };
const list = (name: string) => ({
  type: "object",
  properties: { [name]: { type: "array", items: { type: "object", properties: { id: text } } }, next: text },
});
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const ok = (schema: object) => ({ responses: { 200: { description: "Ok.", ...json(schema) } } });
const door = { type: "object", properties: { open: { type: "boolean" } } };
const note = { type: "object", properties: { text }, required: ["text"] };
const SPEC = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "/v1" }],
  paths: {
    "/items": {
      get: {
        operationId: "listItems",
        parameters: [{ name: "from", in: "query", schema: text }],
        ...ok(list("items")),
      },
    },
    "/door": { get: { operationId: "getDoor", ...ok(door) }, put: { operationId: "turnDoor", ...ok(door) } },
    "/notes": { post: { operationId: "addNote", requestBody: { required: true, ...json(note) }, ...ok(note) } },
  },
};
const CURATION = `vitrine: 1
api:
  spec: ./shop.json
  baseUrl: "\${env.SHOP_URL}"
  pages: [{ style: token, send: query.from, next: next }]
server: { name: shop, writes: true }
tools:
  list_items:
    operation: listItems
    use: List the items of the shop.
    result: { rows: items, fields: { id: id }, limit: { default: 2, max: 5 } }
  add_note:
    operation: addNote
    use: Add a note.
    confirm: "Add \${input.text}?"
    input: { text: {} }
`;

const DOOR = `vitrine: 1
api: { spec: ./shop.json, baseUrl: "\${env.SHOP_URL}" }
server: { name: door, writes: true }
states: { open: { operation: getDoor, when: open } }
tools:
  get_door: { operation: getDoor, use: See the door. }
  turn_door: { operation: turnDoor, use: Open or close the door., effect: write }
  list_items: { operation: listItems, use: List the items behind the open door., states: [open], pages: none, result: { rows: items, fields: { id: id } } }
`;

/** In the order in which they are listed, two a page. */
export const ITEMS = Array.from({ length: 12 }, (_, at) => `item-${at}`);
const UPSTREAM_PAGE = 5;

export interface Shop {
  readonly url: string;
  /** Texts of notes, in the order in which they were written. */
  readonly notes: string[];
  /** Whether the door is. */
  isOpen: boolean;
  /** How often it was asked whether it is. */
  doorAsked: number;
  /** While it is set, an answer to a note waits for it. */
  hold: Promise<void> | undefined;
  close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const { url, close } = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = (content: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(content));
    if (request.url?.startsWith("/v1/door")) {
      if (request.method === "PUT") shop.isOpen = !shop.isOpen;
      else shop.doorAsked += 1;
      return answer({ open: shop.isOpen });
    }
    if (request.method === "POST") {
      const written = JSON.parse(Buffer.concat(chunks).toString()) as { text: string };
      shop.notes.push(written.text);
      await shop.hold;
      return answer(written);
    }
    const from = Number(new URL(request.url ?? "", "http://shop.test").searchParams.get("from") ?? 0);
    const items = ITEMS.slice(from, from + UPSTREAM_PAGE).map((id) => ({ id }));
    const isLast = from + UPSTREAM_PAGE >= ITEMS.length;
    return answer({ items, ...(!isLast && { next: String(from + UPSTREAM_PAGE) }) });
  });
  const shop: Shop = { url: `${url}/v1`, notes: [], isOpen: false, doorAsked: 0, hold: undefined, close };
  return shop;
}

export interface ShopHost {
  /** For each server its rate. */
  readonly servers: Readonly<Record<string, string | undefined>>;
  /** Of those the ones that serve the door in place of the shop. */
  readonly doors?: readonly string[];
  /** For each key its server. */
  readonly keys: Readonly<Record<string, string>>;
}

export const PUBLIC_URL = "http://127.0.0.1";

/** Writes the host file and what it names; gives its path. Without `shared` nothing is. */
export function writeShop(folder: string, shared: string | undefined, { servers, keys, doors = [] }: ShopHost): string {
  const shop = { root: ".", env: ["SHOP_URL"], allowPrivate: ["127.0.0.0/8"] };
  const curationOf = (name: string) => (doors.includes(name) ? "./door.yaml" : "./shop.yaml");
  const host = {
    listen: "127.0.0.1:0",
    publicUrl: PUBLIC_URL,
    proxies: 1,
    ...(shared !== undefined && { shared }),
    servers: Object.fromEntries(
      Object.entries(servers).map(([name, rate]) => [name, { ...shop, curation: curationOf(name), rate }]),
    ),
    keys: Object.fromEntries(
      Object.entries(keys).map(([name, server]) => [name, { hash: hashOf(name), server, writes: true }]),
    ),
  };
  writeFileSync(join(folder, "shop.json"), JSON.stringify(SPEC));
  writeFileSync(join(folder, "shop.yaml"), CURATION);
  writeFileSync(join(folder, "door.yaml"), DOOR);
  writeFileSync(join(folder, "host.yaml"), JSON.stringify(host));
  return join(folder, "host.yaml");
}
