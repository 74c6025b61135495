import { describe, expect, test } from "vitest";
import { readSuccessBody } from "../../src/compile/reply/response-schema.ts";
import type { Response } from "../../src/model/api.ts";
import { jsonResponse, operationOf } from "./spec-stub.ts";

const json = (status: string, mediaType?: string) =>
  jsonResponse({ title: `${status} ${mediaType ?? ""}`.trim() }, status, mediaType);
const bare = (status: string, ...types: string[]): Response => ({
  status,
  description: "",
  content: types.map((mediaType) => ({ mediaType, encoding: [] })),
});
const titleOf = (responses: readonly Response[], accept?: string) =>
  readSuccessBody(operationOf(responses), accept).schema.title;

describe("the success response that counts", () => {
  test.each<[string, Response[], string | undefined]>([
    ["is 200", [json("default"), json("201"), json("200"), json("2XX")], "200"],
    ["else the lowest other 2xx", [json("204"), json("2XX"), json("202"), json("201")], "201"],
    ["else 2XX", [json("default"), json("2XX")], "2XX"],
    ["else default", [json("404"), json("default")], "default"],
    ["but default is no success where a 2xx is declared", [bare("204"), json("default")], undefined],
    ["is never an error", [json("400")], undefined],
    ["has a JSON body where one of them has", [bare("200", "text/csv"), json("201")], "201"],
    [
      "is JSON in any letter case and with parameters",
      [json("200", "Application/JSON; charset=utf-8")],
      "200 Application/JSON; charset=utf-8",
    ],
    ["is a JSON dialect", [json("200", "application/hal+json")], "200 application/hal+json"],
    ["is of any type", [json("200", "*/*")], "200 */*"],
    ["is not of another type", [json("200", "application/xml")], undefined],
  ])("%s", (_, responses, want) => {
    expect(titleOf(responses)).toBe(want);
  });

  test("has the media type that the curation asks for, else JSON itself", () => {
    const both: Response = {
      ...bare("200"),
      content: [
        ...json("200", "*/*").content,
        ...json("200", "application/vnd.x+json").content,
        ...json("200").content,
      ],
    };
    expect(titleOf([both])).toBe("200");
    expect(titleOf([both], "application/vnd.x+json")).toBe("200 application/vnd.x+json");
  });

  test("says which kinds of body there may be", () => {
    const kinds = (...responses: Response[]) => [...readSuccessBody(operationOf(responses)).kinds].sort();
    expect(kinds(json("200"), bare("204"))).toEqual(["empty", "json"]);
    expect(kinds(bare("200", "text/html", "application/xml", "application/pdf"))).toEqual(["binary", "text"]);
    expect(kinds(bare("404", "text/html"))).toEqual([]);
    expect(readSuccessBody(undefined)).toEqual({ schema: {}, kinds: new Set() });
  });
});
