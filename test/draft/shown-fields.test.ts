import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { draftText } from "./draft-api.ts";
import { answer, query, shop } from "./shop-document.ts";

// Which columns an answer shows, and what the request says so that they come.

interface Tool {
  readonly unchecked?: boolean;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly input?: object;
  readonly result: { readonly fields?: Readonly<Record<string, unknown>> };
}

const text = { type: "string" };
const object = (properties: object) => ({ type: "object", properties });
const key = { name: "kite_id", in: "path", required: true, schema: text };

/** The tools over kites: rows of a list, and one whole. */
async function kites(row: object, whole: object, parameters: readonly object[] = []): Promise<Record<string, Tool>> {
  const paths = {
    "/kites": { get: { operationId: "listKites", parameters, responses: answer({ type: "array", items: row }) } },
    "/kites/{kite_id}": { get: { operationId: "getKite", parameters: [key], responses: answer(whole) } },
  };
  const { text: draft } = await draftText(shop({ paths }));
  return (parse(draft) as { readonly tools: Record<string, Tool> }).tools;
}

const columns = (tool: Tool | undefined) => Object.keys(tool?.result.fields ?? {});
const names = (...values: string[]) => ({ type: "array", items: { type: "string", enum: values } });

describe("fields that a parameter names", () => {
  const row = object({ id: text, name: text });
  const whole = object({
    id: text,
    name: text,
    status: text,
    created_at: text,
    owner: object({ id: text, name: text }),
    maker: text,
  });

  test("are asked for where rows are short, as the whole thing has them", async () => {
    const opened = query("opt_fields", names("name", "status", "created_at", "owner", "owner.name"), {
      explode: false,
    });
    const { list_kites: list, get_kite: detail } = await kites(row, whole, [opened]);
    expect(columns(list)).toStrictEqual(["id", "name", "status", "created_at", "owner"]);
    expect(list).toMatchObject({
      unchecked: true,
      args: { "query.opt_fields": ["name", "status", "created_at", "owner.name"] },
    });
    expect(list?.input).toBeUndefined();
    expect(columns(detail)).toContain("maker");
  });

  test("are not asked for where the rows have them all, nor where the document does not say what it takes", async () => {
    const opened = query("fields", names("name", "status", "created_at"), { explode: false });
    expect((await kites(whole, whole, [opened]))["list_kites"]?.args).toBeUndefined();
    const open = query("fields", { type: "array", items: text });
    expect(columns((await kites(row, whole, [open]))["list_kites"])).toStrictEqual(["id", "name"]);
  });

  test("do not count where they come only with `$expand`, or only where they alone are asked for", async () => {
    const rich = object({
      id: text,
      name: text,
      maker: object({ id: text, name: text }),
      hired_at: { ...text, description: "When it was hired. Returned only on $select." },
      status: text,
    });
    const { list_kites: list } = await kites(rich, whole, [query("$expand", names("*", "maker"))]);
    expect(columns(list)).toStrictEqual(["id", "name", "status"]);
  });
});

describe("columns", () => {
  test("of variants are what several of them have, of whichever the row is", async () => {
    const digits = object({ last4: text, country: text });
    const type = { type: "string", enum: ["card", "eps", "giro", "sepa"] };
    const row = object({
      id: text,
      type,
      card: object({ brand: text, last4: text }),
      sepa: digits,
      eps: object({ bank: text }),
      giro: object({}),
    });
    const { list_kites: list } = await kites(row, row);
    expect(list?.result.fields).toMatchObject({ last4: "card.last4 || sepa.last4", brand: "card.brand" });
    expect(columns(list)).not.toContain("eps");
  });

  const cases: [title: string, properties: object, absent: string][] = [
    ["say nothing twice in another form", { body: text, body_html: text }, "body_html"],
    ["are no parts of what links", { _links: object({ owner: object({ name: text }) }) }, "links_owner"],
    [
      "come before what limits",
      { row_limit: text, ...Object.fromEntries("abcdefgh".split("").map((one) => [`${one}_at`, text])) },
      "row_limit",
    ],
  ];
  test.each(cases)("%s", async (_, properties, absent) => {
    const row = object({ id: text, name: text, status: text, ...properties });
    const shown = columns((await kites(row, row))["list_kites"]);
    expect(shown.length).toBeGreaterThan(2);
    expect(shown).not.toContain(absent);
  });

  test("show the state of a thing before that of an address", async () => {
    const address = object({ city: text, state: text });
    const row = object({
      id: text,
      home: address,
      ...Object.fromEntries("abcdefghi".split("").map((one) => [`${one}_at`, text])),
    });
    expect(columns((await kites(row, row))["list_kites"])).not.toContain("home_state");
  });
});
