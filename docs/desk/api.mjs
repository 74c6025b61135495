// A small help desk, in memory, for the pages of this folder: `node docs/desk/api.mjs`. It ends with Ctrl-C, and forgets what was changed.
import { createServer } from "node:http";

const KEY = "mulberry-72";
const CUSTOMERS = ["Acme", "Borealis", "Cobalt", "Dune"].map((name, at) => ({ id: `c-${at + 1}`, name }));
const SUBJECTS = ["Cannot log in", "Invoice is wrong", "Export hangs", "Page is slow", "Colours are off"];
const STATUSES = ["open", "closed", "waiting", "closed", "closed"];

const tickets = Array.from({ length: 60 }, (_, at) => ({
  id: `tk-${((at + 1) * 40503).toString(16).padStart(6, "0")}`,
  number: at + 1,
  subject: SUBJECTS[(at * 3) % 5],
  status: STATUSES[(at * 7 + (at >> 3)) % 5],
  customer: CUSTOMERS[(at * 5 + (at >> 2)) % 4].id,
  minutes: ((at * 37) % 90) + 5,
  openedAt: new Date(Date.UTC(2026, 0, 1 + at, 9)).toISOString(),
  body: `It began on day ${at + 1}. `.repeat(12).trim(),
}));
const comments = new Map(tickets.map(({ id, number }) => [id, firstComments(id, number)]));
/** What was already done for an Idempotency-Key. */
const done = new Map();

function firstComments(ticket, number) {
  return Array.from({ length: number % 5 }, (_, at) => ({
    id: `${ticket}-${at + 1}`,
    by: "mara",
    text: `Note ${at + 1}`,
  }));
}

const TESTS = {
  eq: (value, wanted) => value === wanted,
  ne: (value, wanted) => value !== wanted,
  lt: (value, wanted) => value < wanted,
  gte: (value, wanted) => value >= wanted,
  in: (value, wanted) => wanted.includes(value),
  contains: (value, wanted) => String(value).toLowerCase().includes(String(wanted).toLowerCase()),
};

function holds(where, ticket) {
  if (!where) return true;
  if (where.and) return where.and.every((one) => holds(one, ticket));
  if (where.or) return where.or.some((one) => holds(one, ticket));
  const test = TESTS[where.op] ?? fail(400, "BAD_FILTER", `No operator is called ${where.op}`);
  if (!(where.field in tickets[0])) fail(400, "BAD_FILTER", `No field is called ${where.field}`);
  return test(ticket[where.field], where.value);
}

function fail(status, code, message) {
  throw Object.assign(new Error(message), { status, code });
}

function page(list, { page = 1, size = 20 }) {
  const from = (Number(page) - 1) * Math.min(Number(size), 20);
  return { tickets: list.slice(from, from + Math.min(Number(size), 20)), total: list.length };
}

const find = (id) => tickets.find((one) => one.id === id) ?? fail(404, "NO_TICKET", `There is no ticket ${id}`);

const ROUTES = {
  "GET /customers": () => ({ customers: CUSTOMERS }),
  "GET /tickets": ({ query }) =>
    page(
      tickets.filter((one) =>
        ["status", "customer", "number", "subject"].every((name) => !query[name] || String(one[name]) === query[name]),
      ),
      query,
    ),
  "POST /tickets/search": ({ body }) =>
    page(
      tickets.filter((one) => holds(body.where, one)),
      body,
    ),
  "POST /tickets/sum": ({ body }) => ({
    minutes: tickets.filter((one) => holds(body.where, one)).reduce((sum, { minutes }) => sum + minutes, 0),
  }),
  "GET /tickets/ID": ({ id }) => find(id),
  "PATCH /tickets/ID": ({ id, body }) => Object.assign(find(id), body),
  "DELETE /tickets/ID": ({ id }) => void tickets.splice(tickets.indexOf(find(id)), 1),
  "GET /tickets/ID/comments": ({ id }) => ({ comments: comments.get(find(id).id) }),
  "POST /tickets/ID/comments": ({ id, body, key }) => {
    const list = comments.get(find(id).id);
    const comment = done.get(key) ?? { id: `${id}-${list.length + 1}`, by: "agent", text: body.text };
    if (!list.includes(comment)) list.push(comment);
    if (key) done.set(key, comment);
    return comment;
  },
};

async function answer(request) {
  if (request.headers["x-desk-key"] !== KEY) fail(401, "NO_KEY", "Send the key as X-Desk-Key");
  const url = new URL(request.url, "http://desk");
  const id = /^\/tickets\/(tk-[^/]*)/.exec(url.pathname)?.[1];
  const route = ROUTES[`${request.method} ${id ? url.pathname.replace(id, "ID") : url.pathname}`];
  let text = "";
  for await (const chunk of request) text += chunk;
  const key = request.headers["idempotency-key"];
  return (route ?? fail(404, "NO_ROUTE", "Nothing is here"))({
    id,
    key,
    query: Object.fromEntries(url.searchParams),
    body: text ? JSON.parse(text) : {},
  });
}

const server = createServer(async (request, response) => {
  const send = (status, body) => {
    response.writeHead(status, body === undefined ? {} : { "content-type": "application/json" });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  try {
    const body = await answer(request);
    send(body === undefined ? 204 : 200, body);
  } catch ({ status = 500, code = "FAULT", message }) {
    send(status, { error: { code, message } });
  }
});
server.listen(Number(process.env.DESK_PORT ?? 4040), "127.0.0.1", () => {
  process.stdout.write(`The desk listens at http://127.0.0.1:${server.address().port}\n`);
});
