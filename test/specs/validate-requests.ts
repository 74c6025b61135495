import type { UpstreamRequest } from "../../src/model/exchange.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Validator, Verdict } from "./open-validator.ts";
import { essence, sliceDocument } from "./slice-document.ts";

/** Validates requests against the document, a handful of operations at a time. `merged` is as of `Slice`. */
export async function validateRequests(
  document: JsonObject,
  requests: readonly { readonly path: string; readonly method: string; readonly request: UpstreamRequest }[],
  validator: Validator,
  merged = false,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = new Array(requests.length);
  const forms = requests.flatMap((one, at) => (isForm(one.request) ? [at] : []));
  const others = requests.flatMap((one, at) => (isForm(one.request) ? [] : [at]));
  for (const [group, asForm] of [
    [forms, true],
    [others, false],
  ] as const) {
    if (group.length === 0) continue;
    const sliced = group.map((at) => {
      const { path, method, request } = requests[at]!;
      return { path, method, prefix: `/op${at}`, contentType: contentTypeOf(request), names: namesIn(request) };
    });
    validator.use(sliceDocument(document, sliced, merged), asForm);
    for (const [index, at] of group.entries())
      verdicts[at] = await validator.check(requests[at]!.request, sliced[index]!.prefix);
  }
  return verdicts;
}

export function contentTypeOf({ headers }: UpstreamRequest): string | undefined {
  return headers.find(([name]) => name === "content-type")?.[1];
}

function isForm(request: UpstreamRequest): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/)/.test(essence(contentTypeOf(request) ?? ""));
}

function namesIn(request: UpstreamRequest): string[] {
  const query = request.url.split("?")[1] ?? "";
  const headers = request.headers.map(([, value]) => value).join(",");
  const body = request.body === undefined ? "" : Buffer.from(request.body as Uint8Array).toString("utf8");
  const isJson = /[/+]json$/.test(essence(contentTypeOf(request) ?? ""));
  const ofBody = isJson ? keysOf(JSON.parse(body)) : wordsIn(body);
  return [
    ...new URLSearchParams(query).keys(),
    ...wordsIn(query),
    ...wordsIn(request.url),
    ...wordsIn(headers),
    ...ofBody,
  ];
}

function keysOf(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => keysOf(item));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...keysOf(inner)]);
}

function wordsIn(text: string): string[] {
  let plain = text;
  try {
    plain = decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Not percent-encoded: a multipart body.
  }
  return [...plain.split(/[\s[\]=&,;:"{}?/]+/), ...plain.split(/[=&"?;,[\]]/)].filter(
    (word) => word.length > 0 && word.length < 200,
  );
}
