import type { Entry } from "./entry.ts";

const ELSEWHERE = "security/specs-elsewhere.test.ts";
const HOSTILE = "security/specs-hostile.test.ts";
const SCHEMAS = "compile/hostile-schemas.test.ts";
const DOCUMENT = "spec/read-document.test.ts";
const FILES = "spec/several-files.test.ts";
const URLS = "spec/downloaded-spec.test.ts";
const HIDDEN = "compile/hidden-characters.test.ts";
const SUSPICION = "surface/lint/suspicion.test.ts";

export const specEntries: readonly Entry[] = [
  {
    id: "A1",
    attack: "A few lines of YAML whose aliases multiply into more values than any walk could visit.",
    tests: [
      { file: DOCUMENT, title: "nine levels of nine aliases" },
      { file: DOCUMENT, title: "merges upon merges" },
      { file: DOCUMENT, title: "an alias inside of itself" },
    ],
  },
  {
    id: "A2",
    attack: "YAML that is nested so deep that a second parse of it in one process would end the process.",
    tests: [
      {
        file: DOCUMENT,
        title: "deep flow text that the first parser refuses never meets the second, twice in one process",
      },
      { file: DOCUMENT, title: "YAML blocks" },
      { file: "curation/load-curation.test.ts", title: "%s: again and again, and the process lives" },
    ],
  },
  {
    id: "A3",
    attack: "JSON that is nested deeper than a walk that calls itself can follow.",
    tests: [
      { file: DOCUMENT, title: "JSON 100,000 deep" },
      { file: "spec/parse-lazily.test.ts", title: "is left alone where it is nested deeper than a document may be" },
    ],
  },
  {
    id: "A4",
    attack: "A document of so many bytes or operations that reading it takes the memory or the time of all callers.",
    tests: [
      { file: ELSEWHERE, title: "a file over the bound is refused, in a line" },
      { file: ELSEWHERE, title: "of 30,000 operations only those that tools use cost anything" },
      { file: DOCUMENT, title: "more than 64 MiB are refused while they come" },
    ],
  },
  {
    id: "A5",
    attack: "Schemas that refer to themselves or to each other, so that spelling one out would never end.",
    tests: [
      { file: SCHEMAS, title: "references in any circle compile to a schema of bounded size without references" },
      { file: "compile/input-types.test.ts", title: "shared references cannot make a schema explode" },
      { file: "compile/build-shape.test.ts", title: "of a recursive body ends" },
    ],
  },
  {
    id: "A6",
    attack:
      "A reference to a file outside of the spec's own folder, by any spelling or by a symbolic link, to read it.",
    tests: [
      { file: FILES, title: "nothing outside of the spec's own folder is opened" },
      { file: FILES, title: "a link to a file outside" },
      { file: "spec/check-spec.test.ts", title: "no file that the spec names is opened" },
    ],
  },
  {
    id: "A7",
    attack: "A reference to a URL, such as the metadata service of a cloud, to have it fetched from inside.",
    tests: [
      { file: ELSEWHERE, title: "not when it is read, not when it is checked, and not when it is compiled" },
      { file: FILES, title: "a web address without scheme" },
      { file: URLS, title: "never goes to %s" },
    ],
  },
  {
    id: "A8",
    attack: "A spec at a URL that redirects to a private address, never ends, or comes a byte at a time.",
    tests: [
      { file: ELSEWHERE, title: "a redirect leads to no other origin" },
      { file: ELSEWHERE, title: "a body without end is given up at the bound" },
      { file: ELSEWHERE, title: "one that comes too slowly is given up after half a minute, whatever still comes" },
      { file: URLS, title: "a private address is refused by the client too, also for the spec itself" },
      { file: URLS, title: "a chain without end is given up after some rounds" },
    ],
  },
  {
    id: "A9",
    attack: "Paths, parameters, properties, schemas or tags called like what every JavaScript object inherits.",
    tests: [
      { file: HOSTILE, title: "names that every object has are names like any other, from the spec to the wire" },
      { file: "spec/lift-schema.test.ts", title: "names of the prototype are plain names" },
      { file: "spec/mutations.test.ts", title: "%s with its text cut up" },
    ],
  },
  {
    id: "A10",
    attack: "A pattern that takes a backtracking engine for ever, or has so many parts that any engine takes long.",
    tests: [
      { file: SCHEMAS, title: "%s is tried in time that grows with the text, or not at all" },
      { file: SCHEMAS, title: "one that cannot be enforced is told to the author" },
      { file: "run/validate-arguments.test.ts", title: "its patterns run on RE2" },
    ],
  },
  {
    id: "A11",
    attack:
      "Schemas that make a validator fetch, compute with the data, go round in itself, or merge thousands of parts.",
    tests: [
      { file: SCHEMAS, title: "%s is not there for it" },
      { file: SCHEMAS, title: "a dynamic reference to itself is the fault of its tool" },
      { file: SCHEMAS, title: "that must all hold are one object, soon" },
      { file: SCHEMAS, title: "choices in choices are not tried one with another" },
    ],
  },
  {
    id: "A12",
    attack: "Descriptions that speak to the model: orders, markup, comments, images, encoded texts.",
    tests: [
      { file: SUSPICION, title: "a text that speaks to a model is found" },
      { file: SUSPICION, title: "of poison in %s only what reaches the list is told" },
      { file: "compile/describe-tool.test.ts", title: "no text of a spec leaves a tag or a hidden character behind" },
    ],
  },
  {
    id: "A13",
    attack: "Characters that only a model sees, in descriptions, names, values, defaults, formats or patterns.",
    tests: [
      { file: HIDDEN, title: "what a person does not see reaches no list of tools" },
      { file: HIDDEN, title: "a value that hides something is written without it and sent with it" },
      { file: SUSPICION, title: "hidden characters are found where no editor leaves them by chance" },
    ],
  },
  {
    id: "A14",
    attack: "A spec that was harmless when it was looked at says or does something else after an update.",
    tests: [
      { file: "cli/lock.test.ts", title: "finds %s" },
      { file: "cli/drift/drift.test.ts", title: "what callers would see otherwise is told at the curation's line" },
      { file: "stories/events.test.ts", title: "a reload changes what the tools are called by" },
    ],
  },
  {
    id: "A15",
    attack:
      "Servers in the spec that lead to a stranger, carry a user, have another scheme, or are filled in by a caller.",
    tests: [
      { file: HOSTILE, title: "a spec does not decide where requests go but by a plain absolute URL of http" },
      { file: HOSTILE, title: "a variable of a server is its default, whatever a caller calls so" },
      { file: "compile/build-upstream.test.ts", title: "a spec that was read from a URL does not decide it" },
    ],
  },
  {
    id: "A16",
    attack: "Two operations, paths or keys of one name, so that another one is called than the one that was looked at.",
    tests: [
      { file: HOSTILE, title: "an operationId names none of its operations, and the tool says so at its line" },
      {
        file: HOSTILE,
        title: "paths that differ by the name of a parameter alone are each what was named, never the other",
      },
      {
        file: "spec/doubled-keys.test.ts",
        title: "is a warning at its line; the last one counts, and the spec is served",
      },
    ],
  },
  {
    id: "A17",
    attack: "Texts of the spec that close a string or a comment, so that they run where code is made of a spec.",
    tests: [
      { file: "security/no-code-from-text.test.ts", title: "our own source has no %s" },
      {
        file: "security/no-code-from-text.test.ts",
        title: "neither by the validator, which makes functions of a spec's schemas",
      },
      { file: "security/no-code-from-text.test.ts", title: "nor on the way of a call" },
    ],
  },
  {
    id: "A18",
    attack: "Every version and encoding of a document, whole, torn or with anything in the place of anything.",
    tests: [
      { file: "spec/mutations.test.ts", title: "%s with its text cut up" },
      { file: "spec/mutations.test.ts", title: "%s with other values in its places" },
      { file: DOCUMENT, title: "what real specs do" },
      { file: DOCUMENT, title: "what cannot be read is told in one line" },
      { file: "spec/real-specs.test.ts", title: "$name: every operation is read" },
    ],
  },
];
