import { expect, test } from "vitest";
import { sayDraft } from "../../src/cli/draft/say-draft.ts";
import { openSpec } from "../spec/open-spec.ts";
import { draftApi } from "./draft-api.ts";
import { answer, ROW, shop } from "./shop-document.ts";

const other = (mediaType: string) => ({ 200: { description: "ok", content: { [mediaType]: { schema: {} } } } });
const many = Object.fromEntries(
  Array.from({ length: 24 }, (_, at) => [
    `/thing${String.fromCharCode(97 + at)}s`,
    { get: { responses: answer({ type: "array", items: ROW }) } },
  ]),
);
const paths = {
  ...many,
  "/orders/{order_id}/invoice": {
    get: {
      parameters: [{ name: "order_id", in: "path", required: true, schema: {} }],
      responses: other("application/pdf"),
    },
  },
  "/messages": {
    get: { responses: { 200: { description: "ok" } } },
    post: { responses: { 204: { description: "sent" } } },
  },
};

/** The comment at the end, each of its lines from `- ` to the next. */
function endOf(text: string): string[] {
  const end = text.slice(text.lastIndexOf("\n\n#")).replace(/\n# ?/g, " ");
  return end
    .split(/ (?=- \d)/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

test("the end of a draft says how many operations were left out, why, and which would come next", async () => {
  const { text, leftOut } = await draftApi(await openSpec(shop({ paths })));
  expect(leftOut).toStrictEqual({ operations: 9, changing: 1, unasked: 0, unusable: 2 });
  const [all, ...lines] = endOf(text);
  expect(all).toBe("Left out when this was drafted: 9 of 29 operations.");
  expect(lines[0]).toBe("- 1 changes something; `--writes` drafts those of what is read here.");
  expect(lines[1]).toMatch(
    /^- 6 that may read promised less or tell much the same; .* Next would come GET \/thing[a-z]s, /,
  );
  expect(lines.slice(2)).toStrictEqual([
    "- 1 of those looked at cannot be used, because the answer is not described: GET /messages.",
    "- 1 of those looked at cannot be used, because the answer is no JSON: GET /orders/{order_id}/invoice.",
  ]);
});

test("nothing is said of what was left out where nothing was", async () => {
  const { text, leftOut } = await draftApi(await openSpec(shop()));
  expect(leftOut).toStrictEqual({ operations: 0, changing: 0, unasked: 0, unusable: 0 });
  expect(text).not.toContain("Left out");
});

test("what was not asked for is told apart", async () => {
  const { text } = await draftApi(await openSpec(shop({ paths })), { keep: ({ path }) => path.startsWith("/orders") });
  expect(endOf(text)).toContain("- 26 are not among those asked for.");
});

test("the terminal says it in one line", async () => {
  const draft = await draftApi(await openSpec(shop({ paths })));
  const said = sayDraft({ draft, operations: 29, endpointTokens: 4_000, outsideRoot: false }, "shop.yaml");
  expect(said).toContain(
    "Left out: 9 operations (1 changes something, 2 of those looked at cannot be used); the end of the file says why, and which would come next.",
  );
});
