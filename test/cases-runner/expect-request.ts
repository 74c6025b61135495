import { expect } from "vitest";
import { isFault } from "../../src/model/api.ts";
import { type Json, type JsonObject, ownValue } from "../../src/model/json.ts";
import { expectTool } from "./expect-tool.ts";
import { compileCase, loadCase, type OpenCase, type Ran } from "./open-case.ts";
import { type Case, type CaseArgs, type CaseCredentials, honour } from "./read-case.ts";
import { readParts } from "./read-parts.ts";

/** One call and what was sent. `fresh` opens the same spec again, for another operation or with other credentials. */
export interface RequestContext {
  readonly given: Case;
  readonly opened: OpenCase;
  readonly args: CaseArgs;
  readonly ran: Ran;
  fresh<T>(
    options: { operation?: string; credentials?: CaseCredentials },
    use: (opened: OpenCase) => Promise<T>,
  ): Promise<T>;
}

type Pairs = readonly (readonly [string, string])[];

export async function expectRequest(expected: JsonObject, context: RequestContext): Promise<void> {
  await honour(expected, CHECKS, context);
}

function sent({ ran }: RequestContext) {
  expect(ran.requests, resultText(ran)).toHaveLength(1);
  return ran.requests[0]!;
}

function resultText({ result }: Ran): string {
  return result.content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
}

/** The fields that stand beside the call itself in `second`, `also` and `variant`. */
interface Further {
  readonly args?: CaseArgs;
  readonly credentials?: CaseCredentials;
  readonly operation?: string;
  readonly [expected: string]: unknown;
}

async function further({ operation, credentials, args, ...expected }: Further, context: RequestContext): Promise<void> {
  const options = { ...(operation !== undefined && { operation }), ...(credentials !== undefined && { credentials }) };
  await context.fresh(options, async (opened) => {
    const own = args ?? (operation === undefined ? context.args : {});
    await expectRequest(expected as JsonObject, { ...context, opened, args: own, ran: await opened.call(own) });
  });
}

/** The arguments with another value for the one path or header parameter, or the one list in the query. */
function withValue(args: CaseArgs, where: "path" | "query" | "header", name: string, value: Json): CaseArgs {
  return { ...args, [where]: { ...args[where], [name]: value } };
}

async function expectRefused(args: CaseArgs, { opened }: RequestContext): Promise<void> {
  const ran = await opened.call(args);
  expect([ran.result.isError, ran.requests], resultText(ran)).toEqual([true, []]);
}

const CHECKS: Readonly<Record<string, (value: never, context: RequestContext) => void | Promise<void>>> = {
  method: (method: string, context) => expect(sent(context).method).toBe(method),
  url: (url: string, context) => expect(sent(context).url).toBe(url),
  url_contains: (part: string, context) => expect(sent(context).url).toContain(part),
  query_decoded: (pairs: Pairs, context) => {
    const query = sent(context).target.split("?")[1] ?? "";
    expect([...new URLSearchParams(query)]).toEqual(pairs);
    // `+` is no space to a decoder that reads RFC 3986 alone.
    expect(query.split("&").map((pair) => pair.split("=").map(decodeURIComponent))).toEqual(pairs);
  },
  headers: (headers: JsonObject, context) => {
    for (const [name, value] of Object.entries(headers))
      expect([name, sent(context).headers.get(name)]).toEqual([name, value]);
  },
  headers_match: (headers: Readonly<Record<string, string>>, context) => {
    for (const [name, pattern] of Object.entries(headers))
      expect(sent(context).headers.get(name)).toMatch(new RegExp(pattern));
  },
  headers_absent: (names: readonly string[], context) => {
    for (const name of names) expect([name, sent(context).headers.get(name)]).toEqual([name, undefined]);
  },
  no_body: (_: true, context) => expect(sent(context).body.toString()).toBe(""),
  body_json: (value: Json, context) => expect(JSON.parse(sent(context).body.toString())).toEqual(value),
  body_text: (text: string, context) => expect(sent(context).body.toString()).toBe(text),
  body_form: (pairs: Pairs, context) => expect([...new URLSearchParams(sent(context).body.toString())]).toEqual(pairs),
  body_base64: (base64: string, context) => expect(sent(context).body.toString("base64")).toBe(base64),
  parts: (parts: readonly Readonly<Record<string, string>>[], context) => {
    const { headers, body } = sent(context);
    const read = readParts(headers.get("content-type") ?? "", body);
    expect(read.map(({ name }) => name)).toEqual(parts.map(({ name }) => name));
    for (const [at, { name: _name, text, base64, ...rest }] of parts.entries()) {
      const part = read[at]!;
      expect(part).toMatchObject(rest);
      if (text !== undefined) expect(part.content.toString()).toBe(text);
      if (base64 !== undefined) expect(part.content.toString("base64")).toBe(base64);
    }
  },
  error: (_: true, { ran }) => expect(ran.result.isError, resultText(ran)).toBe(true),
  is_error: (isError: boolean, { ran }) => expect(ran.result.isError ?? false, resultText(ran)).toBe(isError),
  no_request: (_: true, { ran }) => expect(ran.requests).toEqual([]),
  also_error_for: async (values: readonly Json[], context) => {
    const [name = ""] = Object.keys(context.args.path ?? {});
    for (const value of values) await expectRefused(withValue(context.args, "path", name, value), context);
  },
  ok_for: async (urls: Readonly<Record<string, string>>, context) => {
    const [name = ""] = Object.keys(context.args.path ?? {});
    for (const [value, url] of Object.entries(urls)) {
      const ran = await context.opened.call(withValue(context.args, "path", name, value));
      expect(sent({ ...context, ran }).url).toBe(url);
    }
  },
  error_for: async (values: JsonObject, context) => {
    for (const [name, value] of Object.entries(values)) {
      const where = (["path", "query", "header"] as const).find(
        (one) => ownValue(context.args[one] ?? {}, name) !== undefined,
      );
      await expectRefused(withValue(context.args, where!, name, value), context);
    }
  },
  empty_array_url: async (url: string, context) => {
    const [name = ""] = Object.keys(context.args.query ?? {});
    const ran = await context.opened.call(withValue(context.args, "query", name, []));
    expect(sent({ ...context, ran }).url).toBe(url);
  },
  second: further,
  variant: further,
  also: async (operations: Readonly<Record<string, Further>>, context) => {
    for (const [operation, one] of Object.entries(operations)) await further({ ...one, operation }, context);
  },
  also_content_type: async (types: Readonly<Record<string, string>>, context) => {
    for (const [operation, type] of Object.entries(types)) {
      const args = { ...context.args, body: { a: 1 } };
      await further({ operation, args, headers: { "content-type": type }, body_json: { a: 1 } }, context);
    }
  },
  also_operations: (keys: readonly string[], { opened }) => {
    for (const key of keys) {
      const entry = opened.api.find(key);
      expect([key, entry !== undefined && !isFault(opened.api.read(entry))]).toEqual([key, true]);
    }
  },
  operations_total: (total: number, { opened }) => expect(opened.api.index).toHaveLength(total),
  from_file_without_base_url: async (what: "load error", { given, opened }) => {
    expect(what).toBe("load error");
    const api = await loadCase({ folder: given.folder });
    const { toolset, problems } = compileCase(api, given.operation!, opened.exposure.mode);
    const found = problems.find(({ code }) => code === "base_url_needed");
    expect([toolset, `${found?.message} ${found?.hint}`]).toEqual([undefined, expect.stringContaining("baseUrl")]);
  },
  from_url_without_base_url: async (what: "load error", { given, opened }) => {
    expect(what).toBe("load error");
    const { toolset, problems } = compileCase(await loadCase(given), given.operation!, opened.exposure.mode);
    expect([toolset, problems.filter(({ severity }) => severity === "error").map(({ code }) => code)]).toEqual([
      undefined,
      ["base_url_needed"],
    ]);
  },
  upstream_body: async (body: string, { opened, args, ran }) => {
    const answer = { headers: { "content-type": "application/json" }, body };
    Object.assign(ran, { result: (await opened.call(args, answer)).result });
  },
  result_text_contains: (text: string, { ran }) => expect(resultText(ran)).toContain(text),
  secret_absent_in: (where: readonly string[], { ran, opened, given }) => {
    expect(where).toEqual(["result", "stderr", "log notifications"]);
    const seen = JSON.stringify([ran.result, opened.reported.map(String)]);
    for (const form of given.expect["secret_forms"] as readonly string[]) expect(seen).not.toContain(form);
  },
  secret_forms: (forms: readonly string[]) => expect(forms.length).toBeGreaterThan(0),
  no_credentials_at: (host: string, { ran }) => {
    // Nothing at all went there: the only request is the one to the API itself.
    expect(ran.requests).toHaveLength(1);
    expect(ran.requests[0]!.url).not.toContain(host);
    expect(ran.result.isError).toBe(true);
  },
  post_302: async (what: string, context) => {
    expect(what).toBe("is_error, request not replayed as GET");
    await context.fresh({ operation: "POST /r" }, async (opened) => {
      const ran = await opened.call({ body: {} }, context.given.upstream);
      expect([ran.result.isError, ran.requests.map(({ method }) => method)]).toEqual([true, ["POST"]]);
    });
  },
  tool: (expected: JsonObject, { opened, given }) => expectTool(expected, { opened, given }),
};
