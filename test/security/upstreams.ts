import type { Entry } from "./entry.ts";

const ANSWERS = "security/hostile-answers.test.ts";
const WIRES = "security/broken-wires.test.ts";
const EXCHANGE = "egress/exchange.test.ts";
const DESTINATIONS = "egress/destinations.test.ts";

export const upstreamEntries: readonly Entry[] = [
  {
    id: "D1",
    attack:
      "The API's name leads to a private address, to several of which one is private, or to another one at each look-up.",
    tests: [
      { file: "security/names.test.ts", title: "what a name leads to now is what counts" },
      { file: DESTINATIONS, title: "the address that was judged is the one that is dialled" },
      { file: DESTINATIONS, title: "a name is judged by every address that it has" },
    ],
  },
  {
    id: "D2",
    attack: "The address of this machine or its network stands in the API's URL in an unusual spelling.",
    tests: [
      { file: "security/names.test.ts", title: "http://%s, which asks no resolver" },
      { file: "security/names.test.ts", title: "%s that leads to this machine, where that is not allowed" },
      { file: DESTINATIONS, title: "an address that is not public is not reached, however it is spelt" },
    ],
  },
  {
    id: "D3",
    attack:
      "The API answers with a redirect to another origin, to plain http or without an end, to be shown our key there.",
    tests: [
      { file: EXCHANGE, title: "another origin hears not one byte" },
      { file: EXCHANGE, title: "a %s is never sent again" },
      { file: EXCHANGE, title: "a listed host is followed to, without credentials" },
      { file: EXCHANGE, title: "a loop ends after five hops" },
      { file: "egress/certificates.test.ts", title: "a redirect from https to http is not followed" },
    ],
  },
  {
    id: "D4",
    attack: "The API answers one byte at a time, or never, and holds calls and connections for as long.",
    tests: [
      { file: ANSWERS, title: "of an API that does not answer no connection is left, and its places are free again" },
      { file: EXCHANGE, title: "the signal ends a request in any phase, and frees the socket" },
    ],
  },
  {
    id: "D5",
    attack: "The API sends far more bytes than fit, with a length or without.",
    tests: [
      { file: "stories/bad-upstream.test.ts", title: "memory stays flat over many big bodies and bombs" },
      { file: EXCHANGE, title: "the bound counts decoded bytes" },
    ],
  },
  {
    id: "D6",
    attack: "A small compressed answer unpacks to a very big one, or is packed many times, or is no such thing.",
    tests: [
      { file: EXCHANGE, title: "a gzip bomb of 500 MB costs no more memory than its bound" },
      { file: EXCHANGE, title: "5,000 encodings" },
      { file: EXCHANGE, title: "gzip that is cut" },
    ],
  },
  {
    id: "D7",
    attack: "What the API sends is not HTTP, or holds a second answer that the next caller is to take for its own.",
    tests: [
      { file: "egress/splitting.test.ts", title: "the next answer is the next request's after" },
      { file: "egress/splitting.test.ts", title: "informational answers without an end are ended by the time limit" },
      { file: EXCHANGE, title: "a failure has one class a cause" },
    ],
  },
  {
    id: "D8",
    attack: "The connection breaks before, within or after a request, and a write is sent a second time.",
    tests: [
      {
        file: WIRES,
        title: "a wire that breaks: a read is tried once more, a write never, and nothing is left behind",
      },
      { file: WIRES, title: "whatever the wire does, what is answered is true, and no write is sent twice" },
    ],
  },
  {
    id: "D9",
    attack: "The API gives up an idle connection at the moment in which a write goes out over it.",
    tests: [{ file: WIRES, title: "while it was idle: a read goes out over a new one, a write is said to be lost" }],
  },
  {
    id: "D10",
    attack: "Where JSON was promised the API sends a login page, half of it, another charset or nothing.",
    tests: [
      { file: ANSWERS, title: "where its spec says another thing: what is told fits what was listed" },
      { file: ANSWERS, title: '["a login page", "upstream_bad_response"]' },
      { file: "run/read-reply.test.ts", title: "the kind of a body is what its bytes are, its type a hint" },
    ],
  },
  {
    id: "D11",
    attack: "The API refuses the operator's credential, and clients take that for a refusal of their own.",
    tests: [
      {
        file: ANSWERS,
        title: "a fault of the API is a tool's error, and no fault of the caller's key or of the protocol",
      },
      { file: "run/explain-error.test.ts", title: "the operator's credential is not the caller's to correct" },
    ],
  },
  {
    id: "D12",
    attack: "The API asks to be left alone for no time, for ages, or in words that are no time.",
    tests: [
      { file: "run/explain-error.test.ts", title: "the wait is given in %s" },
      { file: "run/send-request.test.ts", title: "unless that is too late (%s): then the answer comes at once" },
    ],
  },
  {
    id: "D13",
    attack: "An API that has died takes the time of every call, and is struck by all of them when it comes back.",
    tests: [
      {
        file: WIRES,
        title: "an API that has died is not asked by every call, and is asked again soon after it is back",
      },
      { file: "host/limits/break-upstream.test.ts", title: "costs others nothing: each origin is by itself" },
      { file: "host/limits/break-upstream.test.ts", title: "is asked by one alone when it has rested" },
    ],
  },
  {
    id: "D14",
    attack: "Somebody answers in the API's place with a certificate that is over, another's, or vouched for by nobody.",
    tests: [
      {
        file: "egress/certificates.test.ts",
        title: "a server that cannot prove who it is gets no request, and the reason is told",
      },
      {
        file: "egress/client-certificate.test.ts",
        title: "is shown to the API, and to no other origin that it leads to",
      },
    ],
  },
  {
    id: "D15",
    attack: "The API's name cannot be looked up, or its resolver never answers.",
    tests: [
      { file: "security/names.test.ts", title: '["no address"' },
      { file: "security/names.test.ts", title: '["nothing at all"' },
      { file: EXCHANGE, title: "while the name is looked up" },
    ],
  },
  {
    id: "D16",
    attack: "The API says back the key that it was sent, in a body, an error or a header.",
    tests: [
      { file: "stories/secrets.test.ts", title: "an API that says back all that it was sent" },
      { file: "host/tenancy/canaries.test.ts", title: "through one process nothing of one comes to another" },
    ],
  },
  {
    id: "D17",
    attack: "Rows hold words, marks or characters that cannot be seen, which are to steer the agent or this program.",
    tests: [
      {
        file: ANSWERS,
        title: "its words stand where they stood, and change neither what is listed nor what is suggested",
      },
      { file: "run/explain-error.test.ts", title: "never hold what cannot be seen" },
    ],
  },
  {
    id: "D18",
    attack: "The API sets a cookie for one caller that is sent with another's request, or headers meant for browsers.",
    tests: [{ file: ANSWERS, title: "its headers go to nobody, and its cookies are not sent back" }],
  },
  {
    id: "D19",
    attack: "The API's answers are no longer what its spec says.",
    tests: [
      { file: ANSWERS, title: "where its spec says another thing: what is told fits what was listed" },
      { file: "stories/reply-laws.test.ts", title: "of any JSON" },
    ],
  },
  {
    id: "D20",
    attack: "The API of one server hangs, and callers of other servers wait as well.",
    tests: [
      { file: ANSWERS, title: "callers of another server feel nothing of one whose API hangs" },
      { file: "host/limits/admit-calls.test.ts", title: "do not hold up those of another server" },
    ],
  },
  {
    id: "D21",
    attack: "Callers leave as soon as they have asked, and the API works on for nobody.",
    tests: [
      { file: ANSWERS, title: "whoever leaves is not worked for any longer: the API's connection is closed" },
      { file: "run/send-request.test.ts", title: "reaches the upstream within 100 ms" },
      { file: "mcp/http.test.ts", title: "a modern client that cancels aborts its call" },
    ],
  },
];
