import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BodyPlan } from "../../src/model/call.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { exactNumber } from "../../src/run/request/exact-number.ts";
import { Unsendable } from "../../src/run/request/unsendable.ts";
import { writeBody } from "../../src/run/request/write-body.ts";

const plan = (mediaType: string, encoding: BodyPlan["encoding"] = []): BodyPlan => ({
  required: true,
  mediaType,
  encoding,
});
const form = "application/x-www-form-urlencoded";
const png = { base64: "iVBORw==", filename: "a.png" };

describe("a body is written in its media type", () => {
  const cases: [string, BodyPlan, Json, string, string][] = [
    ["JSON", plan("application/json"), { a: [1, null, "é"] }, "application/json", '{"a":[1,null,"é"]}'],
    [
      "a JSON dialect, as it is named",
      plan("application/vnd.api+json; charset=utf-8"),
      [{ op: "remove" }],
      "application/vnd.api+json; charset=utf-8",
      '[{"op":"remove"}]',
    ],
    [
      "JSON with digits that no number holds",
      plan("application/json"),
      { id: exactNumber("9007199254740993"), list: [exactNumber("1"), "1"], 'a"b': 1 },
      "application/json",
      '{"id":9007199254740993,"list":[1,"1"],"a\\"b":1}',
    ],
    ["any text type", plan("text/*"), "x", "text/plain; charset=utf-8", "x"],
    [
      "a form",
      plan(form),
      { amount: 5, note: "a b&c", capture: false, tags: ["x", "y"], none: null },
      form,
      "amount=5&note=a+b%26c&capture=false&tags=x&tags=y",
    ],
    [
      "a form as the URL standard has it",
      plan(form),
      { "n[a]": "!'()*~-._ +é" },
      form,
      "n%5Ba%5D=%21%27%28%29*%7E-._+%2B%C3%A9",
    ],
    [
      "a form with digits that no number holds",
      plan(form),
      { id: exactNumber("9007199254740993") },
      form,
      "id=9007199254740993",
    ],
    [
      "a form with reserved characters",
      plan(form, [{ property: "u", allowReserved: true }]),
      { u: "https://h/a?b=c&d" },
      form,
      "u=https://h/a?b%3Dc%26d",
    ],
    ["lines of JSON", plan("application/x-ndjson"), [{ a: 1 }, "x"], "application/x-ndjson", '{"a":1}\n"x"\n'],
    ["lines of JSON as they are", plan("application/x-ndjson"), '{"a":1}\n', "application/x-ndjson", '{"a":1}\n'],
    ["a data URI that is meant as text", plan("text/plain"), "data:,x", "text/plain", "data:,x"],
    ["a form with an object, as JSON", plan(form), { meta: { a: 1 } }, form, "meta=%7B%22a%22%3A1%7D"],
    [
      "a form with brackets",
      plan(form, [{ property: "meta", style: "deepObject", explode: true }]),
      { meta: { a: { b: 1 } } },
      form,
      "meta%5Ba%5D%5Bb%5D=1",
    ],
    [
      "a form with a joined list",
      plan(form, [{ property: "l", style: "form", explode: false }]),
      { l: [1, 2] },
      form,
      "l=1,2",
    ],
    ["text", plan("text/csv"), "a,b\n1,2\n", "text/csv", "a,b\n1,2\n"],
    ["XML as given", plan("application/xml"), "<a/>", "application/xml", "<a/>"],
    ["a number as text", plan("text/plain"), 12, "text/plain", "12"],
  ];
  test.each(cases)("%s", (_title, of, value, contentType, body) => {
    expect(writeBody(of, value)).toEqual({ contentType, body });
  });

  const files: [string, string, Json, string, string][] = [
    ["an object of base64", "application/octet-stream", { base64: "AAH/" }, "application/octet-stream", "AAH/"],
    ["an object of text", "application/pdf", { text: "x" }, "application/pdf", "eA=="],
    ["a data URI", "application/octet-stream", "data:image/png;base64,AAH/", "application/octet-stream", "AAH/"],
    ["a data URI that is percent-encoded", "application/zip", "data:,a%20b", "application/zip", "YSBi"],
    ["base64 for URLs", "application/zip", "data:;base64,_-8", "application/zip", "/+8="],
    ["its own type in a range", "image/*", "data:image/png;base64,AAH/", "image/png", "AAH/"],
    ["another type than the range", "image/*", "data:text/csv;base64,AAH/", "application/octet-stream", "AAH/"],
    ["a text in a range", "text/*", "x", "text/plain; charset=utf-8", "eA=="],
    ["a text", "application/octet-stream", "x", "application/octet-stream", "eA=="],
  ];
  test.each(files)("bytes, given as %s", (_title, mediaType, value, type, base64) => {
    const { contentType, body } = writeBody({ ...plan(mediaType), file: true }, value);
    expect([contentType, Buffer.from(body as Uint8Array).toString("base64")]).toEqual([type, base64]);
  });

  test("broken base64 is no file and no text", () => {
    expect(() => writeBody({ ...plan("application/zip"), file: true }, "data:;base64,A*")).toThrow(Unsendable);
  });

  test.each<[string, Json]>([
    ["text/plain", { a: 1 }],
    [form, "x"],
    [form, [1]],
    [form, exactNumber("1")],
    ["multipart/form-data", "x"],
    ["multipart/form-data", [1]],
  ])("%s does not take %j", (mediaType, value) => {
    expect(() => writeBody(plan(mediaType), value)).toThrow(Unsendable);
  });
});

async function partsOf(mediaTypePlan: BodyPlan, value: JsonObject) {
  const { contentType, body } = writeBody(mediaTypePlan, value);
  const data = await new Response(new Uint8Array(body as Uint8Array), {
    headers: { "content-type": contentType },
  }).formData();
  return Promise.all(
    [...data].map(async ([name, one]) =>
      typeof one === "string"
        ? [name, one]
        : [name, one.name, one.type, Buffer.from(await one.arrayBuffer()).toString("base64")],
    ),
  );
}

describe("multipart", () => {
  test("of a list is a part an item without a name, by the encoding of its position or of the rest", () => {
    const encoding: BodyPlan["encoding"] = [
      { property: "0", contentType: "application/vnd.meta+json" },
      { property: "*", contentType: "image/png", file: true },
    ];
    const { contentType, body } = writeBody(plan("multipart/related", encoding), [{ a: 1 }, png, png]);
    const boundary = /^multipart\/related; boundary=(\S+)$/.exec(contentType)?.[1];
    const image = `--${boundary}\r\nContent-Type: image/png\r\n\r\n${Buffer.from(png.base64, "base64").toString("latin1")}\r\n`;
    expect(Buffer.from(body as Uint8Array).toString("latin1")).toBe(
      `--${boundary}\r\nContent-Type: application/vnd.meta+json\r\n\r\n{"a":1}\r\n${image}${image}--${boundary}--\r\n`,
    );
  });

  const multipart = plan("multipart/form-data", [{ property: "file", contentType: "image/png", file: true }]);

  test("has a part a value, files with name and type, objects as JSON", async () => {
    expect(await partsOf(multipart, { file: png, meta: { a: 1 }, tags: ["x", "y"], n: 3, none: null })).toEqual([
      ["file", "a.png", "image/png", "iVBORw=="],
      ["meta", '{"a":1}'],
      ["tags", "x"],
      ["tags", "y"],
      ["n", "3"],
    ]);
  });

  test.each<[what: string, value: Json]>([
    ["a list", ["a,b", "c"]],
    ["an object", { k: "a,b" }],
  ])("has %s joined by commas only where none stands inside an item", (_, csv) => {
    const of = plan("multipart/form-data", [{ property: "csv", style: "form", explode: false }]);
    expect(() => writeBody(of, { csv })).toThrow('"," separates the items here and cannot stand inside one');
  });

  test("has a text with a comma as it is, whatever its style", async () => {
    const of = plan("multipart/form-data", [{ property: "csv", style: "form", explode: false }]);
    expect(await partsOf(of, { csv: "a,b" })).toEqual([["csv", "a,b"]]);
  });

  test("has files of several kinds, and fields with a style", async () => {
    const of = plan("multipart/form-data", [
      { property: "files", file: true },
      { property: "csv", style: "form", explode: false },
      { property: "deep", style: "deepObject", explode: true },
    ]);
    const files = [
      "data:text/csv;name=a%20b.csv;base64,YQ==",
      "plain",
      { text: "t", contentType: "text/x", filename: "t" },
    ];
    expect(await partsOf(of, { files, csv: ["a b", "c&d"], deep: { k: "a=b" }, s: "data:,x" })).toEqual([
      ["files", "a b.csv", "text/csv", "YQ=="],
      ["files", "files", "application/octet-stream", "cGxhaW4="],
      ["files", "t", "text/x", "dA=="],
      ["csv", "a b,c&d"],
      ["deep[k]", "a=b"],
      ["s", "data:,x"],
    ]);
  });

  test("cannot be broken out of by names or file names", async () => {
    const evil = 'a"\r\nX-Evil: 1\r\n\r\nb';
    const { body } = writeBody(multipart, { [evil]: "v", file: { base64: "AA==", filename: evil } });
    const text = Buffer.from(body as Uint8Array).toString("latin1");
    expect(text.match(/^Content-Disposition/gm)).toHaveLength(2);
    expect(text).not.toMatch(/^X-Evil/m);
    expect(() =>
      writeBody(plan("multipart/form-data", [{ property: "file", file: true }]), {
        file: { base64: "AA==", contentType: "image/png\r\nX-Evil: 1" },
      }),
    ).toThrow(Unsendable);
  });

  test("is read by its receiver as it was meant, whatever the texts", async () => {
    const text = fc
      .string({ unit: "binary" })
      .filter((one) => !/[\p{Surrogate}\r\n]/u.test(one) && !one.startsWith("data:"));
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (texts) => {
        expect(await partsOf(multipart, { t: texts })).toEqual(texts.map((one) => ["t", one]));
      }),
      { numRuns: 50 },
    );
  });
});
