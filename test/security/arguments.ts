import type { Entry } from "./entry.ts";

const WIRE = "security/arguments-on-the-wire.test.ts";
const PLAN = "run/plan-request.test.ts";
const VALIDATE = "run/validate-arguments.test.ts";
const TOKEN = "run/cursor/page-token.test.ts";
const CURSORS = "stories/lists/cursors.test.ts";

export const argumentEntries: readonly Entry[] = [
  {
    id: "C1",
    attack:
      "A path value that becomes another path: dots, slashes, nothing, encoded once or twice, or in other letters.",
    tests: [
      { file: WIRE, title: "the id %j sends nothing" },
      { file: PLAN, title: "any text is either refused or read by the server as it was, in its own segment" },
      { file: PLAN, title: "what the URL standard would fold away is refused wherever it comes from" },
      {
        file: "stories/powerdns.test.ts",
        title: "a path value that would leave its segment is refused before anything is sent",
      },
    ],
  },
  {
    id: "C2",
    attack: "A value with the signs by which a query is divided, to add or replace a parameter.",
    tests: [
      {
        file: WIRE,
        title: "any text is refused before anything is sent, or arrives in its own place and nowhere else",
      },
      { file: "run/decoding-law.test.ts", title: "%s %s, exploded %s, a %s" },
      { file: "run/filter/wire.test.ts", title: "never reads a hostile value as an operator" },
    ],
  },
  {
    id: "C3",
    attack: "A value with the sign by which a list or object is divided, to add an item or a property.",
    tests: [
      {
        file: "run/decoding-law.test.ts",
        title: "for any text the server decodes what the caller meant, or nothing is sent",
      },
      { file: "run/serialize-parameter.test.ts", title: "what a style cannot carry is refused and never changed" },
    ],
  },
  {
    id: "C4",
    attack: "A header's value with line ends, NUL, other bytes than ASCII, or of great length.",
    tests: [
      { file: PLAN, title: "any text is either refused or sent as it is" },
      { file: PLAN, title: '"a\\r\\nX-Evil: 1", "a\\n", "a\\0"' },
    ],
  },
  {
    id: "C5",
    attack: "An argument that sets a header of the connection, of credentials, of forwarding or of another method.",
    tests: [
      { file: "curation/place.test.ts", title: "%s, in any letter case" },
      { file: "security/curations-on-the-wire.test.ts", title: "the Host header" },
      { file: "compile/explore.test.ts", title: "takes every place but credentials and headers of the connection" },
      { file: "run/add-headers.test.ts", title: "do not take the place of one that the curation or a pin has set" },
    ],
  },
  {
    id: "C6",
    attack: "A cookie's value that begins another cookie.",
    tests: [
      { file: WIRE, title: "a cookie's value is one value" },
      { file: PLAN, title: "cookies go into one header" },
    ],
  },
  {
    id: "C7",
    attack: "Numbers that lose digits or become others on their way: large integers, exponents, leading zeros.",
    tests: [
      { file: WIRE, title: "numbers keep what they say, or are refused: %s" },
      { file: VALIDATE, title: "what has more than one meaning, or loses something, is refused" },
      { file: "run/run-tool.test.ts", title: "keeps the digits of 64-bit integers on both ways" },
      { file: "run/read-reply.test.ts", title: "numbers that JavaScript has no number for keep their digits as text" },
    ],
  },
  {
    id: "C8",
    attack: "Arguments of such depth, number or length that checking them takes the time of all other callers.",
    tests: [
      {
        file: WIRE,
        title: "arguments of any size and depth are answered soon, and what is too much sends nothing",
      },
      { file: VALIDATE, title: "limits of size" },
      { file: "mcp/http.test.ts", title: "what is nested too deep is refused under its id" },
      { file: "mcp/http.test.ts", title: "a body of unknown length over the bound" },
    ],
  },
  {
    id: "C9",
    attack: "An argument called like what every JavaScript object inherits, to change all objects or pass a check.",
    tests: [
      { file: WIRE, title: "%s is no argument, at no depth, and changes nothing" },
      { file: VALIDATE, title: "%s is a name like any other" },
      { file: PLAN, title: "takes a key `__proto__` as any other and changes no prototype" },
    ],
  },
  {
    id: "C10",
    attack: "A text that looks like an allowed value in other code points, or that is changed before it is sent.",
    tests: [
      { file: WIRE, title: "%j is not the value that it looks like" },
      { file: WIRE, title: "%j is sent as it is" },
      { file: VALIDATE, title: "in another letter case" },
    ],
  },
  {
    id: "C11",
    attack: "Half characters and NUL, which some encoders throw on and some upstreams end a text at.",
    tests: [
      {
        file: WIRE,
        title: "any text is refused before anything is sent, or arrives in its own place and nowhere else",
      },
      { file: "filter/hostile.test.ts", title: "is refused with a lone half of a character" },
    ],
  },
  {
    id: "C12",
    attack: "A filter that is nested without end, or names a field that it may not ask about.",
    tests: [
      { file: "run/filter/built-ins.test.ts", title: "a filter text that is nested without end is refused" },
      { file: "filter/read-filter.test.ts", title: "anything at all never throws" },
      {
        file: "run/filter/resolve-filter.test.ts",
        title: "of no known name are refused with the nearest and the tool that lists them",
      },
      { file: "stories/filters.test.ts", title: "a field that a pin sets cannot be asked about" },
    ],
  },
  {
    id: "C13",
    attack: "A body that its receiver reads as another media type, or whose parts end where the caller wants.",
    tests: [
      { file: "run/write-body.test.ts", title: "cannot be broken out of by names or file names" },
      { file: "run/write-body.test.ts", title: "is read by its receiver as it was meant, whatever the texts" },
      { file: PLAN, title: "cannot be sent a second time through %s" },
    ],
  },
  {
    id: "C14",
    attack: "A page token that was made up, changed, taken from another caller, tool or call, or kept too long.",
    tests: [
      { file: CURSORS, title: "it is refused with invalid_cursor, and nothing is sent" },
      { file: CURSORS, title: "with any one bit flipped" },
      { file: CURSORS, title: "after its time it is refused with cursor_expired" },
      { file: CURSORS, title: "that has two during rotation opens tokens of both, and seals with the first" },
      { file: TOKEN, title: "another %s is another call" },
      { file: "mcp/http.test.ts", title: "a cursor that nobody gave is refused" },
    ],
  },
  {
    id: "C15",
    attack: "An upstream whose link to the next page leads to another origin, or past a pin.",
    tests: [
      { file: "run/pages/parse-link.test.ts", title: "%s is not followed" },
      {
        file: "run/pages/follow-target.test.ts",
        title: "that keeps the pinned path is followed, any other is refused",
      },
      { file: "stories/lists/bad-pages.test.ts", title: "%s ends the call with its code, and not the process" },
    ],
  },
  {
    id: "C16",
    attack: "A key of one tenant asks for the object of another, by its identifier alone.",
    tests: [
      { file: WIRE, title: "a key reaches the objects of its own tenant" },
      { file: "stories/bugs.test.ts", title: "no argument leads into another project" },
      { file: "stories/host.test.ts", title: "sees and calls what its key may, as that key" },
    ],
  },
  {
    id: "C17",
    attack: "Calls of guessed names, to learn from the answers which tools there are for others.",
    tests: [
      { file: "host/app.test.ts", title: "a hidden tool is answered as one that does not exist" },
      { file: "stories/as-key.test.ts", title: "sees its tools over %s, can call each, and no other" },
      { file: "run/states/run-by-state.test.ts", title: "is not there: neither listed nor told of, nor callable" },
    ],
  },
];
