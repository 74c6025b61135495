import type { Entry } from "./entry.ts";

const WIRE = "security/curations-on-the-wire.test.ts";
const EXPRESSION = "curation/expression.test.ts";
const EVALUATE = "run/evaluate.test.ts";
const STEPS = "run/steps/run-steps.test.ts";

export const curationEntries: readonly Entry[] = [
  {
    id: "B1",
    attack:
      "An expression that reaches beyond the data that it is given: to what objects inherit, to functions, to code.",
    tests: [
      { file: EVALUATE, title: "only own properties are read" },
      { file: EVALUATE, title: "data that looks like the library's own nodes is not run" },
      { file: EVALUATE, title: "%s is no function" },
      { file: EXPRESSION, title: "no text makes it throw" },
    ],
  },
  {
    id: "B2",
    attack: "An expression that is nested without end, or makes ever more out of little.",
    tests: [
      { file: EVALUATE, title: "a bomb ends quickly" },
      { file: EXPRESSION, title: '"(".repeat(2_000)' },
    ],
  },
  {
    id: "B3",
    attack: "An argument that looks like a template, to have it filled in with a secret or another value.",
    tests: [
      { file: WIRE, title: "what stands in an argument is data: it is never read as a template again" },
      { file: EXPRESSION, title: "every literal text comes back once its ${ is doubled" },
      { file: "filter/hostile.test.ts", title: "under %s selects by its plain meaning, or is refused" },
    ],
  },
  {
    id: "B4",
    attack:
      "A curation by which a caller's argument would choose the host, the scheme, a header's name or a query's text.",
    tests: [
      { file: WIRE, title: "an argument chooses no host, no scheme, no name of a header and no secret's place" },
      { file: "curation/place.test.ts", title: "headers that nobody sets" },
      { file: "compile/places.test.ts", title: "free text meets no query language" },
    ],
  },
  {
    id: "B5",
    attack: "A secret that a curation writes into a description, a default or a reply, where callers read it.",
    tests: [
      { file: WIRE, title: "what the environment and the key hold is read for credentials and pins alone" },
      { file: EXPRESSION, title: "env and key are read where secrets belong, and nowhere else" },
      { file: "cli/tools.test.ts", title: "and the same whatever the environment holds" },
      { file: "run/run-tool.test.ts", title: "are never %s" },
    ],
  },
  {
    id: "B6",
    attack: "A step or tool that names an operation, a parameter or a field that is not there, and would fail in use.",
    tests: [
      { file: "compile/mistakes.test.ts", title: "a mistake is found once, at its place, with a way out" },
      { file: "stories/twelve-mistakes.test.ts", title: "shows each at its line with a hint, all at once" },
    ],
  },
  {
    id: "B7",
    attack: "One call that makes thousands of requests, by a list to go through, by pages without end, or by waiting.",
    tests: [
      { file: STEPS, title: "goes no further than its bound, and says so" },
      { file: STEPS, title: "refuses more rows than it may read" },
      { file: "run/pages/read-all.test.ts", title: "pages that never end are refused" },
      { file: "run/steps/laws.test.ts", title: "within the upstream's concurrency" },
      {
        file: "run/steps/laws.test.ts",
        title: "whichever step hangs, the call ends at its deadline and nothing runs on",
      },
    ],
  },
  {
    id: "B8",
    attack: "A field that an API adds later, or that nobody meant to show, in a reply whose fields were chosen.",
    tests: [
      { file: WIRE, title: "a field that the upstream adds is in no reply that names its fields, at any depth" },
      { file: "run/shape-list.test.ts", title: "as the row's own properties of exactly that name" },
    ],
  },
  {
    id: "B9",
    attack:
      "An argument that sets what a pin sets: by its name, its place, inside a body, or a second time in a query.",
    tests: [
      {
        file: "compile/pins.test.ts",
        title: "whatever the body is, a tool that compiles carries the pin in every request, and no caller can set it",
      },
      { file: "run/plan-request.test.ts", title: "hold on the wire whatever a caller writes elsewhere" },
      { file: "run/plan-request.test.ts", title: "cannot be sent a second time through %s" },
      { file: "run/validate-arguments.test.ts", title: "pinned names" },
      {
        file: "run/explore/explore-api.test.ts",
        title: "whatever is given, no request goes without the pin or to another host",
      },
      { file: "stories/pins.test.ts", title: "no caller sets one: %o" },
    ],
  },
  {
    id: "B10",
    attack: "A tool that writes or destroys and tells clients that it only reads, so that they do not ask.",
    tests: [
      { file: "compile/compile-toolset.test.ts", title: "are an error unless the server allows them" },
      { file: "compile/annotate-tool.test.ts", title: "come from the least safe of several operations" },
      { file: "compile/annotate-tool.test.ts", title: "%j on %s" },
      { file: "compile/steps.test.ts", title: "it is told of %s" },
      { file: "stories/writes.test.ts", title: "--read-only leaves out every tool that writes, and names none" },
    ],
  },
];
