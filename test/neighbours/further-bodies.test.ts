import type { Json } from "../../src/model/json.ts";
import { describeRows, type Row, withBody } from "./run-rows.ts";

const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";
const PARTS = "multipart/form-data";

/** One row a body that is sent to `POST /x` with this schema. */
const row = (
  title: string,
  schema: string,
  body: Json,
  expect: Row["expect"],
  more: Partial<Row> & Media = {},
): Row => {
  const { media = JSON_TYPE, encoding = "{}", head, ...rest } = more;
  const spec = withBody(`{'${media}': {schema: ${schema}, encoding: ${encoding}}}`, "required: true", head);
  return { title, spec, operation: "POST /x", args: { body }, expect, ...rest };
};

interface Media {
  readonly media?: string;
  readonly encoding?: string;
  readonly head?: string;
}

const object = (properties: string, more = "") => `{type: object, properties: {${properties}}${more && `, ${more}`}}`;
const refused = (text: string) => ({ error: true, no_request: true, result_text_contains: text });

await describeRows("a body that may be null", [
  row("by its type", "{type: [string, 'null']}", null, { body_text: "null" }, { only: "whole" }),
  row("by a choice", "{anyOf: [{type: object}, {type: 'null'}]}", null, { body_text: "null" }, { only: "whole" }),
  row("where anything may stand", "{}", null, { body_text: "null" }, { only: "whole" }),
  row("as its text", "{}", "null", { body_text: "null" }, { only: "whole" }),
  row("but not where it may not", "{type: object}", null, refused("required"), { only: "whole" }),
]);

const ref = (name: string) => `{$ref: '#/components/schemas/${name}'}`;
const child = (parent: string, property: string) =>
  `{allOf: [${ref(parent)}, ${object(`${property}: {type: integer}`)}]}`;
const PETS = `components: {schemas: {Pet: ${object("t: {type: string}", "required: [t], discriminator: {propertyName: t}")}, Dog: ${child("Pet", "bark")}, Cat: ${child("Pet", "purr")}, Puppy: ${child("Dog", "age")}}}\n`;
const pet = (title: string, place: string, p: Json, expect: Row["expect"]) =>
  row(title, object(`p: ${ref(place)}`), { p }, expect, { head: PETS });
const sent = (p: Json): Row["expect"] => ({ body_json: { p } });

await describeRows("subtypes", [
  pet("a child", "Pet", { t: "Dog", bark: 1 }, sent({ t: "Dog", bark: 1 })),
  pet("a child's child", "Pet", { t: "Puppy", age: 1, bark: 2 }, sent({ t: "Puppy", age: 1, bark: 2 })),
  pet("the parent itself", "Pet", { t: "Pet" }, sent({ t: "Pet" })),
  pet("a child where the child is asked for", "Dog", { t: "Dog", bark: 1 }, sent({ t: "Dog", bark: 1 })),
  pet("a child's child where the child is asked for", "Dog", { t: "Puppy", age: 1 }, sent({ t: "Puppy", age: 1 })),
  pet("no other child there", "Dog", { t: "Cat" }, refused("t")),
  pet("no name that there is not", "Pet", { t: "Cow" }, refused("t")),
]);

const FILE = "{type: string, format: binary}";
const upload = object(`title: {type: string}, file: ${FILE}, all: {type: array, items: ${FILE}}`);
const bad = { base64: "!!!!", filename: "x" };

await describeRows("what cannot be sent is named", [
  row("a file among texts", upload, { title: "t", file: bad }, refused("file` cannot be sent"), { media: PARTS }),
  row("one of several files", upload, { title: "t", all: ["", bad] }, refused("all[1]` cannot be sent"), {
    media: PARTS,
  }),
  row(
    "a field of a form",
    object("a: {type: string}, l: {type: array, items: {type: string}}"),
    { a: "x", l: ["p|q"] },
    refused("l` cannot be sent"),
    { media: FORM, encoding: "{l: {style: pipeDelimited, explode: false}}" },
  ),
]);

const given = { base64: "AAH/", filename: "o.bin" };

await describeRows("a file that may be left out", [
  row("is taken", object(`a: {anyOf: [${FILE}, {type: 'null'}]}`), { a: given }, filePart("a"), { media: PARTS }),
  row(
    "in a list",
    object(`a: {type: array, items: {anyOf: [${FILE}, {type: 'null'}]}}`),
    { a: [given] },
    filePart("a"),
    {
      media: PARTS,
    },
  ),
  row(
    "as a list",
    object(`a: {anyOf: [{type: array, items: ${FILE}}, {type: 'null'}]}`),
    { a: [given] },
    filePart("a"),
    { media: PARTS },
  ),
  row("beside an address", object(`a: {oneOf: [${FILE}, {type: string, format: uri}]}`), { a: given }, filePart("a"), {
    media: PARTS,
  }),
  row("as any media type", FILE, { base64: "aGk=" }, { body_text: "hi" }, { media: "*/*", only: "whole" }),
]);

function filePart(name: string): Row["expect"] {
  return { parts: [{ name, filename: "o.bin" }] };
}

const UNSET = "{type: string, enum: ['']}";
const unset = (title: string, schema: string, media = JSON_TYPE): Row =>
  row(title, object(`e: ${schema}`), { e: "" }, media === FORM ? { body_text: "e=" } : { body_json: { e: "" } }, {
    media,
  });

await describeRows("an empty text", [
  unset("among the values", "{type: string, enum: ['', a]}"),
  unset("in place of an object", `{anyOf: [{type: object, properties: {z: {type: string}}}, ${UNSET}]}`),
  unset(
    "in place of an object in a form",
    `{anyOf: [{type: object, properties: {z: {type: string}}}, ${UNSET}]}`,
    FORM,
  ),
  unset("in place of a list", `{anyOf: [{type: array, items: {type: string}}, ${UNSET}]}`, FORM),
  unset("in place of a number", `{anyOf: [{type: integer}, ${UNSET}]}`),
  unset("in place of a time", `{anyOf: [{type: string, format: date-time}, ${UNSET}]}`),
  row("but not where there is none", object("e: {type: string, enum: [a]}"), { e: "" }, refused("one of a")),
]);

const TEXT = "{type: string}";
const LATIN = "text/plain; charset=iso-8859-1";
const typed = (type: string, body: string): Row["expect"] => ({ headers: { "content-type": type }, body_text: body });
const whole = (media: string) => ({ media, only: "whole" as const });

await describeRows("the charset of a body", [
  row("that holds the text", TEXT, "e", typed(LATIN, "e"), whole(LATIN)),
  row(
    "that holds it in other bytes",
    TEXT,
    "é",
    { headers: { "content-type": LATIN }, body_base64: "6Q==" },
    whole(LATIN),
  ),
  row("that does not hold it", TEXT, "€", typed("text/plain; charset=utf-8", "€"), whole(LATIN)),
  row(
    "of JSON, which has one alone",
    object("a: {type: string}"),
    { a: "é" },
    typed(`${JSON_TYPE}; charset=utf-8`, '{"a":"é"}'),
    {
      media: `${JSON_TYPE}; charset=iso-8859-1`,
    },
  ),
  row("of a form", object("a: {type: string}"), { a: "é" }, typed(`${FORM}; charset=utf-8`, "a=%C3%A9"), {
    media: `${FORM}; charset=iso-8859-1`,
  }),
]);

const needy = object("p: {type: integer, default: 3}, k: {const: one}, n: {type: string}", "required: [p, k]");

await describeRows("what an object inside a body needs and the spec gives", [
  row("is sent", object(`o: ${needy}`), { o: {} }, { body_json: { o: { p: 3, k: "one" } } }),
  row(
    "but for what was given",
    object(`o: ${needy}`),
    { o: { p: 4, n: "x" } },
    { body_json: { o: { p: 4, k: "one", n: "x" } } },
  ),
  row(
    "in each item of a list",
    object(`l: {type: array, items: ${needy}}`),
    { l: [{}] },
    { body_json: { l: [{ p: 3, k: "one" }] } },
  ),
]);

const closed = object("a: {type: string}", "patternProperties: {'^x-': {type: string}}, additionalProperties: false");
const named = "{type: object, patternProperties: {'^[a-z]+$': {type: integer}}, additionalProperties: false}";
const listed = "{type: object, propertyNames: {enum: [en, de]}, additionalProperties: {type: string}}";

await describeRows("names by a pattern", [
  row("beside others", object(`c: ${closed}`), { c: { "x-q": "1" } }, { body_json: { c: { "x-q": "1" } } }),
  row("and no more", object(`c: ${closed}`), { c: { y: "1" } }, refused("`y`")),
  row("alone", object(`m: ${named}`), { m: { abc: 1 } }, { body_json: { m: { abc: 1 } } }),
  row("alone and no more", object(`m: ${named}`), { m: { ABC: 1 } }, refused("pattern")),
  row("from a list", object(`m: ${listed}`), { m: { de: "a" } }, { body_json: { m: { de: "a" } } }),
  row("from a list and no more", object(`m: ${listed}`), { m: { fr: "a" } }, refused("pattern")),
]);

await describeRows("lists in brackets count their items in a form", [
  row(
    "also in an object",
    object(`l: {type: array, items: ${TEXT}}, o: ${object(`l: {type: array, items: ${TEXT}}`)}`),
    { l: ["a", "b"], o: { l: ["c", "d"] } },
    {
      body_form: [
        ["l[0]", "a"],
        ["l[1]", "b"],
        ["o[l][0]", "c"],
        ["o[l][1]", "d"],
      ],
    },
    { media: FORM, encoding: "{l: {style: deepObject, explode: true}, o: {style: deepObject, explode: true}}" },
  ),
]);
