import type { Entry } from "./entry.ts";

const CLIENTS = "security/hostile-clients.test.ts";
const ENVELOPES = "mcp/envelopes.test.ts";
const HTTP = "mcp/http.test.ts";
const APP = "host/app.test.ts";
const STDIO = "mcp/stdio.test.ts";

export const transportEntries: readonly Entry[] = [
  {
    id: "E1",
    attack: "A web page makes its visitor's browser call a server here, under another name or from another origin.",
    tests: [
      { file: CLIENTS, title: "only under its own name, and not for a page of another" },
      { file: HTTP, title: "a request is served only under a name of this server" },
      { file: "cli/command-line.test.ts", title: '["0.0.0.0:3000", "[::]:3000"' },
    ],
  },
  {
    id: "E2",
    attack:
      "A message that two readers read otherwise: names in other letters or twice, something before or behind it.",
    tests: [
      { file: ENVELOPES, title: "a message is read as it stands, and only by the names of JSON-RPC" },
      { file: ENVELOPES, title: "what stands twice is what stands last, for all that look at it" },
      { file: "mcp/read-lines.test.ts", title: "any other line is refused, with its id where it has one" },
    ],
  },
  {
    id: "E3",
    attack: "Many calls come in one message, past whatever counts messages.",
    tests: [
      { file: ENVELOPES, title: "a batch of calls" },
      { file: HTTP, title: '["an empty batch"' },
    ],
  },
  {
    id: "E4",
    attack: "A body is too big, unpacks to a very big one, or does not end where it says.",
    tests: [
      { file: HTTP, title: "a body of unknown length over the bound" },
      { file: CLIENTS, title: "a body without an end is not read for long" },
      { file: CLIENTS, title: "more than the stated length is another request, and no part of the first" },
      { file: ENVELOPES, title: '["a gzip bomb"' },
      { file: APP, title: "who is refused while a body is still coming is answered, and then no more of it is taken" },
    ],
  },
  {
    id: "E5",
    attack: "A body comes as a form, as text or in another charset, as a page of anybody may send it.",
    tests: [
      { file: ENVELOPES, title: "a body is JSON by its type, in UTF-8, and nothing is unpacked" },
      { file: APP, title: "a message that is not UTF-8 is not taken for another text" },
    ],
  },
  {
    id: "E6",
    attack: "The version of the protocol is missing, unknown, or one in the headers and another one in the message.",
    tests: [
      { file: ENVELOPES, title: "no version in the headers" },
      { file: ENVELOPES, title: "a version that nobody knows in both" },
    ],
  },
  {
    id: "E7",
    attack: "Headers name a harmless tool to whatever looks at headers, and the message calls another one.",
    tests: [
      { file: ENVELOPES, title: "what headers say and what the message says is the same (MCP 2026-07-28)" },
      { file: ENVELOPES, title: "whatever else a header names, nothing is called" },
    ],
  },
  {
    id: "E8",
    attack: "A method that does not exist, or an answer to a question that nobody asked.",
    tests: [
      { file: ENVELOPES, title: "a method that nobody knows is none of the URL's" },
      { file: ENVELOPES, title: "%s is taken, and not answered" },
    ],
  },
  {
    id: "E9",
    attack:
      "Another method of HTTP at the URL of a server: to read, to be told one's own key back, or to open a tunnel.",
    tests: [
      { file: CLIENTS, title: "%s is not allowed, and says nothing back" },
      { file: CLIENTS, title: "a tunnel is not opened" },
      { file: HTTP, title: "%s /mcp is 405 and says what is allowed" },
    ],
  },
  {
    id: "E10",
    attack: "The id of another client's session is shown, to go on in it.",
    tests: [{ file: ENVELOPES, title: "an id of a session, and of an event, are passed over, and none is given" }],
  },
  {
    id: "E11",
    attack:
      "Clients that send, ask or take as slowly as they can, and thousands that do nothing, hold all connections.",
    tests: [
      {
        file: "mcp/bound-server.test.ts",
        title: "a client that is slow is waited for a while, and others are answered",
      },
      { file: "mcp/bound-server.test.ts", title: "that is not taken is given up" },
      {
        file: "mcp/bound-server.test.ts",
        title: "that ask nothing make room, and those that wait for an answer are kept",
      },
      { file: CLIENTS, title: "those that were slow from the beginning are gone by now, and were waited for" },
      { file: "security/open-files.test.ts", title: "takes half as many clients, has files left for its API" },
    ],
  },
  {
    id: "E12",
    attack: "A request hides a second one where a reverse proxy and this program see the end of the first differently.",
    tests: [
      { file: "security/smuggling.test.ts", title: "%s hides no request, and the next one is answered as itself" },
      { file: CLIENTS, title: "%s is refused, and the connection with it" },
      { file: CLIENTS, title: "requests that come at once are answered in their order, each as its own key" },
    ],
  },
  {
    id: "E13",
    attack: "A caller writes X-Forwarded-For, to be counted as somebody else or to pass for a neighbour.",
    tests: [
      { file: APP, title: "behind %i proxies %s comes from %s" },
      { file: APP, title: "what was counted is told to whoever is near, and to nobody who comes through a proxy" },
    ],
  },
  {
    id: "E14",
    attack: "Callers open streams without end.",
    tests: [
      { file: CLIENTS, title: "streams: whoever has too many is told so, and calls are answered all the while" },
      { file: APP, title: "one caller may have so many, and others theirs; the end ends them" },
    ],
  },
  {
    id: "E15",
    attack: "Over stdio a line never ends, the client breaks off, or something else is written among the answers.",
    tests: [
      { file: STDIO, title: "holds no line of 100 MB, which need not end, and goes on behind it" },
      { file: STDIO, title: "writes nothing but JSON-RPC lines to stdout, whatever it is sent" },
      { file: STDIO, title: "ends with 0 also in the midst of a line, which is not answered" },
      { file: STDIO, title: "ends when nobody reads its answers any more" },
    ],
  },
  {
    id: "E16",
    attack: "The URL names a server that is unknown, spelt otherwise or written with dots, to find out what there is.",
    tests: [
      { file: APP, title: "a server that does not exist is like one for which nobody has a key, byte for byte" },
      { file: APP, title: '["POST", "/mcp/one/../two", 401]' },
    ],
  },
  {
    id: "E17",
    attack: "Two clients number their calls alike, and one gets the other's answer.",
    tests: [
      { file: CLIENTS, title: "clients that number their calls alike get each its own answer" },
      {
        file: "security/smuggling.test.ts",
        title: "calls are answered, also many over few connections, each to whoever",
      },
    ],
  },
];
